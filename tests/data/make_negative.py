#!/usr/bin/env python3
"""Negative and edge-case test vectors for the septic curve: point decoding, scalar decoding, Schnorr verification.

    python3 make_negative.py OUT.json                       write the vectors (the same bytes each time) and print counts
    python3 make_negative.py --check ORDERS.json [VEC.json] check this oracle against 64 public signatures
                                                            (and the PARI/GP cases, if given)

Standard library only. An oracle on purpose unlike the Rust code: schoolbook products, inversion by Euclid on polynomials,
Tonelli-Shanks in K itself, affine formulas with one inversion a step, double-and-add.
Each expected result is written down by hand and must equal what the strict rules below compute.
"""
import hashlib
import json
import sys

# ---------------------------------------------------------------- field K = F_p[z]/(z^7 - 3z - 5)
p = 2130706433
D = 7
q = p**D
r = 199372529839252601278447397890876471698671718266839763841250021879
ZERO, ONE = (0,) * 7, (1,) + (0,) * 6


def add(a, b):
    return tuple((u + v) % p for u, v in zip(a, b))


def sub(a, b):
    return tuple((u - v) % p for u, v in zip(a, b))


def neg(a):
    return tuple(-u % p for u in a)


def mul(a, b):
    c = [0] * 13
    for i, u in enumerate(a):
        if u:
            for j, v in enumerate(b):
                c[i + j] += u * v
    for i in range(12, 6, -1):  # z^i = 3 z^(i-6) + 5 z^(i-7)
        t = c[i]
        c[i - 6] += 3 * t
        c[i - 7] += 5 * t
    return tuple(u % p for u in c[:7])


def scale(a, n):
    return tuple(u * n % p for u in a)


def power(a, n):
    out = ONE
    for bit in bin(n)[2:]:
        out = mul(out, out)
        if bit == "1":
            out = mul(out, a)
    return out


def inv(a):
    """Extended Euclid on polynomials over F_p."""
    assert a != ZERO
    r0, r1 = [-5 % p, -3 % p, 0, 0, 0, 0, 0, 1], list(a)
    t0, t1 = [0], [1]
    while r1[-1] == 0:
        r1.pop()
    while len(r1) > 1:
        li = pow(r1[-1], -1, p)
        rem, quo = r0[:], [0] * (len(r0) - len(r1) + 1)
        for k in range(len(r0) - len(r1), -1, -1):
            c = rem[k + len(r1) - 1] * li % p
            quo[k] = c
            if c:
                for i, v in enumerate(r1):
                    rem[k + i] = (rem[k + i] - c * v) % p
        while rem and rem[-1] == 0:
            rem.pop()
        t2 = [0] * max(len(t0), len(quo) + len(t1) - 1)
        for i, v in enumerate(t0):
            t2[i] = v
        for i, u in enumerate(quo):
            for j, v in enumerate(t1):
                t2[i + j] = (t2[i + j] - u * v) % p
        r0, r1, t0, t1 = r1, rem, t1, t2
    c = pow(r1[0], -1, p)
    t1 = (t1 + [0] * 7)[:7]
    return tuple(c * v % p for v in t1)


ODD = (q - 1) >> 24  # q - 1 = 2^24 * odd
assert ODD & 1
ROOT24 = power((3,) + (0,) * 6, ODD)  # 3 is no square in F_p, nor in K (odd degree): of order 2^24


def is_root(y):
    """The first non-zero coefficient is at most (p - 1)/2."""
    for c in y:
        if c:
            return c <= (p - 1) // 2
    return True


def sqrt(a):
    """The canonical root, or None. Tonelli-Shanks."""
    if a == ZERO:
        return ZERO
    h = power(a, (ODD - 1) // 2)
    x = mul(a, h)  # a^((ODD+1)/2)
    b = mul(x, h)  # a^ODD
    g, m = ROOT24, 24
    while b != ONE:
        k, t = 0, b
        while t != ONE:
            t = mul(t, t)
            k += 1
        if k == m or (m == 24 and k >= 24):
            return None
        w = g
        for _ in range(m - k - 1):
            w = mul(w, w)
        g = mul(w, w)
        x, b, m = mul(x, w), mul(b, g), k
    assert mul(x, x) == a
    return x if is_root(x) else neg(x)


# ---------------------------------------------------------------- curve y^2 = x^3 + 45x + 41z^3; the identity is None
A4 = 45
B = (0, 0, 0, 41, 0, 0, 0)


def rhs(x, a=A4, b=B):
    return add(add(mul(mul(x, x), x), scale(x, a)), b)


def on_curve(x, y):
    return mul(y, y) == rhs(x)


def pneg(P):
    return None if P is None else (P[0], neg(P[1]))


def padd(P, Q):
    if P is None:
        return Q
    if Q is None:
        return P
    (x1, y1), (x2, y2) = P, Q
    if x1 == x2:
        if y1 != y2 or y1 == ZERO:
            return None
        lam = mul(add(scale(mul(x1, x1), 3), (A4,) + (0,) * 6), inv(scale(y1, 2)))
    else:
        lam = mul(sub(y2, y1), inv(sub(x2, x1)))
    x3 = sub(sub(mul(lam, lam), x1), x2)
    return x3, sub(mul(lam, sub(x1, x3)), y1)


def pmul(n, P):
    out = None
    for bit in bin(n)[2:]:
        out = padd(out, out)
        if bit == "1":
            out = padd(out, P)
    return out


def lift_x(x):
    y = sqrt(rhs(x))
    return None if y is None else (x, y)


G = ((0x1414213, 0x5623730, 0x9504880, 0x1688724, 0x2096980, 0x7856967, 0x1875376),
     (2020310104, 1513506566, 1843922297, 2003644209, 805967281, 1882435203, 1623804682))
DIGEST_START = ((0x1732050, 0x8075688, 0x7729352, 0x7446341, 0x5058723, 0x6694280, 0x5253810),
                (1095433104, 7540207, 1124564165, 2035506693, 11121645, 102781365, 398772161))
DUMMY = ((0x2718281 + 2**24, 0x8284590, 0x4523536, 0x0287471, 0x3526624, 0x9775724, 0x7093699),
         (1250555984, 1592495468, 656721246, 420301347, 2125819749, 819876460, 17687681))
for P_ in (G, DIGEST_START, DUMMY):
    assert on_curve(*P_)
GPOW = [G]
for _ in range(255):
    GPOW.append(padd(GPOW[-1], GPOW[-1]))


def gmul(n):
    out = None
    for i in range(n.bit_length()):
        if n >> i & 1:
            out = padd(out, GPOW[i])
    return out


assert gmul(r) is None and gmul(r - 1) == pneg(G)


# ---------------------------------------------------------------- bytes
def cbytes(x):
    return b"".join(c.to_bytes(4, "little") for c in x)


def comp(P):
    return bytes(29) if P is None else bytes([2 if is_root(P[1]) else 3]) + cbytes(P[0])


def unc(P):
    return bytes(57) if P is None else b"\x04" + cbytes(P[0]) + cbytes(P[1])


class Bad(Exception):
    pass


def coordinate(b):
    c = tuple(int.from_bytes(b[i:i + 4], "little") for i in range(0, 28, 4))
    if any(v >= p for v in c):
        raise Bad("coefficient")
    return c


def decode(b):
    if len(b) not in (29, 57):
        raise Bad("length")
    tag, rest = b[0], b[1:]
    if tag == 0:
        if any(rest):
            raise Bad("identity")
        return None
    if len(b) == 29:
        if tag not in (2, 3):
            raise Bad("tag")
        P = lift_x(coordinate(rest))
        if P is None:
            raise Bad("no point")
        return P if tag == 2 else pneg(P)
    if tag != 4:
        raise Bad("tag")
    x, y = coordinate(rest[:28]), coordinate(rest[28:])
    if not on_curve(x, y):
        raise Bad("off curve")
    return x, y


# ---------------------------------------------------------------- Schnorr
def sha(b):
    return hashlib.sha256(b).digest()


def digest(Rx, Ax, m):
    return sha(cbytes(Rx) + cbytes(Ax) + sha(m))


def challenge(Rx, Ax, m):
    return int.from_bytes(digest(Rx, Ax, m), "big") % r


def relation(R, A, s, e):
    return padd(gmul(s), pmul(e, A)) == R


def verify(pk, m, sig):
    """Why the signature is refused, or None."""
    try:
        A = decode(pk)
    except Bad as why:
        return f"key: {why}"
    if A is None:
        return "key: identity"
    if len(sig) != 61:
        return "length"
    try:
        R = decode(sig[:29])
    except Bad as why:
        return f"R: {why}"
    if R is None:
        return "R: identity"
    s = int.from_bytes(sig[29:], "big")
    if s >= r:
        return "s"
    return None if relation(R, A, s, challenge(R[0], A[0], m)) else "mismatch"


def sbytes(s):
    return s.to_bytes(32, "big")


def seeded(*label):
    """A number in [1, r) from a label."""
    return int.from_bytes(hashlib.sha512("/".join(map(str, label)).encode()).digest(), "big") % (r - 1) + 1


def seeded_field(*label):
    out, n = [], 0
    while len(out) < 7:
        v = int.from_bytes(sha(("/".join(map(str, label)) + f"#{n}").encode())[:4], "big") & 0x7fffffff
        n += 1
        if v < p:
            out.append(v)
    return tuple(out)


# ---------------------------------------------------------------- the x of a given y: a root of X^3 + 45X + (b - y^2)
def pol_trim(f):
    while f and f[-1] == ZERO:
        f.pop()
    return f


def pol_mod(f, g):
    f, li = f[:], inv(g[-1])
    while len(f) >= len(g):
        c = mul(f[-1], li)
        k = len(f) - len(g)
        for i, v in enumerate(g):
            f[k + i] = sub(f[k + i], mul(c, v))
        assert f[-1] == ZERO
        pol_trim(f)
    return f


def x_of_y(y):
    """The x if exactly one point has this y, else None."""
    c0 = sub(B, mul(y, y))
    f = [c0, (A4,) + (0,) * 6, ZERO, ONE]
    h = [ZERO, ONE]
    for bit in bin(q)[3:]:
        s_ = [ZERO] * (2 * len(h) - 1)
        for i, u in enumerate(h):
            for j, v in enumerate(h):
                s_[i + j] = add(s_[i + j], mul(u, v))
        if bit == "1":
            s_ = [ZERO] + s_
        h = pol_mod(pol_trim(s_), f)
    h = h + [ZERO] * (2 - len(h))
    h[1] = sub(h[1], ONE)
    a, b = f, pol_trim(h)
    while b:
        a, b = b, pol_mod(a, b)
    if len(a) != 2:
        return None
    x = neg(mul(a[0], inv(a[1])))
    assert rhs(x) == mul(y, y)
    return x


# ---------------------------------------------------------------- the tests
NOTES = {
    "Normal": "An ordinary valid input.",
    "Identity": "The identity. Its only encodings are 29 or 57 zero bytes; it is no public key and no part of a signature.",
    "XZero": "The points with x = 0 are ordinary points of the curve (41z^3 is a square); x = 0 does not mean identity, the first byte 0 does.",
    "SignBoundary": "The first non-zero coefficient of y is (p-1)/2 (first byte 2) or (p+1)/2 (first byte 3), possibly after zeros (in place 6 one step further inside: (p-1)/2 times z^6 is not the y of exactly one point).",
    "SpecialRoot": "y^2 is a root of unity in F_p of 2-power order: the extreme cases of Tonelli-Shanks.",
    "SparseX": "x has coefficients at the ends of their range.",
    "WrongTag": "The first byte is none that a point of this length has.",
    "WrongLength": "Neither 29 nor 57 bytes (a signature: not 61).",
    "NonCanonicalCoefficient": "A coefficient is replaced by another 32-bit number of the same residue, at least p. A decoder that reduces accepts it.",
    "CoefficientRange": "A coefficient is not below p and its residue gives no point either.",
    "NoSuchX": "No point of the curve has this x: it is the x of a point of the quadratic twist.",
    "OffCurve": "The coordinates are canonical and not those of a point of the curve.",
    "InvalidCurve": "A point of another curve with the same a: the addition formulas do not see b.",
    "SmallOrder": "A point of small order on another curve with the same a.",
    "Twist": "A point of the quadratic twist.",
    "IdentityNotZero": "The first byte says identity and another byte is not zero.",
    "Endianness": "Bytes or coefficients in the wrong order.",
    "OtherPoint": "Still a valid encoding, of another point.",
    "Range": "A number next to or far from the order r.",
    "LimbComparison": "Differs from r in one 32-bit limb, lower limbs all ones or all zeros: finds comparisons that look at limbs in the wrong order.",
    "SpecialKey": "An honest signature by a key with a special secret (public key a small multiple of G or of G/2).",
    "SpecialNonce": "An honest signature with a special nonce, possibly R = A or R = -A.",
    "SpecialMessage": "A message that is empty, long, not ASCII or has NUL bytes.",
    "SpecialDigest": "The SHA-256 value or the challenge e has leading or trailing zeros or ones.",
    "SmallS": "s has leading zeros beyond those of every number below r.",
    "XOnlyChallenge": "The SHA-256 challenge sees only the x of R and A: (-R, r-s) is a valid signature under -A.",
    "SignCombination": "Only some of R, A, s are negated.",
    "ModifiedMessage": "The message differs from the signed one.",
    "WrongKey": "The public key is not the signer's.",
    "ModifiedR": "R differs from that of a valid signature.",
    "ModifiedS": "s is below r and differs from that of a valid signature.",
    "ScalarNotReduced": "s is not below r. Where it is congruent to the valid s the signature would be malleable.",
    "WrongSigningEquation": "Signed honestly but with another equation.",
    "WrongChallenge": "Signed honestly but with a challenge that is hashed or read in another way.",
    "EquivalentComputation": "Computed in another way that gives the same signature.",
    "UniversalForgery": "Needs no secret: accepted by a verifier that does not refuse, or wrongly assumes, the identity.",
    "KeyEncoding": "The public key is no strict encoding of a point; everything else is a valid signature.",
    "REncoding": "R is no strict compressed encoding of a point; the rest belongs to a valid signature.",
    "NotMade": "No test: e = 0 (a rogue key) needs a preimage of 0 mod r under SHA-256 and cannot be made; nor can a valid signature with chosen s (0, 1, r-1) or with s*G = +-e*A, because e depends on R and A, nor one with R or A of unknown discrete logarithm such as x = 0.",
}
groups = {"PointDecode": [], "ScalarDecode": [], "SchnorrVerify": []}
seen = set()
dropped = []


def fresh(key, comment):
    if key in seen:
        dropped.append(comment)
        return False
    seen.add(key)
    return True


def reduced(b):
    """b with each coefficient of its points reduced modulo p; anything after 57 or 29 bytes stays."""
    n = 57 if len(b) == 57 else 29
    words = [int.from_bytes(b[i:i + 4], "little") % p for i in range(1, n, 4)]
    return b[:1] + b"".join(w.to_bytes(4, "little") for w in words) + b[n:]


def accepted(f, *args):
    try:
        f(*args)
        return True
    except Bad:
        return False


def pt(comment, flags, enc, expect, point=0):
    """expect: True/False; point: the expected point of a valid one, if given."""
    try:
        P, ok = decode(enc), True
    except Bad:
        P, ok = None, False
    assert ok == expect, (comment, enc.hex(), ok)
    assert point == 0 or P == point, comment
    if ok:
        assert (comp(P) if len(enc) == 29 else unc(P)) == enc, comment
        assert P is None or on_curve(*P)
    if "NonCanonicalCoefficient" in flags or "CoefficientRange" in flags:
        assert accepted(decode, reduced(enc)) == ("NonCanonicalCoefficient" in flags), comment
    if not fresh(("p", enc), comment):
        return
    t = {"comment": comment, "flags": flags, "encoding": enc.hex(), "result": "valid" if ok else "invalid"}
    if ok:
        t["point"] = None if P is None else {"x": list(P[0]), "y": list(P[1])}
    groups["PointDecode"].append(t)


def sc(comment, flags, n, expect):
    assert (n < r) == expect and 0 <= n < 2**256, comment
    if fresh(("s", n), comment):
        groups["ScalarDecode"].append({"comment": comment, "flags": flags, "encoding": sbytes(n).hex(),
                                       "result": "valid" if n < r else "invalid"})


def sv(comment, flags, pk, m, sig, expect, why=None):
    got = verify(pk, m, sig)
    assert (got is None) == expect, (comment, got)
    assert why is None or got == why, (comment, got)
    if "NonCanonicalCoefficient" in flags:
        assert verify(reduced(pk), m, reduced(sig)) is None, comment
    if fresh(("v", pk, m, sig), comment):
        groups["SchnorrVerify"].append({"comment": comment, "flags": flags, "public_key": pk.hex(), "message": m.hex(),
                                        "signature": sig.hex(), "result": "invalid" if got else "valid"})


def put(b, at, value):
    return b[:at] + value.to_bytes(4, "little") + b[at + 4:]


def point_tests():
    T = lift_x(ZERO)
    assert T is not None
    g2 = padd(G, G)
    # Valid ones
    named = [("G", G), ("2G", g2), ("3G", padd(g2, G)), ("the digest start", DIGEST_START), ("the dummy", DUMMY)]
    for name, P in named:
        for sign, Q in (("", P), ("minus ", pneg(P))):
            pt(f"{sign}{name}, compressed", ["Normal"], comp(Q), True, Q)
            pt(f"{sign}{name}, uncompressed", ["Normal"], unc(Q), True, Q)
    for i in range(3):
        n = seeded("large", i)
        Q = gmul(n)
        pt(f"a large multiple of G, no. {i}, compressed", ["Normal"], comp(Q), True, Q)
        pt(f"a large multiple of G, no. {i}, uncompressed", ["Normal"], unc(Q), True, Q)
    for name, n in (("(r-1)/2 times G", (r - 1) // 2), ("(r+1)/2 times G", (r + 1) // 2), ("2^216 times G", 2**216)):
        pt(f"{name}, compressed", ["Normal"], comp(gmul(n)), True, gmul(n))
    pt("the identity, compressed", ["Identity"], bytes(29), True, None)
    pt("the identity, uncompressed", ["Identity"], bytes(57), True, None)
    pt("the point with x = 0 and the canonical root: the compressed identity with first byte 2 is this point", ["XZero"], b"\x02" + bytes(28), True, T)
    pt("the point with x = 0 and the other root: the compressed identity with first byte 3 is this point", ["XZero"], b"\x03" + bytes(28), True, pneg(T))
    pt("the point with x = 0 and the canonical root, uncompressed", ["XZero"], unc(T), True, T)
    pt("the point with x = 0 and the other root, uncompressed", ["XZero"], unc(pneg(T)), True, pneg(T))
    # The sign rule
    half = (p - 1) // 2
    for i in range(7):
        n = 0
        while True:
            tail = seeded_field("sign", i, n)
            y = (0,) * i + (half - (n if i == 6 else 0),) + tail[i + 1:]
            x = x_of_y(y)
            if x is not None:
                break
            n += 1
        P = (x, y)
        what = "(p-1)/2" if y[i] == half else f"(p-1)/2-{half - y[i]}"
        pt(f"the first non-zero coefficient of y is no. {i} and is {what}: first byte 2", ["SignBoundary"], b"\x02" + cbytes(x), True, P)
        pt(f"its negative, first non-zero coefficient of y no. {i}: first byte 3", ["SignBoundary"], b"\x03" + cbytes(x), True, pneg(P))
        pt(f"the first non-zero coefficient of y is no. {i} and is {what}, uncompressed", ["SignBoundary"], unc(P), True, P)
    # y in F_p of order 2^k
    for k in (0, 1, 2, 3, 23, 24):
        w = pow(3, (p - 1) >> 24, p)
        base = pow(w, 1 << (24 - k), p)
        for n in range(1, 64, 2):
            y = (pow(base, n, p),) + (0,) * 6
            x = x_of_y(y)
            if x is not None:
                pt(f"y is a number in F_p of order 2^{k}, compressed", ["SpecialRoot"], comp((x, y)), True, (x, y))
                break
            if k < 2:
                break
    # Sparse x
    def first(make):
        for n in range(100):
            x = make(n)
            P = lift_x(x)
            if P is not None:
                return P
        raise AssertionError
    sparse = [("x = n, the least n > 0 that has a point", lambda n: (n + 1,) + (0,) * 6),
              ("x = -n, the least n > 0 that has a point", lambda n: (p - 1 - n,) + (0,) * 6),
              ("x = n z^6, the least n > 0 that has a point", lambda n: (0,) * 6 + (n + 1,)),
              ("all coefficients of x are p-1 but the first, the largest that has a point", lambda n: (p - 1 - n,) + (p - 1,) * 6),
              ("all coefficients of x are p-1 but the last, the largest that has a point", lambda n: (p - 1,) * 6 + (p - 1 - n,)),
              ("x_0 = 2^31 mod p + n", lambda n: (2**31 - p + n,) + (0,) * 6),
              ("x = z n", lambda n: (0, n + 1) + (0,) * 5)]
    for name, make in sparse:
        P = first(make)
        pt(f"{name}, compressed", ["SparseX"], comp(P), True, P)
        pt(f"{name}, compressed, other sign", ["SparseX"], comp(pneg(P)), True, pneg(P))
    # First bytes
    for tag in list(range(8)) + [16, 64, 127, 128, 130, 255]:
        for what, enc in (("compressed G", comp(G)), ("uncompressed G", unc(G))):
            bad = bytes([tag]) + enc[1:]
            ok = tag in ((2, 3) if len(enc) == 29 else (4,))
            pt(f"{what} with first byte {tag}", ["Normal"] if ok else ["IdentityNotZero" if tag == 0 else "WrongTag"], bad, ok)
    for tag in (6, 7):
        Q = g2
        good = tag - 4 == comp(Q)[0]
        pt(f"uncompressed 2G with first byte {tag}: hybrid form of SEC 1 with the {'right' if good else 'wrong'} sign", ["WrongTag"], bytes([tag]) + unc(Q)[1:], False)
    for tag in (1, 4, 5, 128, 255):
        pt(f"the compressed identity with first byte {tag}", ["WrongTag", "Identity"], bytes([tag]) + bytes(28), False)
    for tag in (1, 2, 3, 6, 255):
        pt(f"the uncompressed identity with first byte {tag}", ["WrongTag", "Identity"], bytes([tag]) + bytes(56), False)
    pt("(0,0) with first byte 4: the identity of memory layouts is not on the curve", ["OffCurve", "Identity"], b"\x04" + bytes(56), False)
    # Lengths
    for n in list(range(0, 61)) + [100]:
        if n in (29, 57):
            continue
        if n < 29:
            pt(f"compressed G, cut to {n} bytes", ["WrongLength"], comp(G)[:n], False)
        elif n < 57 and n % 2:
            pt(f"uncompressed G, cut to {n} bytes", ["WrongLength"], unc(G)[:n], False)
        elif n < 57:
            pt(f"compressed G, extended by zeros to {n} bytes", ["WrongLength"], comp(G) + bytes(n - 29), False)
        else:
            pt(f"uncompressed G, extended by zeros to {n} bytes", ["WrongLength"], unc(G) + bytes(n - 57), False)
    for n in (1, 28, 30, 56, 58):
        pt(f"the identity as {n} zero bytes" + (" (its form in SEC 1)" if n == 1 else ""), ["WrongLength", "Identity"], bytes(n), False)
    pt("G without the first byte, compressed", ["WrongLength"], comp(G)[1:], False)
    pt("G without the first byte, uncompressed", ["WrongLength"], unc(G)[1:], False)
    pt("compressed G with a zero byte before it", ["WrongLength"], b"\0" + comp(G), False)
    pt("uncompressed G with a zero byte before it", ["WrongLength"], b"\0" + unc(G), False)
    pt("compressed G twice", ["WrongLength"], comp(G) * 2, False)
    # Coefficients: another number of the same residue
    top = 2**32 - 1 - 2 * p
    for value, bad, name in ((0, p, "p instead of 0"), (1, p + 1, "p+1 instead of 1"), (0, 2 * p, "2p instead of 0"), (top, 2**32 - 1, "2^32-1 instead of its residue")):
        for i in range(7):
            n = 0
            while True:
                x = seeded_field("x", i, value, n)
                x = x[:i] + (value,) + x[i + 1:]
                P = lift_x(x)
                if P is not None:
                    break
                n += 1
            if bad == p:
                pt(f"x has coefficient no. {i} = 0, compressed", ["SparseX"], comp(P), True, P)
            pt(f"compressed, coefficient {i} of x is {name}", ["NonCanonicalCoefficient"], put(comp(P), 1 + 4 * i, bad), False)
            if bad == 2 * p:
                continue
            pt(f"uncompressed, coefficient {i} of x is {name}", ["NonCanonicalCoefficient"], put(unc(P), 1 + 4 * i, bad), False)
            n = 0
            while True:
                y = seeded_field("y", i, value, n)
                y = y[:i] + (value,) + y[i + 1:]
                x = x_of_y(y)
                if x is not None:
                    break
                n += 1
            P = (x, y)
            if bad == p:
                pt(f"y has coefficient no. {i} = 0, uncompressed", ["Normal"], unc(P), True, P)
            pt(f"uncompressed, coefficient {i} of y is {name}", ["NonCanonicalCoefficient"], put(unc(P), 29 + 4 * i, bad), False)
    for i in range(7):
        pt(f"compressed G, p added to coefficient {i} of x", ["NonCanonicalCoefficient"], put(comp(G), 1 + 4 * i, G[0][i] + p), False)
        pt(f"uncompressed G, p added to coefficient {i} of x", ["NonCanonicalCoefficient"], put(unc(G), 1 + 4 * i, G[0][i] + p), False)
        pt(f"uncompressed G, p added to coefficient {i} of y", ["NonCanonicalCoefficient"], put(unc(G), 29 + 4 * i, G[1][i] + p), False)
    pt("compressed G, 2p added to coefficient 0 of x", ["NonCanonicalCoefficient"], put(comp(G), 1, G[0][0] + 2 * p), False)
    pt("compressed point x = 0, all coefficients p", ["NonCanonicalCoefficient", "XZero"], b"\x02" + p.to_bytes(4, "little") * 7, False)
    for i in range(7):
        pt(f"the compressed point x = 0 with coefficient {i} = p", ["NonCanonicalCoefficient", "XZero"], put(b"\x03" + bytes(28), 1 + 4 * i, p), False)
    for i in (0, 3, 6):
        pt(f"the compressed identity with coefficient {i} = p", ["IdentityNotZero", "Identity"], put(bytes(29), 1 + 4 * i, p), False)
        pt(f"the uncompressed identity with coefficient {i} of y = p", ["IdentityNotZero", "Identity"], put(bytes(57), 29 + 4 * i, p), False)
        pt(f"uncompressed G with coefficient {i} of y = 2^32-1, whose residue gives no point", ["CoefficientRange"], put(unc(G), 29 + 4 * i, 2**32 - 1), False)
        pt(f"uncompressed G with coefficient {i} of x = 2^31, whose residue gives no point", ["CoefficientRange"], put(unc(G), 1 + 4 * i, 2**31), False)
    pt("compressed, all 28 bytes of x are 255", ["CoefficientRange"], b"\x02" + b"\xff" * 28, False)
    # The identity with a byte that is not zero
    for at, v in ((1, 1), (2, 128), (4, 1), (5, 255), (14, 1), (16, 2), (27, 1), (28, 1), (28, 128)):
        b = bytearray(29)
        b[at] = v
        pt(f"the compressed identity with byte {at} = {v}", ["IdentityNotZero", "Identity"], bytes(b), False)
    for at, v in ((1, 1), (4, 1), (28, 1), (29, 1), (30, 128), (42, 255), (53, 1), (55, 1), (56, 1), (56, 128)):
        b = bytearray(57)
        b[at] = v
        pt(f"the uncompressed identity with byte {at} = {v}", ["IdentityNotZero", "Identity"], bytes(b), False)
    pt("the uncompressed identity with the y of the point x = 0", ["IdentityNotZero", "XZero"], b"\0" + unc(T)[1:], False)
    # No point has this x
    count, n = 0, 0
    while count < 4:
        x = seeded_field("nox", n)
        n += 1
        if lift_x(x) is None:
            for tag in (2, 3):
                pt(f"no point has this x (no. {count}), first byte {tag}", ["NoSuchX"], bytes([tag]) + cbytes(x), False)
            count += 1
    for i in range(7):
        d = 1
        while lift_x(G[0][:i] + ((G[0][i] + d) % p,) + G[0][i + 1:]) is not None:
            d += 1
        x = G[0][:i] + ((G[0][i] + d) % p,) + G[0][i + 1:]
        pt(f"compressed G with {d} added to coefficient {i} of x: no such point", ["NoSuchX"], bytes([comp(G)[0]]) + cbytes(x), False)
    n = 1
    while lift_x((n,) + (0,) * 6) is not None:
        n += 1
    pt(f"x = {n} has no point", ["NoSuchX"], b"\x02" + cbytes((n,) + (0,) * 6), False)
    # y
    for i in range(7):
        y = G[1][:i] + ((G[1][i] + 1) % p,) + G[1][i + 1:]
        pt(f"G with 1 added to coefficient {i} of y", ["OffCurve"], unc((G[0], y)), False)
        y = G[1][:i] + (-G[1][i] % p,) + G[1][i + 1:]
        pt(f"G with coefficient {i} of y negated", ["OffCurve"], unc((G[0], y)), False)
        x = G[0][:i] + ((G[0][i] - 1) % p,) + G[0][i + 1:]
        pt(f"G with 1 subtracted from coefficient {i} of x", ["OffCurve"], unc((x, G[1])), False)
    pt("the x of G with the y of 2G", ["OffCurve"], unc((G[0], g2[1])), False)
    pt("the x of 2G with the y of G", ["OffCurve"], unc((g2[0], G[1])), False)
    pt("the x of the digest start with the y of the dummy", ["OffCurve"], unc((DIGEST_START[0], DUMMY[1])), False)
    pt("the dummy with y negated", ["OtherPoint"], unc(pneg(DUMMY)), True, pneg(DUMMY))
    Q = gmul(seeded("other"))
    pt("a point, uncompressed", ["Normal"], unc(Q), True, Q)
    pt("that point with y negated", ["OtherPoint"], unc((Q[0], neg(Q[1]))), True, pneg(Q))
    pt("that point with the first byte of the compressed form flipped", ["OtherPoint"], bytes([comp(Q)[0] ^ 1]) + comp(Q)[1:], True, pneg(Q))
    pt("G with y = 0", ["OffCurve"], unc((G[0], ZERO)), False)
    pt("G with x = 0", ["OffCurve"], unc((ZERO, G[1])), False)
    pt("x of G, y twice that of G", ["OffCurve"], unc((G[0], scale(G[1], 2))), False)
    pt("G with x and y swapped", ["OffCurve"], unc((G[1], G[0])), False)
    pt("2G with x and y swapped", ["OffCurve"], unc((g2[1], g2[0])), False)
    pt("the y of the point x = 0 taken for its x", ["OffCurve"], unc((T[1], ZERO)), False)
    # Byte orders
    be = lambda x: b"".join(c.to_bytes(4, "big") for c in x)
    pt("G with big-endian coefficients", ["Endianness"], b"\x04" + be(G[0]) + be(G[1]), False)
    pt("G with big-endian coefficients, compressed", ["Endianness"], bytes([comp(G)[0]]) + be(G[0]), False)
    pt("G with big-endian coefficients of y only", ["Endianness"], b"\x04" + cbytes(G[0]) + be(G[1]), False)
    pt("G with coefficients high degree first", ["Endianness"], unc((G[0][::-1], G[1][::-1])), False)
    pt("G with the bytes of x and of y reversed", ["Endianness"], b"\x04" + cbytes(G[0])[::-1] + cbytes(G[1])[::-1], False)
    pt("uncompressed G, all 57 bytes reversed", ["Endianness"], unc(G)[::-1], False)
    pt("G with the first byte last, uncompressed", ["Endianness"], unc(G)[1:] + b"\x04", False)
    pt("G with the first byte last, compressed", ["Endianness"], comp(G)[1:] + comp(G)[:1], False)
    n = 0
    while True:
        Q = gmul(seeded("rev", n))
        n += 1
        if lift_x(Q[0][::-1]) is None:
            break
    pt("a compressed point with coefficients high degree first: no such x", ["Endianness", "NoSuchX"], bytes([comp(Q)[0]]) + cbytes(Q[0][::-1]), False)
    # The twist and other curves
    n3 = 3
    count, n = 0, 0
    while count < 3:
        x = seeded_field("twist", n)
        n += 1
        if lift_x(x) is None:
            y = sqrt(scale(rhs(x), pow(n3, -1, p)))
            assert scale(mul(y, y), n3) == rhs(x)
            pt(f"a point (x,y) of the twist 3y^2 = x^3 + 45x + 41z^3, no. {count}", ["Twist", "OffCurve"], unc((x, y)), False)
            X, Y = scale(x, n3), scale(y, n3 * n3)
            assert mul(Y, Y) == rhs(X, A4 * 9, scale(B, 27))
            pt(f"the same point of the twist as y^2 = x^3 + 405x + 1107z^3, no. {count}", ["Twist", "OffCurve"], unc((X, Y)), False)
            count += 1
    def on_other(x, b, name, flags=("InvalidCurve", "OffCurve")):
        y = sqrt(rhs(x, A4, b))
        if y is None or b == B:
            return False
        assert mul(y, y) == rhs(x, A4, b)
        pt(name, list(flags), unc((x, y)), False)
        return True
    others = [("b' = 41z^3 + 1", add(B, ONE)), ("b' = 0", ZERO), ("b' = 41", (41,) + (0,) * 6), ("b' = -41z^3", neg(B)),
              ("b' = 41z^2", (0, 0, 41, 0, 0, 0, 0)), ("b' = 41z^4", (0, 0, 0, 0, 41, 0, 0)), ("a random b'", seeded_field("b'"))]
    for name, b in others:
        n = 0
        while not on_other(seeded_field("inv", name, n), b, f"a point of y^2 = x^3 + 45x + b', {name}"):
            n += 1
    fx, fy = power(G[0], p), power(G[1], p)
    assert mul(fy, fy) == rhs(fx, A4, power(B, p))
    pt("the Frobenius image of G, on the conjugate curve", ["InvalidCurve", "OffCurve"], unc((fx, fy)), False)
    n = 0
    while True:
        x = seeded_field("a'", n)
        y = sqrt(rhs(x, 44))
        n += 1
        if y is not None:
            break
    pt("a point of y^2 = x^3 + 44x + 41z^3: another a", ["OffCurve"], unc((x, y)), False)
    for i in range(2):
        x = seeded_field("order2", i)
        pt(f"a point with y = 0: of order 2 on y^2 = x^3 + 45x + b', no. {i}", ["InvalidCurve", "SmallOrder", "OffCurve"], unc((x, ZERO)), False)
    count, n = 0, 0
    while count < 2:  # 3x^4 + 6ax^2 + 12b'x - a^2 = 0
        x = seeded_field("order3", n)
        n += 1
        x2 = mul(x, x)
        b = mul(sub(sub((A4 * A4,) + (0,) * 6, scale(mul(x2, x2), 3)), scale(x2, 6 * A4)), inv(scale(x, 12)))
        y = sqrt(rhs(x, A4, b))
        if y is not None:
            P = (x, y)
            assert padd(P, P) == pneg(P)
            pt(f"a point of order 3 on y^2 = x^3 + 45x + b', no. {count}", ["InvalidCurve", "SmallOrder", "OffCurve"], unc(P), False)
            count += 1
    x0 = sqrt((-15 % p,) + (0,) * 6)
    if x0 is not None:
        b = neg(add(mul(mul(x0, x0), x0), scale(x0, A4)))
        pt("the node of the singular curve y^2 = x^3 + 45x + b'", ["InvalidCurve", "OffCurve"], unc((x0, ZERO)), False)
        n = 0
        while not on_other(seeded_field("node", n), b, "a smooth point of the singular curve y^2 = x^3 + 45x + b'"):
            n += 1


def scalar_tests():
    ok = [("0", 0), ("1", 1), ("2", 2), ("r-1", r - 1), ("r-2", r - 2), ("(r-1)/2", (r - 1) // 2), ("(r+1)/2", (r + 1) // 2), ("2^216", 2**216), ("2^216-1", 2**216 - 1), ("2^128", 2**128), ("2^64-1", 2**64 - 1), ("p^7, a little below r", q)]
    for name, n in ok:
        sc(name, ["Normal" if n in (1, 2) else "Range"], n, True)
    bad = [("r", r), ("r+1", r + 1), ("2r-1", 2 * r - 1), ("2r", 2 * r), ("2r+1", 2 * r + 1), ("3r", 3 * r), ("2^217-1", 2**217 - 1), ("2^217", 2**217), ("2^217+1", 2**217 + 1),
           ("2^224", 2**224), ("2^255", 2**255), ("2^255+1", 2**255 + 1), ("2^256-1", 2**256 - 1), ("2^256-r", 2**256 - r), ("the largest multiple of r below 2^256", (2**256 - 1) // r * r),
           ("that plus 1", (2**256 - 1) // r * r + 1), ("2p^7, a little below 2r", 2 * q)]
    for name, n in bad:
        sc(name, ["Range"], n, False)
    for name, n in (("r-1", r - 1), ("1", 1), ("r", r)):
        sc(f"{name} with its 32 bytes reversed", ["Endianness"], int.from_bytes(sbytes(n), "little"), False)
    for i in range(4):
        sc(f"random, below r, no. {i}", ["Normal"], seeded("below", i), True)
        n = r + int.from_bytes(sha(f"above {i}".encode()), "big") % (2**256 - r)
        sc(f"random, at least r, no. {i}", ["Range"], n, False)
        sc(f"r plus a random number below r, no. {i}", ["Range"], r + seeded("plus", i), False)
    for j in range(8):
        w = 32 * j
        limb = r >> w & 0xffffffff
        high = r >> (w + 32) << (w + 32)
        if limb < 0xffffffff and w < 224:
            sc(f"r with 32-bit limb {j} one larger and the lower limbs zero", ["LimbComparison"], high + ((limb + 1) << w), False)
        if limb:
            sc(f"r with 32-bit limb {j} one smaller and the lower limbs all ones", ["LimbComparison"], high + ((limb - 1) << w) + (1 << w) - 1, True)
        sc(f"r-1 with bit {w + 31 if j else 0} flipped", ["LimbComparison"], (r - 1) ^ 1 << (w + 31 if j else 0), ((r - 1) ^ 1 << (w + 31 if j else 0)) < r)
    for bit in (217, 223, 224, 248, 255):
        sc(f"1 with bit {bit} set", ["Range"], 1 | 1 << bit, False)


def make(a, k, m, e=None, s=None):
    """An honest signature; e and s replace the rule: e(R, A, m) -> challenge, s(k, e, a)."""
    A, R = gmul(a), gmul(k)
    e = challenge(R[0], A[0], m) if e is None else e(R, A, m)
    s = (k - e * a) % r if s is None else s(k, e, a) % r
    return A, R, s


def enc(R, s):
    return comp(R) + sbytes(s)


def schnorr_tests():
    M = b"SELL 3 ETH"
    a1, k1 = seeded("key", 1), seeded("nonce", 1)
    # Honest ones
    messages = [("an ASCII message", M, "Normal"), ("the empty message", b"", "SpecialMessage"), ("one byte", b"x", "SpecialMessage"), ("one NUL byte", b"\0", "SpecialMessage"),
                ("NUL bytes inside and at the end", b"BUY\0 1\0\0", "SpecialMessage"), ("non-ASCII UTF-8", "Käufe: 5 € für Ωμέγα".encode(), "SpecialMessage"), ("not UTF-8", bytes([0xff, 0xfe, 0x80, 0xc0]), "SpecialMessage"),
                ("55 bytes", b"a" * 55, "SpecialMessage"), ("56 bytes", b"a" * 56, "SpecialMessage"), ("64 bytes", b"a" * 64, "SpecialMessage"), ("1024 bytes", bytes(i * 7 & 255 for i in range(1024)), "SpecialMessage")]
    for j in (1, 2, 3):
        for i, (name, m, flag) in enumerate(messages):
            if j > 1 and i > 1 + j:
                continue
            A, R, s = make(seeded("key", j), seeded("nonce", j, i), m)
            sv(f"key {j}, {name}", [flag], comp(A), m, enc(R, s), True)
            if i < 3:
                sv(f"key {j} uncompressed, {name}", [flag], unc(A), m, enc(R, s), True)
    special = [("1", 1), ("r-1", r - 1), ("2", 2), ("r-2", r - 2), ("3", 3), ("r-3", r - 3), ("(r+1)/2", (r + 1) // 2), ("(r-1)/2", (r - 1) // 2), ("2^108", 2**108), ("2^109-1", 2**109 - 1), ("2^216", 2**216)]
    for name, a in special:
        A, R, s = make(a, seeded("nonce for", name), M)
        sv(f"secret key {name}", ["SpecialKey"], comp(A), M, enc(R, s), True)
    for name, a in special[:4]:
        A, R, s = make(a, seeded("nonce for unc", name), M)
        sv(f"secret key {name}, key uncompressed", ["SpecialKey"], unc(A), M, enc(R, s), True)
        sv(f"secret key {name}, another message", ["ModifiedMessage", "SpecialKey"], comp(A), M + b"!", enc(R, s), False, "mismatch")
        sv(f"secret key {name}, the key negated", ["WrongKey", "SpecialKey"], comp(pneg(A)), M, enc(R, s), False, "mismatch")
    for name, k in special:
        A, R, s = make(a1, k, M)
        sv(f"nonce {name}", ["SpecialNonce"], comp(A), M, enc(R, s), True)
    A, R, s = make(a1, a1, M)
    assert R == A
    sv("nonce = secret key: R = A", ["SpecialNonce"], comp(A), M, enc(R, s), True)
    A, R, s = make(a1, r - a1, M)
    sv("nonce = -secret key: R = -A", ["SpecialNonce"], comp(A), M, enc(R, s), True)
    A, R, s = make(a1, 2 * a1 % r, M)
    sv("nonce = twice the secret key: R = 2A", ["SpecialNonce"], comp(A), M, enc(R, s), True)
    for an, a in special[:4]:
        for kn, k in special[:4]:
            A, R, s = make(a, k, M)
            sv(f"secret key {an}, nonce {kn}", ["SpecialKey", "SpecialNonce"], comp(A), M, enc(R, s), True)
    # Ground digests
    A, R = gmul(a1), gmul(k1)
    wanted = [("SpecialDigest", "the SHA-256 value begins with ffff", lambda h, e, s: h[:2] == b"\xff\xff"),
              ("SpecialDigest", "the SHA-256 value begins with 0000", lambda h, e, s: h[:2] == b"\0\0"),
              ("SpecialDigest", "the SHA-256 value ends with 0000", lambda h, e, s: h[-2:] == b"\0\0"),
              ("SpecialDigest", "the SHA-256 value ends with ffff", lambda h, e, s: h[-2:] == b"\xff\xff"),
              ("SpecialDigest", "e is below 2^201", lambda h, e, s: e < 2**201),
              ("SpecialDigest", "e is at least r - 2^201", lambda h, e, s: e >= r - 2**201),
              ("SpecialDigest", "e ends with 16 zero bits", lambda h, e, s: e % 2**16 == 0),
              ("SmallS", "s is below 2^201", lambda h, e, s: s < 2**201),
              ("SmallS", "s is at least r - 2^201", lambda h, e, s: s >= r - 2**201),
              ("SmallS", "s ends with 16 zero bits", lambda h, e, s: s % 2**16 == 0)]
    found, n = {}, 0
    head = cbytes(R[0]) + cbytes(A[0])
    while len(found) < len(wanted):
        m = b"grind %d" % n
        n += 1
        h = sha(head + sha(m))
        e = int.from_bytes(h, "big") % r
        s = (k1 - e * a1) % r
        for i, (_, _, test) in enumerate(wanted):
            if i not in found and test(h, e, s):
                found[i] = (m, s)
    for i, (flag, name, _) in enumerate(wanted):
        m, s = found[i]
        sv(f"{name}", [flag], comp(A), m, enc(R, s), True)
    # Tampered: the base
    A, R, s = make(a1, k1, M)
    pk, good = comp(A), enc(R, s)
    e1 = challenge(R[0], A[0], M)
    sv("the base of the tampered ones", ["Normal"], pk, M, good, True)
    sv("the base with the key uncompressed", ["Normal"], unc(A), M, good, True)
    for bit in (0, 1, 7, 8, 37, 8 * len(M) - 1):
        m = bytearray(M)
        m[bit // 8] ^= 1 << bit % 8
        sv(f"message bit {bit} flipped", ["ModifiedMessage"], pk, bytes(m), good, False, "mismatch")
    for name, m in (("NUL byte appended to the message", M + b"\0"), ("newline appended to the message", M + b"\n"), ("byte put before the message", b"\0" + M), ("last byte of the message removed", M[:-1]), ("first byte of the message removed", M[1:]),
                    ("the message is empty", b""), ("the message in lower case", M.lower()), ("the message twice", M + M), ("the SHA-256 of the message as the message", sha(M)), ("the message in hexadecimal", M.hex().encode()), ("the message in UTF-16", M.decode().encode("utf-16-le"))):
        sv(name, ["ModifiedMessage"], pk, m, good, False, "mismatch")
    nfc, nfd = "é".encode(), "e\u0301".encode()
    A_, R_, s_ = make(a1, seeded("nfc"), nfc)
    sv("the message is é as one code point", ["SpecialMessage"], comp(A_), nfc, enc(R_, s_), True)
    sv("the message is é as two code points, signed as one", ["ModifiedMessage"], comp(A_), nfd, enc(R_, s_), False, "mismatch")
    A_, R_, s_ = make(a1, seeded("empty"), b"")
    sv("a signature of the empty message, for a NUL byte", ["ModifiedMessage"], comp(A_), b"\0", enc(R_, s_), False, "mismatch")
    # Signs
    for base, (a, k) in (("the base", (a1, k1)), ("secret key 1", (1, seeded("signs"))), ("nonce 1", (seeded("signs key"), 1))):
        A_, R_, s_ = make(a, k, M)
        for bits in range(8):
            nr, na, ns = bits & 1, bits >> 1 & 1, bits >> 2
            what = " and ".join(n for n, b in (("R", nr), ("A", na), ("s", ns)) if b)
            ok = bits in (0, 7)
            sv(f"{base}" + (f" with {what} negated" if bits else ""), ["XOnlyChallenge" if bits == 7 else "SignCombination" if bits else "Normal"],
               comp(pneg(A_) if na else A_), M, enc(pneg(R_) if nr else R_, r - s_ if ns else s_), ok)
    sv("the base with R and A and s negated, key uncompressed", ["XOnlyChallenge"], unc(pneg(A)), M, enc(pneg(R), r - s), True)
    # Keys
    for name, K in (("another key", gmul(seeded("key", 2))), ("2A", padd(A, A)), ("A+G", padd(A, G)), ("A-G", padd(A, pneg(G))), ("G", G), ("-G", pneg(G)), ("2G", padd(G, G)), ("R", R), ("-R", pneg(R)),
                    ("the digest start", DIGEST_START), ("the dummy", DUMMY), ("the point x = 0", lift_x(ZERO)), ("e*A", pmul(e1, A))):
        sv(f"the key is {name}", ["WrongKey"], comp(K), M, good, False, "mismatch")
    # s
    values = [("s = 0", 0), ("s = 1", 1), ("s = r-1", r - 1), ("s + 1", (s + 1) % r), ("s - 1", (s - 1) % r), ("2s mod r", 2 * s % r), ("1/s mod r", pow(s, -1, r)), ("s = k", k1), ("s = e", e1), ("s = secret key", a1), ("s shifted right by one byte", s >> 8), ("s shifted right by one bit", s >> 1)]
    for name, v in values:
        sv(name, ["ModifiedS"], pk, M, enc(R, v), False, "mismatch")
    for bit in (0, 1, 7, 8, 31, 32, 63, 64, 100, 127, 128, 159, 160, 191, 192, 200, 215):
        v = s ^ 1 << bit
        if v < r:
            sv(f"s with bit {bit} flipped", ["ModifiedS"], pk, M, enc(R, v), False, "mismatch")
    for bit in (217, 218, 223, 224, 231, 248, 255):
        sv(f"s with bit {bit} set", ["ScalarNotReduced"], pk, M, enc(R, s | 1 << bit), False, "s")
    top = (2**256 - 1 - s) // r
    for name, n in (("r", 1), ("2r", 2), ("3r", 3), ("4r", 4), ("255r", 255), ("2^16 r", 2**16), ("2^32 r", 2**32), ("2^38 r", 2**38), ("the largest multiple of r that fits", top)):
        sv(f"s + {name}", ["ScalarNotReduced"], pk, M, enc(R, s + n * r), False, "s")
    small_m, small_s = found[7]
    sv("s + r where s is below 2^201", ["ScalarNotReduced"], pk, small_m, enc(R, small_s + r), False, "s")
    for name, v in (("s = r", r), ("s = r+1", r + 1), ("s = 2r", 2 * r), ("s = 2^217", 2**217), ("s = 2^255", 2**255), ("s = 2^256-1", 2**256 - 1), ("s = 2^256-s: two's complement", 2**256 - s),
                    ("s complemented", 2**256 - 1 - s), ("s = 2r-s", 2 * r - s), ("s byte-reversed", int.from_bytes(sbytes(s), "little")), ("s shifted left by four bytes", s << 32)):
        sv(name, ["ScalarNotReduced"] + (["Endianness"] if "reversed" in name else []), pk, M, enc(R, v), False, "s")
    limbs = lambda v, w: b"".join(sbytes(v)[i:i + w] for i in range(32 - w, -1, -w))
    for w in (4, 8):
        v = int.from_bytes(limbs(s, w), "big")
        sv(f"the {w * 8}-bit limbs of s in reversed order", ["ScalarNotReduced", "Endianness"], pk, M, enc(R, v), False)
    # R
    for name, Q in (("G", G), ("2R", padd(R, R)), ("R+G", padd(R, G)), ("R-G", padd(R, pneg(G))), ("A", A), ("-A", pneg(A)), ("s*G", gmul(s)), ("e*A", pmul(e1, A)), ("s*G - e*A", padd(gmul(s), pneg(pmul(e1, A)))), ("another nonce's", gmul(seeded("nonce", 2))), ("the point x = 0", lift_x(ZERO)), ("the other point x = 0", pneg(lift_x(ZERO)))):
        sv(f"R is {name}", ["ModifiedR"], pk, M, enc(Q, s), False, "mismatch")
    sv("R and A swapped", ["ModifiedR", "WrongKey"], comp(R), M, enc(A, s), False, "mismatch")
    # The signature of something else
    A2, R2, s2 = make(seeded("key", 2), seeded("nonce", 2, "x"), M)
    sv("a valid signature of the message by another key", ["WrongKey"], pk, M, enc(R2, s2), False, "mismatch")
    A3, R3, s3 = make(a1, seeded("nonce", 3, "x"), b"BUY 1 ETH")
    sv("a valid signature by the key, of another message", ["ModifiedMessage"], pk, M, enc(R3, s3), False, "mismatch")
    sv("R of a signature of another message, s of the right one", ["ModifiedR"], pk, M, enc(R3, s), False, "mismatch")
    sv("s of a signature of another message, R of the right one", ["ModifiedS"], pk, M, enc(R, s3), False, "mismatch")
    # Lengths of the signature
    tail = lambda n: good[:n]
    for n in (0, 1, 28, 29, 30, 32, 57, 59, 60):
        sv(f"the signature cut to {n} bytes", ["WrongLength"], pk, M, tail(n), False, "length")
    for ext in (b"\0", b"\x01", good[-1:], bytes(3), bytes(28), good):
        sv(f"the signature followed by {len(ext)} more byte(s), the first {ext[0]}", ["WrongLength"], pk, M, good + ext, False, "length")
    sv("a zero byte before the signature", ["WrongLength"], pk, M, b"\0" + good, False, "length")
    sv("R uncompressed in the signature", ["WrongLength"], pk, M, unc(R) + sbytes(s), False, "length")
    sv("R without its first byte", ["WrongLength"], pk, M, good[1:], False, "length")
    sv("s without its four leading zero bytes", ["WrongLength"], pk, M, comp(R) + sbytes(s)[4:], False, "length")
    sv("s before R", ["REncoding"], pk, M, sbytes(s) + comp(R), False)
    sv("e and s instead of R and s, 64 bytes", ["WrongLength"], pk, M, sbytes(e1) + sbytes(s), False, "length")
    sv("the signature all zero", ["Identity"], pk, M, bytes(61), False, "R: identity")
    # Encodings of R
    for tag in (0, 1, 4, 5, 6, 7, 130, 255):
        sv(f"R with first byte {tag}", ["REncoding"], pk, M, bytes([tag]) + good[1:], False, "R: identity" if tag == 0 and not any(good[1:29]) else None)
    for i in range(7):
        sv(f"R with p added to coefficient {i} of x", ["REncoding", "NonCanonicalCoefficient"], pk, M, put(good, 1 + 4 * i, R[0][i] + p), False, "R: coefficient")
    n = 0
    while lift_x(((R[0][0] + n) % p,) + R[0][1:]) is not None:
        n += 1
    sv("R with an x that no point has", ["REncoding", "NoSuchX"], pk, M, put(good, 1, (R[0][0] + n) % p), False, "R: no point")
    sv("R with big-endian coefficients", ["REncoding", "Endianness"], pk, M, good[:1] + b"".join(c.to_bytes(4, "big") for c in R[0]) + good[29:], False)
    sv("R with coefficients high degree first", ["REncoding", "Endianness"], pk, M, good[:1] + cbytes(R[0][::-1]) + good[29:], False)
    # Nonce 1: R = G, 2p fits
    A_, R_, s_ = make(a1, 1, M)
    sv("R = G with 2p added to coefficient 0 of x", ["REncoding", "NonCanonicalCoefficient"], pk, M, put(enc(R_, s_), 1, G[0][0] + 2 * p), False, "R: coefficient")
    sv("R = G, for another message", ["ModifiedMessage", "SpecialNonce"], pk, M + b"?", enc(R_, s_), False, "mismatch")
    # Encodings of the key
    for name, b in (("empty", b""), ("one zero byte", b"\0"), ("cut to 28 bytes", pk[:28]), ("without its first byte", pk[1:]), ("followed by a zero byte", pk + b"\0"), ("uncompressed, cut to 56 bytes", unc(A)[:56]), ("uncompressed, without its first byte", unc(A)[1:]), ("uncompressed, followed by a zero byte", unc(A) + b"\0")):
        sv(f"the key {name}", ["KeyEncoding", "WrongLength"], b, M, good, False, "key: length")
    for tag in (1, 4, 5, 6, 7, 255):
        sv(f"the key compressed with first byte {tag}", ["KeyEncoding", "WrongTag"], bytes([tag]) + pk[1:], M, good, False, "key: tag")
    for tag in (1, 2, 3, 5, 6, 7):
        sv(f"the key uncompressed with first byte {tag}", ["KeyEncoding", "WrongTag"], bytes([tag]) + unc(A)[1:], M, good, False, "key: tag")
    sv("the key compressed with first byte 0", ["KeyEncoding", "IdentityNotZero"], b"\0" + pk[1:], M, good, False, "key: identity")
    sv("the key uncompressed with first byte 0", ["KeyEncoding", "IdentityNotZero"], b"\0" + unc(A)[1:], M, good, False, "key: identity")
    for i in range(7):
        sv(f"the key with p added to coefficient {i} of x, compressed", ["KeyEncoding", "NonCanonicalCoefficient"], put(pk, 1 + 4 * i, A[0][i] + p), M, good, False, "key: coefficient")
    for i in (0, 6):
        sv(f"the key with p added to coefficient {i} of x, uncompressed", ["KeyEncoding", "NonCanonicalCoefficient"], put(unc(A), 1 + 4 * i, A[0][i] + p), M, good, False, "key: coefficient")
        sv(f"the key with p added to coefficient {i} of y, uncompressed", ["KeyEncoding", "NonCanonicalCoefficient"], put(unc(A), 29 + 4 * i, A[1][i] + p), M, good, False, "key: coefficient")
    n = 0
    while lift_x(((A[0][0] + n) % p,) + A[0][1:]) is not None:
        n += 1
    sv("the key with an x that no point has", ["KeyEncoding", "NoSuchX"], put(pk, 1, (A[0][0] + n) % p), M, good, False, "key: no point")
    y = ((A[1][0] + 1) % p,) + A[1][1:]
    sv("the key with 1 added to coefficient 0 of y", ["KeyEncoding", "OffCurve"], unc((A[0], y)), M, good, False, "key: off curve")
    sv("the key with y = 0", ["KeyEncoding", "OffCurve", "InvalidCurve", "SmallOrder"], unc((A[0], ZERO)), M, good, False, "key: off curve")
    sv("the key with the y of R", ["KeyEncoding", "OffCurve"], unc((A[0], R[1])), M, good, False, "key: off curve")
    sv("the key with x and y swapped", ["KeyEncoding", "OffCurve"], unc((A[1], A[0])), M, good, False, "key: off curve")
    # A of order 2 or 3 on another curve: the formulas need no b, and e*A is the identity whenever 2 or 3 divides e
    x = seeded_field("rogue2")
    n = 0
    while True:
        k = seeded("rogue2", n)
        Rr = gmul(k)
        if challenge(Rr[0], x, M) % 2 == 0:
            break
        n += 1
    assert relation(Rr, (x, ZERO), k, challenge(Rr[0], x, M))
    sv("forged: the key has order 2 on another curve and 2 divides e, so e*A vanishes and s*G = R", ["KeyEncoding", "InvalidCurve", "SmallOrder", "UniversalForgery"], unc((x, ZERO)), M, enc(Rr, k), False, "key: off curve")
    n = 0
    while True:
        x = seeded_field("rogue3", n)
        x2 = mul(x, x)
        b = mul(sub(sub((A4 * A4,) + (0,) * 6, scale(mul(x2, x2), 3)), scale(x2, 6 * A4)), inv(scale(x, 12)))
        y = sqrt(rhs(x, A4, b))
        if y is not None:
            break
        n += 1
    n = 0
    while True:
        k = seeded("rogue3", n)
        Rr = gmul(k)
        if challenge(Rr[0], x, M) % 3 == 0:
            break
        n += 1
    assert relation(Rr, (x, y), k, challenge(Rr[0], x, M))
    sv("forged: the key has order 3 on another curve and 3 divides e, so e*A vanishes and s*G = R", ["KeyEncoding", "InvalidCurve", "SmallOrder", "UniversalForgery"], unc((x, y)), M, enc(Rr, k), False, "key: off curve")
    # The identity
    k = seeded("universal")
    Rr = gmul(k)
    for n_, b in ((29, bytes(29)), (57, bytes(57))):
        assert relation(Rr, None, k, challenge(Rr[0], ZERO, M))
        sv(f"forged: the key is the identity ({n_} bytes) and R = s*G", ["UniversalForgery", "Identity"], b, M, enc(Rr, k), False, "key: identity")
    sv("forged: the key is (0,0) with first byte 4 and R = s*G", ["UniversalForgery", "KeyEncoding", "OffCurve"], b"\x04" + bytes(56), M, enc(Rr, k), False, "key: off curve")
    for tag in (2, 3):
        sv(f"forged: the key is the point x = 0 (first byte {tag}), taken for the identity, and R = s*G", ["UniversalForgery", "XZero"], bytes([tag]) + bytes(28), M, enc(Rr, k), False, "mismatch")
    sv("key, R and s are zero", ["UniversalForgery", "Identity"], bytes(29), M, bytes(61), False, "key: identity")
    e0 = challenge(ZERO, A[0], M)
    s0 = -e0 * a1 % r
    assert relation(None, A, s0, e0)
    sv("R is the identity and s*G + e*A = R holds (nonce 0)", ["Identity"], pk, M, bytes(29) + sbytes(s0), False, "R: identity")
    for tag in (2, 3):
        sv(f"s*G + e*A is the identity, R the point x = 0 (first byte {tag})", ["XZero", "ModifiedR"], pk, M, bytes([tag]) + bytes(28) + sbytes(s0), False, "mismatch")
    sv("the base with the key replaced by the identity", ["Identity", "WrongKey"], bytes(29), M, good, False, "key: identity")
    sv("the base with R replaced by the identity", ["Identity", "ModifiedR"], pk, M, bytes(29) + sbytes(s), False, "R: identity")
    # No key needed if e did not depend on R: choose s, e first
    s_f = seeded("weak s")
    e_f = int.from_bytes(sha(cbytes(A[0]) + sha(M)), "big") % r
    R_f = padd(gmul(s_f), pmul(e_f, A))
    sv("forged for a challenge that does not hash R: R = s*G + e*A with e = SHA-256(A.x || SHA-256(message))", ["WrongChallenge"], pk, M, enc(R_f, s_f), False, "mismatch")
    e_f = int.from_bytes(sha(M), "big") % r
    R_f = padd(gmul(s_f), pmul(e_f, A))
    sv("forged for the challenge SHA-256(message)", ["WrongChallenge"], pk, M, enc(R_f, s_f), False, "mismatch")
    # Wrong signers
    equations = [("s = k + e*a", lambda k, e, a: k + e * a), ("s = e*a - k", lambda k, e, a: e * a - k), ("s = e*k - a", lambda k, e, a: e * k - a), ("s = k - a", lambda k, e, a: k - a),
                 ("s = (k - e*a) / 2", lambda k, e, a: (k - e * a) * pow(2, -1, r)), ("s = (e + a*k)/k: ECDSA-like", lambda k, e, a: (e + a * k) * pow(k, -1, r)), ("s = k - e^2*a", lambda k, e, a: k - e * e * a), ("s = a - e*k: key and nonce exchanged", lambda k, e, a: a - e * k)]
    for name, f in equations:
        A_, R_, s_ = make(a1, k1, M, s=f)
        sv(f"signed with {name}", ["WrongSigningEquation"], pk, M, enc(R_, s_), False, "mismatch")
    big = lambda h: int.from_bytes(h, "big")
    beb = lambda x: b"".join(c.to_bytes(4, "big") for c in x)
    X = lambda P: cbytes(P[0])
    challenges = [("e read little-endian", lambda R, A, m: int.from_bytes(digest(R[0], A[0], m), "little")),
                  ("e over the compressed points", lambda R, A, m: big(sha(comp(R) + comp(A) + sha(m)))),
                  ("e over the uncompressed points", lambda R, A, m: big(sha(unc(R) + unc(A) + sha(m)))),
                  ("e over x and y of both points", lambda R, A, m: big(sha(X(R) + cbytes(R[1]) + X(A) + cbytes(A[1]) + sha(m)))),
                  ("e over the message instead of its hash", lambda R, A, m: big(sha(X(R) + X(A) + m))),
                  ("e over the double hash of the message", lambda R, A, m: big(sha(X(R) + X(A) + sha(sha(m))))),
                  ("e over A.x before R.x", lambda R, A, m: big(sha(X(A) + X(R) + sha(m)))),
                  ("e over the hash of the message first", lambda R, A, m: big(sha(sha(m) + X(R) + X(A)))),
                  ("e without A.x", lambda R, A, m: big(sha(X(R) + sha(m)))),
                  ("e without R.x", lambda R, A, m: big(sha(X(A) + sha(m)))),
                  ("e without the message", lambda R, A, m: big(sha(X(R) + X(A)))),
                  ("e over the hash of the message in hexadecimal", lambda R, A, m: big(sha(X(R) + X(A) + sha(m).hex().encode()))),
                  ("e over big-endian coefficients", lambda R, A, m: big(sha(beb(R[0]) + beb(A[0]) + sha(m)))),
                  ("e over coefficients high degree first", lambda R, A, m: big(sha(cbytes(R[0][::-1]) + cbytes(A[0][::-1]) + sha(m)))),
                  ("e hashed with SHA-512", lambda R, A, m: big(hashlib.sha512(X(R) + X(A) + sha(m)).digest())),
                  ("e hashed with SHA3-256", lambda R, A, m: big(hashlib.sha3_256(X(R) + X(A) + sha(m)).digest())),
                  ("e hashed twice", lambda R, A, m: big(sha(digest(R[0], A[0], m)))),
                  ("the message hashed with SHA-512", lambda R, A, m: big(sha(X(R) + X(A) + hashlib.sha512(m).digest()))),
                  ("e cut to its upper 217 bits, as ECDSA does", lambda R, A, m: big(digest(R[0], A[0], m)) >> 39),
                  ("e cut to its lower 217 bits", lambda R, A, m: big(digest(R[0], A[0], m)) % 2**217),
                  ("e cut to its lower 128 bits", lambda R, A, m: big(digest(R[0], A[0], m)) % 2**128),
                  ("e reduced modulo p^7 first", lambda R, A, m: big(digest(R[0], A[0], m)) % q),
                  ("coefficients in Montgomery form", lambda R, A, m: big(sha(cbytes(scale(R[0], 2**32)) + cbytes(scale(A[0], 2**32)) + sha(m))))]
    for name, f in challenges:
        A_, R_, s_ = make(a1, k1, M, e=f)
        sv(f"signed with {name}", ["WrongChallenge"], pk, M, enc(R_, s_), False, "mismatch")
    k = seeded("unreduced")
    A_, R_, s_ = make(a1, k, M, e=lambda R, A, m: big(digest(R[0], A[0], m)))
    assert s_ == make(a1, k, M)[2]
    sv("signed with e not reduced modulo r: the same s", ["EquivalentComputation"], pk, M, enc(R_, s_), True)
    k = seeded("negative")
    Rn = pneg(gmul(k))
    sv("nonce negated before signing (R = -k*G, s = -k - e*a)", ["EquivalentComputation"], pk, M, enc(Rn, (-k - challenge(Rn[0], A[0], M) * a1) % r), True)
    sv("nonce negated after R was made (R = k*G, s = -k - e*a): s*G + e*A = -R", ["SignCombination"], pk, M, enc(gmul(k), (-k - challenge(Rn[0], A[0], M) * a1) % r), False, "mismatch")


def build():
    point_tests()
    scalar_tests()
    schnorr_tests()
    n = 0
    out = []
    used = {}
    for kind, tests in groups.items():
        numbered = []
        for t in tests:
            n += 1
            numbered.append({"tcId": n, **t})
            for f in t["flags"]:
                assert f in NOTES, f
                used.setdefault(kind, {}).setdefault(f, 0)
                used[kind][f] += 1
        g = {"type": kind}
        if kind == "SchnorrVerify":
            g["hash"] = "sha256"
        g["tests"] = numbered
        out.append(g)
    every = {f for u in used.values() for f in u}
    assert every == set(NOTES) - {"NotMade"}, set(NOTES) - every
    dump = lambda v: json.dumps(v, separators=(",", ":"), ensure_ascii=True)
    lines = ['{"algorithm":"SepticSchnorr","generator":"make_negative.py","numberOfTests":%d,"notes":{' % n]
    lines.append(",\n".join(f"{dump(k)}:{dump(v)}" for k, v in NOTES.items()) + "},")
    parts = []
    for g in out:
        head = dump({k: v for k, v in g.items() if k != "tests"})[:-1]
        parts.append(head + ',"tests":[\n' + ",\n".join(dump(t) for t in g["tests"]) + "]}")
    lines.append('"testGroups":[\n' + ",\n".join(parts) + "]}")
    text = "\n".join(lines) + "\n"
    back = json.loads(text)
    assert back == {"algorithm": "SepticSchnorr", "generator": "make_negative.py", "numberOfTests": n, "notes": NOTES, "testGroups": out}
    return text, out, used


def check(orders, vectors=None):
    data = json.load(open(orders))["signatures"]
    for i, t in enumerate(data):
        a, k, s, e = (int(t[n], 16) for n in ("secret_key", "nonce", "s", "e"))
        A, R = ((tuple(t[n]["x"]), tuple(t[n]["y"])) for n in ("public_key", "R"))
        m = t["message"].encode()
        assert make(a, k, m) == (A, R, s) and challenge(R[0], A[0], m) == e, i
        sig = enc(R, s)
        assert verify(comp(A), m, sig) is None and verify(unc(A), m, sig) is None, i
        assert verify(comp(A), m + b"x", sig) == "mismatch", i
        assert pmul(a, G) == A and padd(gmul(s), pmul(e, A)) == R, i
    print(f"{len(data)} public signatures: made again bit for bit and verified")
    if vectors is None:
        return
    P = lambda v: None if v is None else (tuple(v["x"]), tuple(v["y"]))
    done = {}
    for c in json.load(open(vectors))["cases"]:
        op = c["op"]
        if op == "field_mul":
            ok = list(mul(c["a"], c["b"])) == c["out"]
        elif op == "field_inv":
            ok = c["out"] is None or list(inv(tuple(c["a"]))) == c["out"]
        elif op == "field_sqrt":
            w = sqrt(tuple(c["a"]))
            ok = w is None if c["out"] is None else list(w) in c["out"] and (is_root(w))
        elif op == "add":
            ok = padd(P(c["p"]), P(c["q"])) == P(c["out"])
        elif op == "double":
            ok = padd(P(c["p"]), P(c["p"])) == P(c["out"])
        elif op == "scalar_mul":
            ok = pmul(int(c["s"], 16), P(c["p"])) == P(c["out"])
        elif op == "verify":
            ok = padd(gmul(int(c["s"], 16)), pmul(int(c["e"], 16), P(c["a"]))) == P(c["out"])
        else:
            continue
        assert ok, c
        done[op] = done.get(op, 0) + 1
    print("PARI/GP cases:", done)


def main():
    args = sys.argv[1:]
    if len(args) in (2, 3) and args[0] == "--check":
        check(*args[1:])
        return
    if len(args) != 1:
        sys.exit(__doc__)
    text, out, used = build()
    with open(args[0], "w", newline="\n") as f:
        f.write(text)
    print(f"{len(text)} bytes, {sum(len(g['tests']) for g in out)} tests; inputs met twice and left out: {len(dropped)}")
    for c in dropped:
        print("  left out:", c)
    for g in out:
        valid = sum(t["result"] == "valid" for t in g["tests"])
        print(f"{g['type']}: {len(g['tests'])} ({valid} valid, {len(g['tests']) - valid} invalid)")
        for f, c in sorted(used[g["type"]].items()):
            print(f"  {f}: {c}")


main()
