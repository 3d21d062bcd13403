//! # VERIFY — s·G + e·A for every s, e and A, one row
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[l]`·2^(16l) and e = Σ `e[l]`·2^(16l). Then A = (x_a, y_a) is a point of E or the
//! identity, written (0, 0), and R = (x_r, y_r) is s·G + e·A, the identity written (0, 0) again.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The guarantees G1 and G2 of [`super`]: messages are true; limbs of s and e are in [0, 2^16).
//! - A2. #E = r is an odd prime above 2^109; (0, 0) is not on E.           holds for E
//!
//! ## Not proved here
//! - Which calls are on the rows: memory and pointers are the integrator's.
//! - That e is the hash of anything.
//!
//! ## Columns  (2,767)
//! | columns    | name                       | width | role        | honest value                           | constrained by |
//! |------------|----------------------------|-------|-------------|----------------------------------------|----------------|
//! | 0          | `real`                     | 1     | bookkeeping | 1 on calls                             | C1, input |
//! | 1..15      | `x_a`, `y_a`               | 14    | state       | A, (0, 0) for 𝒪                        | C2, C3, input |
//! | 15..29     | `x_r`, `y_r`               | 14    | state       | R, (0, 0) for 𝒪                        | C5, C6, input |
//! | 29..45     | `s`                        | 16    | bit         | 16-bit limbs of s, low first           | C7, input |
//! | 45..61     | `e`                        | 16    | bit         | 16-bit limbs of e, low first           | C18, input |
//! | 61         | `a_identity`               | 1     | bookkeeping | 1 iff A = 𝒪                            | C2–C4 |
//! | 62         | `r_identity`               | 1     | bookkeeping | 1 iff R = 𝒪                            | C4–C7 |
//! | 63..68     | `quotient_s`               | 5     | witness     | bytes of k = (n − s − δ)/(−r) + 1      | C7, M1 |
//! | 68..83     | `carry_s`                  | 15    | witness     | carries of C7, 2^11 added              | C7, M2 |
//! | 83..88     | `start_g`                  | 5     | bookkeeping | bits of i                              | C8 |
//! | 88..93     | `start_g_products`         | 5     | bookkeeping | products of those bits                 | C8 |
//! | 93..137    | `sign_g`                   | 44    | bit         | signs of the windows of n              | C9, C7 |
//! | 137..313   | `magnitude_g`              | 176   | bit         | magnitudes, 4 bits each                | C9, C7 |
//! | 313..401   | `magnitude_g_products`     | 88    | bit         | m_0·m_1 and m_2·m_3 of each            | C10 |
//! | 401..408   | `lambda_y`                 | 7     | slope       | chord R*, Q_i                          | C11 |
//! | 408..716   | `lambda_g`                 | 308   | slope       | chord of the sum so far and the next entry | C12 |
//! | 716..723   | `lambda_d`                 | 7     | slope       | chord X, −Y                            | C14 |
//! | 723..737   | `x_d`, `y_d`               | 14    | base        | D = Y − X = R* − n·G                   | C15 |
//! | 737..783   | `product_g`                | 46    | witness     | running product of first coordinates   | C13 |
//! | 783        | `inverse_g`                | 1     | witness     | 1/(the last of them)                   | C16 |
//! | 784..787   | `zero`, `one`, `minus_one` | 3     | bookkeeping | 1 iff s ≡ 0, 1, −1                     | C4, product |
//! | 787..803   | `low`                      | 16    | bit         | low byte of each limb                  | product, M1 |
//! | 803..822   | `quotient`                 | 19    | witness     | bytes of q = (u·s + w)/r               | product, M2 |
//! | 822..844   | `carry`                    | 22    | witness     | carries, 2^13 added                    | product, M3 |
//! | 844..849   | `start`                    | 5     | bookkeeping | bits of j                              | start |
//! | 849..854   | `start_products`           | 5     | bookkeeping | products of those bits                 | start |
//! | 854..868   | `lambda_n`, `lambda_m`     | 14    | slope       | chords D, P and D, −P                  | sums |
//! | 868..882   | `x_n`, `y_n`               | 14    | base        | N = D + P                              | sums |
//! | 882..896   | `x_m`, `y_m`               | 14    | base        | M = D − P                              | sums |
//! | 896..1005  | `sign`                     | 109   | bit         | bits of u − 1, most significant first  | sign, product |
//! | 1005..1115 | `swap`                     | 110   | bit         | 1 where the digits of u and w differ   | sign, product |
//! | 1115..1122 | `lambda_0`                 | 7     | slope       | chord B_j, T                           | chain |
//! | 1122..1885 | `lambda_1`                 | 763   | slope       | chord acc, T                           | chain |
//! | 1885..2648 | `lambda_2`                 | 763   | slope       | chord acc, acc + T                     | chain |
//! | 2648..2758 | `product`                  | 110   | witness     | running product of (x_t − x)_0         | distinct |
//! | 2758       | `product_end`              | 1     | witness     | the last with (x(C_j) − x_n)_0         | distinct |
//! | 2759       | `inverse`                  | 1     | witness     | 1/`product_end`                        | inverse |
//! | 2760..2767 | `lambda_e`                 | 7     | slope       | chord C_j, −N                          | end |
//!
//! The first 61 columns are inputs: the integrator may put affine expressions in their place. In the columns from `zero` on, s of
//! [`super::multiple`] is e and P is A.
//!
//! ## Constraints
//! live = real − a_identity; active = live − zero − one − minus_one; R* = R + r_identity·G; f = a_identity + zero.
//!
//! | id  | label (`verify_precompile.`…) | formula                                        | count | degree | means |
//! |-----|---------------------|----------------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.real`     | real·(real − 1) = 0                                            | 1   | 2 | boolean |
//! | C2  | `C2.a_curve`  | y_a² = x_a³ + a·x_a + b·(real − a_identity)                    | 7   | 3 | A is on E or (0, 0) |
//! | C3  | `C3.a_zero`   | a_identity·x_a = 0                                             | 7   | 2 | |
//! | C4  | `C4.flags`    | g·(g − 1) = 0 for a_identity, zero, one, minus_one, active; r_identity·(r_identity − real) = 0 | 6 | 2 | one case |
//! | C5  | `C5.r_curve`  | R* is on E, with b·real                                        | 7   | 3 | |
//! | C6  | `C6.r_zero`   | r_identity·R = 0                                               | 14  | 2 | |
//! | C7  | `C7.reduction`| n ≡ s − 2f + r_identity: [`super::integers`]                   | 16  | 2 | |
//! | C8  | `C8.start`    | b(b − real) = 0                                                | 5   | 2 | bits of i |
//! |     | `C8.products` | products of bits of i                                          | 5   | 2 | |
//! | C9  | `C9.sign`     | b(b − real) = 0                                                | 44  | 2 | boolean |
//! |     | `C9.magnitude`| b(b − real) = 0                                                | 176 | 2 | boolean |
//! | C10 | `C10.products`| products of bits of magnitudes                                 | 88  | 2 | |
//! | C11 | `C11.y`       | λ_y(x(Q_i) − x*) = y(Q_i) − y*                                 | 7   | 3 | Y = R* + Q_i |
//! | C12 | `C12.sum_g`   | λ_g(x_t − x) = y_t − y                                         | 308 | 3 | (x, y) is the sum so far |
//! | C13 | `C13.distinct_g` | product_g: (x(Q_i) − x*)_0, then (x_t − x)_0, then (x_X − x_Y)_0 | 46 | 3 | no chord meets equal x |
//! | C14 | `C14.d_line`  | λ_d(x_X − x_Y) = y_X + y_Y                                     | 7   | 3 | D = Y − X |
//! | C15 | `C15.d_x`     | x_d = λ_d² − x_X − x_Y                                         | 7   | 2 | |
//! |     | `C15.d_y`     | y_d = y_X + λ_d(x_d − x_X)                                     | 7   | 3 | |
//! | C16 | `C16.inverse_g` | inverse_g·product_g,45 = real                                | 1   | 2 | no factor is 0 |
//! | C17 | `C17.twice`   | f·(D − 2·G) = 0                                                | 14  | 2 | |
//! |     | `C17.unit_x`  | (one + minus_one)·(x_d − x_a) = 0                              | 7   | 2 | D = ±A |
//! |     | `C17.unit_y`  | (one + minus_one)·y_d = (one − minus_one)·y_a                  | 7   | 2 | |
//! | C18  | `C18.product`  | u·s + w = q·r: [`super::integers`]                             | 23  | 2 | |
//! | C19  | `C19.start`    | b(b − active) = 0                                              | 5   | 2 | bits of j |
//! |     | `C19.products` | products of bits of j                                          | 5   | 2 | |
//! | C20  | `C20.line`     | active·(λ(x_p − x_d) − (±y_p − y_d)) = 0                       | 14  | 3 | N = D + P, M = D − P |
//! |     | `C20.x`        | active·(x − λ² + x_p + x_d) = 0                                | 14  | 3 | |
//! |     | `C20.y`        | active·(y − λ(x_d − x) + y_d) = 0                              | 14  | 3 | |
//! | C21 | `C21.sign`    | sign·(sign − active) = 0                                       | 109 | 2 | boolean |
//! |     | `C21.swap`    | swap·(swap − active) = 0                                       | 110 | 2 | boolean |
//! | C22 | `C22.first`   | λ_0(x_t − x(B_j)) = y_t − y(B_j)                               | 7   | 3 | acc = B_j + T |
//! | C23 | `C23.slope_1` | λ₁(x_t − x) = y_t − y                                          | 763 | 3 | acc + T |
//! | C24 | `C24.slope_2` | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                                 | 763 | 3 | 2·acc + T |
//! | C25 | `C25.distinct`| product_i = product_(i−1)·(x_t − x)_0; then (x(C_j) − x_n)_0   | 111 | 3 | no chord meets x = x_t |
//! | C26 | `C26.inverse` | inverse·product_end = active                                   | 1   | 2 | no factor is 0 |
//! | C27 | `C27.end_line`| λ_e(x(C_j) − x_n) = y(C_j) + y_n                               | 7   | 3 | acc = C_j − N |
//! |     | `C27.end_x`   | λ_e² = x + x(C_j) + x_n                                        | 7   | 2 | |
//! |     | `C27.end_y`   | y = λ_e(x(C_j) − x) − y(C_j)                                   | 7   | 3 | |
//!
//! Window w of n is D_w = 15·real + sign + (2·sign − real)·m with m the magnitude's number; its entry is
//! (2·sign − real)·(2m + 1)·2^(5w)·H. Coordinates of X, Y and all partial sums are expressions: [`crate::half::chain`]. B, C and
//! Q are polynomials in bits: [`super::points`].
//!
//! ## Messages  (66)
//! | id | label           | bus         | count     | times | fields |
//! |----|-----------------|-------------|-----------|-------|--------|
//! | M1 | `M1.quotient_s` | `Bytes`     | send real | 3     | bytes of k |
//! | M2 | `M2.carry_s`    | `Range`     | send real | 15    | carry, 12 |
//! | M3 | `M3.scalar`     | `Bytes`     | send real | 16    | low byte, high byte = (limb − low)/256, of e |
//! | M4 | `M4.quotient`   | `Bytes`     | send real | 10    | q_2a, q_2a+1; at last q_18, 0 |
//! | M5 | `M5.carry`      | `Range`     | send real | 22    | carry, 14 |
//!
//! ## Links, boundaries
//! None: every constraint reads one row.
//!
//! ## Soundness
//! Let real = 1. A is on E or (0, 0) with its flag (C2, C3). R* is on E (C5); if r_identity = 1, R = (0, 0) (C6) and R* = G,
//! otherwise R* = R. By C16 no factor of `product_g` is 0.
//! (i) *X.* Signs and magnitudes are boolean. The entries are d_w·2^(5w)·H with d_w = (2·sign − 1)(2m + 1), and
//! D_w = (d_w + 31)/2, so they sum up to (2n − (2^220 − 1))·H = n·G − (2^220 − 1)·H. By C12, C13 and the lemma *addition* of
//! [`crate::half::chain`], starting from B_i: X = Q_i + n·G, where n ≡ s − 2f + r_identity (C7).
//! (ii) *D.* Y = R* + Q_i (C11), and D = Y − X is finite (C14, C15): D = R* − n·G, on E.
//! (iii) *Cases.* By the lemma of [`super::multiple`] with s = e and P = A: exactly one of a_identity, zero, one, minus_one,
//! active is 1. If a_identity or zero is, e·A = 𝒪 and D = 2·G (C17): R* = (s + r_identity)·G. If one or minus_one is,
//! D = ±A = e·A (C17); if active is, D = e·A. Then R* = (s + r_identity)·G + e·A. In all cases R* = s·G + e·A + r_identity·G,
//! and since R* = R + r_identity·G as points, R = s·G + e·A. ∎
//!
//! ## Completeness
//! | case                      | satisfiable? | by |
//! |---------------------------|--------------|----|
//! | A = 𝒪 or e ≡ 0            | yes          | its flag; n = s − 2 + r_identity makes D = 2·G |
//! | e ≡ ±1                    | yes          | its flag, D = ±A |
//! | otherwise                 | yes          | D = e·A ≠ 𝒪, ±A |
//! | R = 𝒪                     | yes          | r_identity |
//! | exceptional additions     | with other i, j | [`super`] |
//!
//! Don't-care cells and free choices: as for [SCALAR_MUL](super::scalar_mul), and i.
//!
//! ## Padding
//! Zeros.
//!
//! ## References
//! As for [`crate::half::verify`]. Odd signed windows of a fixed base: Hedabou, Pinel, Bénéteau, "Countermeasures for preventing
//! comb method against SCA attacks", ISPEC 2005, use the same recoding.

use core::array;
use core::marker::PhantomData;

use super::integers::{ProductMessages, Reduction, assert_reduction, product_messages, reduction_messages};
use super::multiple::{Multiple, MultipleLabels, assert_multiple};
use super::points::{MAGNITUDE_BITS, Start, WINDOWS, entry};
use crate::bus::MessageSink;
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, column, columns};
use crate::half::chain::{ChainLabels, Product as RunningProduct, StepLabels, Walk, assert_addition};
use crate::half::indices;
use crate::params::{CurveParams, Residues, Septic as SepticParams};
use crate::relations::{add_scaled_constant, assert_bool, assert_bool_below, assert_on_curve};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};
use septic_curve::params::residues::GENERATOR;

columns! {
    /// A row of [`PrecompileVerifyTable`].
    pub struct PrecompileVerifyCols {
        /// 1 on calls.
        real: Cell Bookkeeping,
        /// x of A.
        x_a: Septic State,
        /// y of A.
        y_a: Septic State,
        /// x of R.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// 16-bit limbs of s, low first.
        s: Cells<16> Bit,
        /// 16-bit limbs of e, low first.
        e: Cells<16> Bit,
        /// A is the identity.
        a_identity: Cell Bookkeeping,
        /// R is the identity.
        r_identity: Cell Bookkeeping,
        /// Bytes of the reduction's quotient, low first.
        quotient_s: Cells<5> Witness,
        /// Carries of the reduction, 2^11 added.
        carry_s: Cells<15> Witness,
        /// Bits of the number of the sum's offset.
        start_g: Cells<5> Bookkeeping,
        /// Products of those bits.
        start_g_products: Cells<5> Bookkeeping,
        /// Signs of windows.
        sign_g: Cells<44> Bit,
        /// Magnitudes of windows, 4 bits each, low first.
        magnitude_g: Cells<176> Bit,
        /// Two products of the bits of each magnitude.
        magnitude_g_products: Cells<88> Bit,
        /// Slope of the chord R*, Q.
        lambda_y: Septic Slope,
        /// Slopes through the sum so far and the next entry.
        lambda_g: Septics<44> Slope,
        /// Slope of the chord X, −Y.
        lambda_d: Septic Slope,
        /// x of D = R* − n·G.
        x_d: Septic Base,
        /// y of D.
        y_d: Septic Base,
        /// Running product of first coordinates of the additions of G's side.
        product_g: Cells<46> Witness,
        /// 1 over the last of them.
        inverse_g: Cell Witness,
        /// e ≡ 0 modulo r.
        zero: Cell Bookkeeping,
        /// e ≡ 1.
        one: Cell Bookkeeping,
        /// e ≡ −1.
        minus_one: Cell Bookkeeping,
        /// The low byte of each limb of e.
        low: Cells<16> Bit,
        /// Bytes of q, low first.
        quotient: Cells<19> Witness,
        /// Carries, 2^13 added.
        carry: Cells<22> Witness,
        /// Bits of the offset's number.
        start: Cells<5> Bookkeeping,
        /// Products of those bits.
        start_products: Cells<5> Bookkeeping,
        /// Slope of the chord D, A.
        lambda_n: Septic Slope,
        /// Slope of the chord D, −A.
        lambda_m: Septic Slope,
        /// x of N = D + A.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = D − A.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
        /// Signs of the steps' T.
        sign: Cells<109> Bit,
        /// 1 for M, 0 for N.
        swap: Cells<110> Bit,
        /// Slope of the first addition.
        lambda_0: Septic Slope,
        /// Slopes through acc and T.
        lambda_1: Septics<109> Slope,
        /// Slopes through acc and acc + T.
        lambda_2: Septics<109> Slope,
        /// Running product of first coordinates of x_t − x.
        product: Cells<110> Witness,
        /// The last product with (x(C_j) − x_n)_0.
        product_end: Cell Witness,
        /// 1 over that.
        inverse: Cell Witness,
        /// Slope of the line through C_j and −N.
        lambda_e: Septic Slope,
    }
}

/// VERIFY for a virtual machine. `C` gives the coefficients of the curve; the points are those of the septic curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrecompileVerifyTable<C = SepticParams>(PhantomData<C>);

/// Columns that stand for inputs.
pub const INPUTS: usize = 61;

const INSTANCE: [usize; INPUTS] = {
    assert!(column(<PrecompileVerifyCols<u32> as ColumnSet<u32>>::FIELDS, "a_identity") == INPUTS);
    indices()
};

const LABELS: MultipleLabels = MultipleLabels {
    flags: Label("verify_precompile.C4.flags"),
    product: Label("verify_precompile.C18.product"),
    start: Label("verify_precompile.C19.start"),
    start_products: Label("verify_precompile.C19.products"),
    sum_line: Label("verify_precompile.C20.line"),
    sum_x: Label("verify_precompile.C20.x"),
    sum_y: Label("verify_precompile.C20.y"),
    chain: ChainLabels {
        sign: Label("verify_precompile.C21.sign"),
        swap: Label("verify_precompile.C21.swap"),
        first: Label("verify_precompile.C22.first"),
        step: StepLabels {
            slope_1: Label("verify_precompile.C23.slope_1"),
            slope_2: Label("verify_precompile.C24.slope_2"),
        },
        distinct: Label("verify_precompile.C25.distinct"),
        inverse: Label("verify_precompile.C26.inverse"),
        end_line: Label("verify_precompile.C27.end_line"),
        end_x: Label("verify_precompile.C27.end_x"),
        end_y: Label("verify_precompile.C27.end_y"),
    },
};

/// 2·G.
pub(super) const TWICE_GENERATOR: [Residues; 2] = [
    [508577272, 835663343, 1849012363, 1888954974, 772297057, 1053495690, 2114107195],
    [528284394, 995519934, 1161498209, 1080311872, 1090788570, 1072942429, 1821730308],
];

impl<C: CurveParams> Table for PrecompileVerifyTable<C> {
    type Cols<T> = PrecompileVerifyCols<T>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "verify.precompile";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 0;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &PrecompileVerifyCols<S::Expr>,
        _: &PrecompileVerifyCols<S::Expr>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        _: &[S::Expr],
    ) {
        let PrecompileVerifyCols { real, x_a, y_a, x_r, y_r, a_identity, r_identity, .. } = local;
        let PrecompileVerifyCols { x_d, y_d, zero, one, minus_one, .. } = local;
        let live = real.clone() - a_identity.clone();

        // C1
        assert_bool(sink, Label("verify_precompile.C1.real"), real);
        // C2, C3
        let x_a_squared = sink.square(x_a);
        assert_on_curve::<C, S>(sink, Label("verify_precompile.C2.a_curve"), x_a, y_a, &x_a_squared, &live);
        sink.assert_septic(Label("verify_precompile.C3.a_zero"), x_a.scale(a_identity));
        // C4: the other flags below
        assert_bool(sink, Label("verify_precompile.C4.flags"), a_identity);
        assert_bool_below(sink, Label("verify_precompile.C4.flags"), r_identity, real);
        // C5, C6
        let [x_star, y_star] = [(x_r, &GENERATOR[0]), (y_r, &GENERATOR[1])]
            .map(|(r, g)| add_scaled_constant(sink, r.clone(), g, r_identity));
        let x_star_squared = sink.square(&x_star);
        let label = Label("verify_precompile.C5.r_curve");
        assert_on_curve::<C, S>(sink, label, &x_star, &y_star, &x_star_squared, real);
        for coordinate in [x_r, y_r] {
            sink.assert_septic(Label("verify_precompile.C6.r_zero"), coordinate.scale(r_identity));
        }
        // C7
        let f = a_identity.clone() + zero.clone();
        let shift = r_identity.clone() - f.clone() - f.clone();
        let signs: [S::Expr; WINDOWS] =
            array::from_fn(|w| local.sign_g[w].clone() + local.sign_g[w].clone() - real.clone());
        let windows: [S::Expr; WINDOWS] = array::from_fn(|w| {
            let mut magnitude = sink.constant(0);
            for (i, bit) in local.magnitude_g[MAGNITUDE_BITS * w..][..MAGNITUDE_BITS].iter().enumerate() {
                magnitude = magnitude + sink.constant(1 << i) * bit.clone();
            }
            sink.constant(15) * real.clone() + local.sign_g[w].clone() + signs[w].clone() * magnitude
        });
        let reduction = Reduction {
            real,
            scalar: &local.s,
            shift: &shift,
            windows: &windows,
            quotient: &local.quotient_s,
            carry: &local.carry_s,
        };
        assert_reduction(sink, Label("verify_precompile.C7.reduction"), &reduction);
        // C8
        let labels = [Label("verify_precompile.C8.start"), Label("verify_precompile.C8.products")];
        let start = Start::assert(sink, labels, real, &local.start_g, &local.start_g_products);
        // C9, C10
        for sign in &local.sign_g {
            assert_bool_below(sink, Label("verify_precompile.C9.sign"), sign, real);
        }
        for bit in &local.magnitude_g {
            assert_bool_below(sink, Label("verify_precompile.C9.magnitude"), bit, real);
        }
        for (bits, product) in local.magnitude_g.chunks_exact(2).zip(&local.magnitude_g_products) {
            let value = product.clone() - bits[0].clone() * bits[1].clone();
            sink.assert_zero(Label("verify_precompile.C10.products"), value);
        }
        // C11: Y = R* + Q
        let [x_q, y_q] = start.total(sink);
        let run = x_q.clone() - x_star.clone();
        let mut product = RunningProduct::of_first_coordinates();
        let distinct = Label("verify_precompile.C13.distinct_g");
        product.store(sink, distinct, &run, &local.product_g[0]);
        let line = sink.mul(&local.lambda_y, &run) - (y_q - y_star.clone());
        sink.assert_septic(Label("verify_precompile.C11.y"), line);
        let x_y = sink.square(&local.lambda_y) - (x_q + x_star.clone());
        let y_y = sink.mul(&local.lambda_y, &(x_star - x_y.clone())) - y_star;
        // C12, C13: X
        let mut sum = start.start(sink);
        for (w, sign) in signs.iter().enumerate() {
            let magnitude = &local.magnitude_g[MAGNITUDE_BITS * w..][..MAGNITUDE_BITS];
            let products = &local.magnitude_g_products[2 * w..][..2];
            let t = entry(sink, w, real, magnitude, products, sign);
            product.store(sink, distinct, &(t[0].clone() - sum[0].clone()), &local.product_g[1 + w]);
            let label = Label("verify_precompile.C12.sum_g");
            sum = assert_addition(sink, label, &sum, &t, &local.lambda_g[w]);
        }
        // C13–C15: D = Y − X
        let [x_x, y_x] = sum;
        let run = x_x.clone() - x_y.clone();
        product.store(sink, distinct, &run, &local.product_g[1 + WINDOWS]);
        let line = sink.mul(&local.lambda_d, &run) - (y_x.clone() + y_y);
        sink.assert_septic(Label("verify_precompile.C14.d_line"), line);
        let x = sink.square(&local.lambda_d) - (x_x.clone() + x_y);
        sink.assert_septic(Label("verify_precompile.C15.d_x"), x_d.clone() - x);
        let y = y_x + sink.mul(&local.lambda_d, &(x_d.clone() - x_x));
        sink.assert_septic(Label("verify_precompile.C15.d_y"), y_d.clone() - y);
        // C16
        product.assert_inverse(sink, Label("verify_precompile.C16.inverse_g"), &local.inverse_g, real);
        // C17
        for (coordinate, constant) in [(x_d, &TWICE_GENERATOR[0]), (y_d, &TWICE_GENERATOR[1])] {
            let mut i = 0;
            let difference = coordinate.clone().map(|x| {
                i += 1;
                x - sink.constant(constant[i - 1])
            });
            sink.assert_septic(Label("verify_precompile.C17.twice"), difference.scale(&f));
        }
        let unit = one.clone() + minus_one.clone();
        let difference = (x_d.clone() - x_a.clone()).scale(&unit);
        sink.assert_septic(Label("verify_precompile.C17.unit_x"), difference);
        let difference = y_d.scale(&unit) - y_a.scale(&(one.clone() - minus_one.clone()));
        sink.assert_septic(Label("verify_precompile.C17.unit_y"), difference);
        // C18–C27
        let multiple = Multiple {
            flags: [&local.zero, &local.one, &local.minus_one],
            scalar: &local.e,
            low: &local.low,
            quotient: &local.quotient,
            carry: &local.carry,
            start: &local.start,
            start_products: &local.start_products,
            lambda_n: &local.lambda_n,
            lambda_m: &local.lambda_m,
            walk: Walk {
                n: [&local.x_n, &local.y_n],
                m: [&local.x_m, &local.y_m],
                sign: &local.sign,
                swap: &local.swap,
                lambda_0: &local.lambda_0,
                lambda_1: &local.lambda_1,
                lambda_2: &local.lambda_2,
                product: &local.product,
                lambda_e: &local.lambda_e,
            },
            product_end: &local.product_end,
            inverse: &local.inverse,
        };
        assert_multiple(sink, &LABELS, &multiple, [real, &live], [x_d, y_d], [x_a, y_a]);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &PrecompileVerifyCols<S::Expr>) {
        // M1, M2
        let labels = [Label("verify_precompile.M1.quotient_s"), Label("verify_precompile.M2.carry_s")];
        reduction_messages(sink, labels, &local.real, &local.quotient_s, &local.carry_s);
        // M3–M5
        let labels = ProductMessages {
            scalar: Label("verify_precompile.M3.scalar"),
            quotient: Label("verify_precompile.M4.quotient"),
            carry: Label("verify_precompile.M5.carry"),
        };
        let PrecompileVerifyCols { real, e, low, quotient, carry, .. } = local;
        product_messages(sink, labels, real, [e, low], quotient, carry);
    }
}
