#!/usr/bin/env python3
"""Makes negative_vectors.json: encodings of points and numbers and Schnorr signatures, valid and not, in the shape of Wycheproof's
files. An oracle: it shares nothing with the crates. Every test that is not valid differs from a valid one in what its comment says.

    python3 tests/data/make_negative.py > tests/data/negative_vectors.json

The same each time, after some minutes. First the 64 signatures of schnorr_orders.json are checked with the code below.
"""

import hashlib
import json
import pathlib

# The field, the curve ---------------------------------------------------------------------------------------------------------

P = 2**31 - 2**24 + 1
R = 199372529839252601278447397890876471698671718266839763841250021879
N = 7  # z^7 = 3z + 5
ZERO, ONE = (0,) * N, (1,) + (0,) * (N - 1)


def add(a, b):
    return tuple((x + y) % P for x, y in zip(a, b))


def neg(a):
    return tuple(-x % P for x in a)


def sub(a, b):
    return add(a, neg(b))


def mul(a, b):
    wide = [0] * (2 * N - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            wide[i + j] += x * y
    for k in range(2 * N - 2, N - 1, -1):
        wide[k - 6] += 3 * wide[k]
        wide[k - 7] += 5 * wide[k]
    return tuple(x % P for x in wide[:N])


def power(a, n):
    out = ONE
    while n:
        if n & 1:
            out = mul(out, a)
        a = mul(a, a)
        n >>= 1
    return out


Q = P**N


def inverse(a):
    assert a != ZERO
    return power(a, Q - 2)


NON_RESIDUE = (3,) + ZERO[1:]
assert power(NON_RESIDUE, (Q - 1) // 2) == neg(ONE)
TWO_ADICITY = ((Q - 1) & -(Q - 1)).bit_length() - 1
ODD = (Q - 1) >> TWO_ADICITY


def square_root(a):
    """A root or None: Tonelli and Shanks."""
    if a == ZERO:
        return ZERO
    if power(a, (Q - 1) // 2) != ONE:
        return None
    m, c, t, r = TWO_ADICITY, power(NON_RESIDUE, ODD), power(a, ODD), power(a, (ODD + 1) // 2)
    while t != ONE:
        i, s = 0, t
        while s != ONE:
            s, i = mul(s, s), i + 1
        b = c
        for _ in range(m - i - 1):
            b = mul(b, b)
        m, c = i, mul(b, b)
        t, r = mul(t, c), mul(r, b)
    return r


def is_canonical_root(y):
    return next((c for c in y if c), 0) <= (P - 1) // 2


A = (45,) + ZERO[1:]
B = (0, 0, 0, 41, 0, 0, 0)


def right_hand_side(x, b=B):
    return add(mul(add(mul(x, x), A), x), b)


def on_curve(point):
    x, y = point
    return mul(y, y) == right_hand_side(x)


def lift(x, b=B):
    """The point whose y is the canonical root, or None."""
    y = square_root(right_hand_side(x, b))
    return y and (x, y if is_canonical_root(y) else neg(y))


def negative(p):
    return p and (p[0], neg(p[1]))


def plus(p, q):
    """The group law; None is the identity."""
    if p is None or q is None:
        return p or q
    if p == negative(q):
        return None
    (x1, y1), (x2, y2) = p, q
    if p == q:
        slope = mul(add(mul(mul(x1, x1), (3,) + ZERO[1:]), A), inverse(add(y1, y1)))
    else:
        slope = mul(sub(y2, y1), inverse(sub(x2, x1)))
    x = sub(sub(mul(slope, slope), x1), x2)
    return x, sub(mul(slope, sub(x1, x)), y1)


def times(n, p):
    out = None
    while n:
        if n & 1:
            out = plus(out, p)
        p = plus(p, p)
        n >>= 1
    return out


G = (
    (0x1414213, 0x5623730, 0x9504880, 0x1688724, 0x2096980, 0x7856967, 0x1875376),
    (2020310104, 1513506566, 1843922297, 2003644209, 805967281, 1882435203, 1623804682),
)
DIGEST_START = (
    (0x1732050, 0x8075688, 0x7729352, 0x7446341, 0x5058723, 0x6694280, 0x5253810),
    (1095433104, 7540207, 1124564165, 2035506693, 11121645, 102781365, 398772161),
)
assert on_curve(G) and on_curve(DIGEST_START) and times(R, G) is None

# Encodings --------------------------------------------------------------------------------------------------------------------


def limbs(x, order="little"):
    return b"".join(c.to_bytes(4, order) for c in x)


def compressed(p):
    return bytes(29) if p is None else bytes([2 if is_canonical_root(p[1]) else 3]) + limbs(p[0])


def uncompressed(p):
    return bytes(57) if p is None else b"\x04" + limbs(p[0]) + limbs(p[1])


def coordinates(data):
    x = tuple(int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4))
    return x if all(c < P for c in x) else None


def decode(data):
    """Whether these bytes are a point, and which."""
    if len(data) not in (29, 57):
        return False, None
    if data[0] == 0:
        return not any(data), None
    if len(data) == 29 and data[0] in (2, 3):
        x = coordinates(data[1:])
        p = x and lift(x)
        return p is not None, p if p is None or data[0] == 2 else negative(p)
    if len(data) == 57 and data[0] == 4:
        p = coordinates(data[1:29]), coordinates(data[29:])
        return None not in p and on_curve(p), p
    return False, None


# Signatures -------------------------------------------------------------------------------------------------------------------


def challenge(r, a, message):
    digest = hashlib.sha256(message).digest()
    return int.from_bytes(hashlib.sha256(limbs(r[0]) + limbs(a[0]) + digest).digest(), "big") % R


def scalar_bytes(s):
    return s.to_bytes(32, "big")


def sign(secret, nonce, message):
    a, r = times(secret, G), times(nonce, G)
    return r, (nonce - challenge(r, a, message) * secret) % R


def verifies(key, message, signature):
    ok, a = decode(key)
    if not ok or a is None or len(signature) != 61:
        return False
    ok, r = decode(signature[:29])
    s = int.from_bytes(signature[29:], "big")
    if not ok or r is None or s >= R:
        return False
    return plus(times(s, G), times(challenge(r, a, message), a)) == r


def check_public_signatures():
    path = pathlib.Path(__file__).with_name("schnorr_orders.json")
    for order in json.loads(path.read_text())["signatures"]:
        number = lambda field: int(order[field], 16)
        point = lambda field: (tuple(order[field]["x"]), tuple(order[field]["y"]))
        message = order["message"].encode()
        r, s = sign(number("secret_key"), number("nonce"), message)
        assert (r, s) == (point("R"), number("s")) and times(number("secret_key"), G) == point("public_key")
        assert verifies(compressed(point("public_key")), message, compressed(r) + scalar_bytes(s))


# The tests --------------------------------------------------------------------------------------------------------------------

NOTES = {
    "Valid": "Nothing is wrong.",
    "Boundary": "The first or last value that is accepted or refused.",
    "Identity": "The neutral element: a point with an encoding of its own, no public key and no part of a signature.",
    "InvalidCurve": "Coordinates of a point of another curve, whose group may have small subgroups.",
    "InvalidLength": "Bytes are missing or left over.",
    "InvalidTag": "The first byte says nothing that is known, or something that the length contradicts.",
    "Malleability": "A second encoding of something valid.",
    "NonCanonical": "A coefficient is not below p, or a number not below r.",
    "NotOnCurve": "There is no point with these coordinates.",
    "RelatedKey": "The key or R is a small multiple of the generator or of each other: exceptional cases of addition formulas.",
    "Tampered": "A valid signature of something else.",
    "WrongEquation": "What an implementation with another equation or hash would make. A signature with e = 0 cannot be made: e is a hash.",
    "XOnlyChallenge": "Valid, since the challenge hashes x only: the negatives of a signature's R and s under the negative key.",
    "XZero": "x = 0 is a point of the curve like any other; only all zeros mean the identity.",
}


def number(text):
    """A number below r without a pattern."""
    return int.from_bytes(hashlib.sha512(text.encode()).digest(), "big") % R


def points():
    x_zero = lift(ZERO)
    large = times(number("large"), G)
    named = [("G", G), ("2G", plus(G, G)), ("a large multiple", large), ("the start of digests", DIGEST_START)]
    out = []

    def test(comment, flag, data):
        valid, point = decode(data)
        if valid and flag == "InvalidTag":
            flag = "Valid"  # Tags 2 and 3 say which of two points.
        out.append((comment, flag, {"encoding": data.hex()}, valid))
        if valid:
            out[-1][2]["point"] = point and {"x": list(point[0]), "y": list(point[1])}

    for form, encode in [("compressed", compressed), ("uncompressed", uncompressed)]:
        for name, p in named:
            test(f"{form}: {name}", "Valid", encode(p))
            test(f"{form}: the negative of {name}", "Valid", encode(negative(p)))
        test(f"{form}: x = 0", "XZero", encode(x_zero))
        test(f"{form}: x = 0, the other root", "XZero", encode(negative(x_zero)))
        test(f"{form}: the identity", "Identity", encode(None))
        for tag in [0, 1, 2, 3, 4, 5, 6, 7, 16, 64, 127, 128, 130, 255]:
            body = encode(large)
            if tag != body[0]:
                test(f"{form}: first byte {tag}", "InvalidTag", bytes([tag]) + body[1:])
        for position in (1, 4, 5, 28, len(encode(None)) - 1):
            body = bytearray(encode(None))
            body[position] = 1
            test(f"{form}: first byte of the identity, byte {position} is 1", "Identity", bytes(body))
        for name, p in [("G", G), ("the identity", None)]:
            body = encode(p)
            for length in [0, 1, 2, 28, len(body) - 1, len(body) + 1, len(body) + 4, 2 * len(body)]:
                if length not in (29, 57):
                    test(f"{form}: {name} in {length} bytes", "InvalidLength", (body * 2)[:length])
        for name, p in named[:2]:
            for index in range((len(encode(p)) - 1) // 4):
                body = encode(p)
                at = 1 + 4 * index
                original = int.from_bytes(body[at : at + 4], "little")
                values = [("p", P), ("2^32 - 1", 2**32 - 1)] if name == "G" else []
                for what, value in values + [("its value + p", original + P)]:
                    if value < 2**32:
                        changed = body[:at] + value.to_bytes(4, "little") + body[at + 4 :]
                        test(f"{form}: coefficient {index} of {name} is {what}", "NonCanonical", changed)
        test(f"{form}: big-endian coefficients", "NonCanonical", encode(G)[:1] + limbs(G[0], "big") + (limbs(G[1], "big") if form == "uncompressed" else b""))
    off = [x for x in ((k,) + G[0][1:] for k in range(1, 20)) if lift(x) is None][:6]
    for x in off:
        test(f"compressed: no point has this x ({x[0]}, …)", "NotOnCurve", b"\x02" + limbs(x))
        test(f"compressed: the other root, no point has this x ({x[0]}, …)", "NotOnCurve", b"\x03" + limbs(x))
    for index in range(N):
        y = tuple((c + (i == index)) % P for i, c in enumerate(G[1]))
        test(f"uncompressed: coefficient {index} of y is one more", "NotOnCurve", uncompressed((G[0], y)))
    test("uncompressed: y of another point", "NotOnCurve", uncompressed((G[0], DIGEST_START[1])))
    test("uncompressed: x and y exchanged", "NotOnCurve", uncompressed((G[1], G[0])))
    test("uncompressed: y is 0", "NotOnCurve", uncompressed((G[0], ZERO)))
    test("uncompressed: all coefficients 0, not the identity's first byte", "XZero", b"\x04" + bytes(56))
    test("uncompressed: all coefficients 1", "NotOnCurve", uncompressed(((1,) * N, (1,) * N)))
    for k in range(1, 6):
        b = (0, 0, 0, 41 + k, 0, 0, 0)
        p = next(filter(None, (lift((j,) + ZERO[1:], b) for j in range(1, 50))))
        test(f"uncompressed: a point of y^2 = x^3 + 45x + {41 + k}z^3", "InvalidCurve", uncompressed(p))
    x = (7, 7) + ZERO[2:]
    test("uncompressed: a point of order 2 of another curve, y = 0", "InvalidCurve", uncompressed((x, ZERO)))
    # The twist d·y² = x³ + 45x + 41z³: x of E's complement, y of a root of d times the right-hand side.
    twisted = square_root(mul(NON_RESIDUE, right_hand_side(off[0])))
    test("uncompressed: a point of the quadratic twist", "InvalidCurve", uncompressed((off[0], twisted)))
    return out


def scalars():
    out = []

    def test(comment, flag, data):
        out.append((comment, flag, {"encoding": data.hex()}, int.from_bytes(data, "big") < R))

    for k in [0, 1, 2, 2**216, R // 2, R - 2, R - 1]:
        test(f"{k:#x}", "Boundary", scalar_bytes(k))
    for k in range(6):
        test("a number below r", "Valid", scalar_bytes(number(f"scalar {k}")))
    for name, k in [("r", R), ("r + 1", R + 1), ("2r - 1", 2 * R - 1), ("2r", 2 * R), ("2^256 - 1", 2**256 - 1)]:
        test(name, "Boundary", scalar_bytes(k))
    for bits in range(217, 256, 3):
        test(f"2^{bits}", "NonCanonical", scalar_bytes(2**bits))
    for k in range(4):
        value = number(f"scalar {k}")
        test("a number below r, plus r", "Malleability", scalar_bytes(value + R))
        test("a number below r, bytes reversed", "NonCanonical", scalar_bytes(value)[::-1])
    return out


def signatures():
    out = []

    def test(comment, flag, key, message, signature):
        fields = {"public_key": key.hex(), "message": message.hex(), "signature": signature.hex()}
        out.append((comment, flag, fields, verifies(key, message, signature)))

    def encode(r, s):
        return compressed(r) + scalar_bytes(s)

    messages = [b"", b"a", b"ETH/USDC:BUY:1334224:100", "żółć 🦀".encode(), b"\0\0\0", bytes(range(256)) * 2]
    for i, message in enumerate(messages):
        secret, nonce = number(f"secret {i}"), number(f"nonce {i}")
        r, s = sign(secret, nonce, message)
        test(f"message {i}", "Valid", compressed(times(secret, G)), message, encode(r, s))
        test(f"message {i}, the key uncompressed", "Valid", uncompressed(times(secret, G)), message, encode(r, s))

    message, secret, nonce = messages[2], number("secret"), number("nonce")
    a = times(secret, G)
    r, s = sign(secret, nonce, message)
    e = challenge(r, a, message)
    key, good = compressed(a), encode(r, s)
    test("what the following are made from", "Valid", key, message, good)

    for i in [0, 7, len(message) - 1]:
        changed = bytes(c ^ (j == i) for j, c in enumerate(message))
        test(f"bit 0 of byte {i} of the message", "Tampered", key, changed, good)
    for name, changed in [("is empty", b""), ("has a byte more", message + b"\0"), ("has a byte less", message[:-1])]:
        test(f"the message {name}", "Tampered", key, changed, good)
    test("the message's hash for the message", "Tampered", key, hashlib.sha256(message).digest(), good)
    for i in [0, 28] + list(range(29, 61, 4)):
        changed = bytes(c ^ (j == i) for j, c in enumerate(good))
        test(f"bit 0 of byte {i} of the signature", "Tampered", key, message, changed)
    other = times(number("other"), G)
    test("another key", "Tampered", compressed(other), message, good)
    test("R of another signature", "Tampered", key, message, encode(sign(secret, nonce + 1, message)[0], s))
    test("s of another signature", "Tampered", key, message, encode(r, sign(secret, nonce + 1, message)[1]))
    test("R and the key exchanged", "Tampered", compressed(r), message, encode(a, s))
    test("R negated", "Tampered", key, message, encode(negative(r), s))
    test("the key negated", "Tampered", compressed(negative(a)), message, good)
    test("s negated", "Tampered", key, message, encode(r, R - s))
    test("R, s and the key negated", "XOnlyChallenge", compressed(negative(a)), message, encode(negative(r), R - s))
    for value in [0, 1, R - 1]:
        test(f"s is {value if value < 2 else 'r - 1'}", "Boundary", key, message, encode(r, value))
    test("s is r", "NonCanonical", key, message, encode(r, R))
    for k in [1, 2, 3, 2**39 - 1]:
        if s + k * R < 2**256:
            test(f"s + {k}r", "Malleability", key, message, encode(r, s + k * R))
    test("s with its bytes reversed", "NonCanonical", key, message, compressed(r) + scalar_bytes(s)[::-1])
    test("s is 2^256 - 1", "NonCanonical", key, message, compressed(r) + b"\xff" * 32)
    # With R or the key the identity, equations hold that no secret is needed for.
    test("R is the identity", "Identity", key, message, compressed(None) + scalar_bytes(s))
    test("R is the identity, s = -e times the secret", "Identity", key, message, compressed(None) + scalar_bytes(-e * secret % R))
    test("the key is the identity, R = sG", "Identity", compressed(None), message, encode(times(s, G), s))
    test("the key is the identity, uncompressed", "Identity", uncompressed(None), message, encode(times(s, G), s))
    test("everything is zero", "Identity", compressed(None), message, bytes(61))
    test("the signature is zero", "Identity", key, message, bytes(61))
    for length in [0, 1, 29, 32, 60, 62, 89, 122]:
        test(f"the signature has {length} bytes", "InvalidLength", key, message, (good * 2)[:length])
    test("R uncompressed", "InvalidLength", key, message, uncompressed(r) + scalar_bytes(s))
    for length in [0, 1, 28, 30, 56, 58]:
        test(f"the key has {length} bytes", "InvalidLength", (key * 2)[:length], message, good)
    for tag in [0, 1, 4, 5, 255]:
        test(f"the key's first byte is {tag}", "InvalidTag", bytes([tag]) + key[1:], message, good)
        test(f"R's first byte is {tag}", "InvalidTag", key, message, bytes([tag]) + good[1:])
    for index in range(N):
        at = 1 + 4 * index
        if r[0][index] + P < 2**32:
            changed = good[:at] + (r[0][index] + P).to_bytes(4, "little") + good[at + 4 :]
            test(f"coefficient {index} of R.x plus p", "Malleability", key, message, changed)
        if a[0][index] + P < 2**32:
            changed = key[:at] + (a[0][index] + P).to_bytes(4, "little") + key[at + 4 :]
            test(f"coefficient {index} of the key's x plus p", "Malleability", changed, message, good)
    off = next(x for x in ((k,) + a[0][1:] for k in range(1, 50)) if lift(x) is None)
    test("the key's x is that of no point", "NotOnCurve", b"\x02" + limbs(off), message, good)
    test("R.x is that of no point", "NotOnCurve", key, message, b"\x02" + limbs(off) + good[29:])
    test("the key is off the curve", "NotOnCurve", uncompressed((a[0], add(a[1], ONE))), message, good)
    foreign = next(filter(None, (lift((j,) + ZERO[1:], (0, 0, 0, 42, 0, 0, 0)) for j in range(1, 50))))
    test("the key is a point of another curve", "InvalidCurve", uncompressed(foreign), message, good)

    # What other equations would make.
    test("s = k + e·a", "WrongEquation", key, message, encode(r, (nonce + e * secret) % R))
    test("s = e·a - k", "WrongEquation", key, message, encode(r, (e * secret - nonce) % R))
    test("s = k·e - a", "WrongEquation", key, message, encode(r, (nonce * e - secret) % R))
    digest = hashlib.sha256(message).digest()
    for name, data, order in [
        ("the challenge read little-endian", limbs(r[0]) + limbs(a[0]) + digest, "little"),
        ("the challenge over whole points", limbs(r[0]) + limbs(r[1]) + limbs(a[0]) + limbs(a[1]) + digest, "big"),
        ("the challenge without the key", limbs(r[0]) + digest, "big"),
        ("the challenge without R", limbs(a[0]) + digest, "big"),
        ("the challenge over the message, not its hash", limbs(r[0]) + limbs(a[0]) + message, "big"),
        ("the challenge with key before R", limbs(a[0]) + limbs(r[0]) + digest, "big"),
        ("the challenge over big-endian coefficients", limbs(r[0], "big") + limbs(a[0], "big") + digest, "big"),
        ("the challenge over compressed points", compressed(r) + compressed(a) + digest, "big"),
    ]:
        wrong = int.from_bytes(hashlib.sha256(data).digest(), order) % R
        test(name, "WrongEquation", key, message, encode(r, (nonce - wrong * secret) % R))

    # Honest signatures with related points.
    for name, related, k in [
        ("secret 1", 1, nonce), ("secret 2", 2, nonce), ("secret -1", R - 1, nonce), ("secret -2", R - 2, nonce),
        ("nonce 1", secret, 1), ("nonce -1", secret, R - 1), ("nonce 2", secret, 2), ("R = A", secret, secret),
        ("R = -A", secret, R - secret), ("R = 2A", secret, 2 * secret % R), ("secret and nonce 1", 1, 1),
        ("secret 1, nonce -1", 1, R - 1), ("secret 1/2", pow(2, -1, R), nonce), ("secret -1, nonce 2", R - 1, 2),
    ]:
        signature = sign(related, k, message)
        test(name, "RelatedKey", compressed(times(related, G)), message, encode(*signature))
        test(f"{name}, another message", "RelatedKey", compressed(times(related, G)), message + b".", encode(*signature))
    return out


def main():
    check_public_signatures()
    groups, count = [], 0
    for kind, tests in [("PointDecode", points()), ("ScalarDecode", scalars()), ("SchnorrVerify", signatures())]:
        listed = []
        for comment, flag, fields, valid in tests:
            count += 1
            result = "valid" if valid else "invalid"
            listed.append({"tcId": count, "comment": comment, "flags": [flag], **fields, "result": result})
        groups.append({"type": kind, "tests": listed})
    head = {"algorithm": "septic curve, Schnorr with SHA-256", "generator": "make_negative.py", "numberOfTests": count}
    lines = [json.dumps({**head, "notes": NOTES})[:-1] + ', "testGroups": [']
    for i, group in enumerate(groups):
        tests = ",\n".join(json.dumps(test) for test in group["tests"])
        lines.append(f'{{"type": "{group["type"]}", "tests": [\n{tests}\n]}}' + ("," if i + 1 < len(groups) else ""))
    print("\n".join(lines) + "\n]}")


if __name__ == "__main__":
    main()
