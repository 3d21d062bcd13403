//! Sums of points for groups of operations in lockstep, so that an addition or a doubling step costs a share of one inversion
//! for all groups of a chunk.

use alloc::vec::Vec;

use p3_field::{PackedValue, PrimeCharacteristicRing};
use septic_chips::columns::{Field, column};
use septic_chips::half::STEPS;
use septic_chips::relations::evaluate;
use septic_curve::{AffinePoint, DEGREE, KoalaBear, params};

use super::integers::HalfPair;
use super::rows::Rows;
use septic_curve::lockstep::{Inverter, LANES, LaneMask, Lanes, Wide, WidePoint, bits};

/// Where the columns of a chain stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainLayout {
    n: usize,
    m: usize,
    lambda_0: usize,
    lambda_1: usize,
    lambda_2: usize,
    product: usize,
    /// The columns that only the tables of a virtual machine have.
    precompile: Option<PrecompileLayout>,
    inverse: usize,
    lambda_e: usize,
}

impl ChainLayout {
    /// The layout of a table with these columns.
    pub(crate) const fn new(fields: &[Field]) -> Self {
        assert!(column(fields, "y_n") == column(fields, "x_n") + DEGREE);
        assert!(column(fields, "y_m") == column(fields, "x_m") + DEGREE);
        Self {
            n: column(fields, "x_n"),
            m: column(fields, "x_m"),
            lambda_0: column(fields, "lambda_0"),
            lambda_1: column(fields, "lambda_1"),
            lambda_2: column(fields, "lambda_2"),
            product: column(fields, "product"),
            precompile: None,
            inverse: column(fields, "inverse"),
            lambda_e: column(fields, "lambda_e"),
        }
    }

    /// The layout of a table of [`septic_chips::precompile`] with these columns.
    pub(crate) const fn precompile(fields: &[Field]) -> Self {
        let mut layout = Self::new(fields);
        layout.precompile = Some(PrecompileLayout {
            lambda: [column(fields, "lambda_n"), column(fields, "lambda_m")],
            product_end: column(fields, "product_end"),
        });
        layout
    }
}

/// Where further columns of a chain stand.
#[derive(Clone, Copy, Debug)]
struct PrecompileLayout {
    /// Slopes of N and M.
    lambda: [usize; 2],
    /// The product with the last factor.
    product_end: usize,
}

/// What a chain starts from and what becomes of it, by the number of the offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainPoints<'a> {
    /// B_j.
    pub(crate) starts: &'a [AffinePoint],
    /// C_j = 2^109·B_j.
    pub(crate) ends: &'a [AffinePoint],
}

/// The two offsets of the tables in [`septic_chips::half`].
pub(crate) const TWO_OFFSETS: ChainPoints<'static> =
    ChainPoints { starts: &params::OFFSETS, ends: &params::HALF_CORRECTIONS };

/// Operations in lockstep, one a lane, and their rows.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub(crate) rows: Rows<'a>,
    /// The number of the offset that each lane starts from.
    pub(crate) offset: [u8; LANES],
    /// Lanes that met an exceptional case: their cells mean nothing.
    pub(crate) failed: LaneMask,
    /// Lanes whose chain does not end where it should: the claim is wrong.
    pub(crate) wrong: LaneMask,
    /// The running product of h, and the parameter t; without one, h is the coordinate of degree 0.
    product: Lanes,
    t: Option<Lanes>,
}

impl<'a> Group<'a> {
    pub(crate) fn new(rows: Rows<'a>, offset: [u8; LANES], t: Option<KoalaBear>) -> Self {
        Self { rows, offset, failed: 0, wrong: 0, product: Lanes::ONE, t: t.map(Into::into) }
    }

    /// One of some points a lane, by its offset.
    pub(crate) fn select(&self, points: &[AffinePoint]) -> WidePoint {
        WidePoint::gather(|lane| points[usize::from(self.offset[lane])])
    }

    /// Multiplies h(d).
    #[inline]
    pub(crate) fn multiply(&mut self, d: &Wide) {
        self.product *= self.t.map_or(d.0[0], |t| evaluate(d, &t));
    }

    /// Multiplies h(d) and writes the product.
    #[inline]
    pub(crate) fn store(&mut self, d: &Wide, column: usize) {
        self.multiply(d);
        self.rows.write_cell(column, &self.product);
    }

    /// Writes the inverse of the product, 0 of 0, and starts a new one. The lanes whose product is 0.
    pub(crate) fn settle(&mut self, column: usize) -> LaneMask {
        let product = core::mem::replace(&mut self.product, Lanes::ONE);
        let mut inverses = [KoalaBear::ZERO; LANES];
        let mut zero = 0;
        for (lane, (inverse, product)) in inverses.iter_mut().zip(product.as_slice()).enumerate() {
            match p3_field::Field::try_inverse(product) {
                Some(inverted) => *inverse = inverted,
                None => zero |= 1 << lane,
            }
        }
        for (row, inverse) in self.rows.iter_mut().zip(inverses) {
            row[column] = inverse;
        }
        zero
    }
}

/// Calls `values` for each group to say what is to be inverted, one element a group, then `inverses` with the inverse.
///
/// Lanes where it is 0 have failed.
#[inline]
pub(crate) fn with_inverses<G>(
    groups: &mut [Group<'_>],
    states: &mut [G],
    inverter: &mut Inverter,
    mut values: impl FnMut(&mut Group<'_>, &mut G) -> Wide,
    mut inverses: impl FnMut(&mut Group<'_>, &mut G, Wide),
) {
    inverter.values.clear();
    for (group, state) in groups.iter_mut().zip(states.iter_mut()) {
        inverter.values.push(values(group, state));
    }
    inverter.invert(|index, lanes| groups[index].failed |= lanes);
    for ((group, state), inverse) in groups.iter_mut().zip(states).zip(&inverter.values) {
        inverses(group, state, *inverse);
    }
}

/// D, P of a chain and the digits of each lane.
#[derive(Clone, Debug)]
pub(crate) struct ChainInput {
    pub(crate) d: WidePoint,
    pub(crate) p: WidePoint,
    pub(crate) pairs: [HalfPair; LANES],
}

/// A chain on its way.
#[derive(Clone, Debug)]
struct Chain {
    n: WidePoint,
    difference: WidePoint,
    acc: WidePoint,
    /// C_j − N, and x(C_j) − x_n.
    end: WidePoint,
    end_run: Wide,
    // Of the current digit:
    t: WidePoint,
    run: Wide,
    rise: Wide,
    gap: Wide,
}

impl Chain {
    /// N or M.
    #[inline]
    fn base(&self, swap: Lanes) -> WidePoint {
        WidePoint {
            x: self.n.x + self.difference.x.scale(&swap),
            y: self.n.y + self.difference.y.scale(&swap),
        }
    }
}

/// Fills the columns of a chain: N, M, slopes, products, the inverse. Signs and swaps are left to the caller.
///
/// Returns for each group the lanes whose last product is 0: those that have not failed do not fit the parameter t.
pub(crate) fn run(
    layout: &ChainLayout,
    points: ChainPoints<'_>,
    groups: &mut [Group<'_>],
    inputs: &[ChainInput],
    inverter: &mut Inverter,
) -> Vec<LaneMask> {
    let zero = WidePoint { x: Wide::ZERO, y: Wide::ZERO };
    let chain = Chain {
        n: zero,
        difference: zero,
        acc: zero,
        end: zero,
        end_run: Wide::ZERO,
        t: zero,
        run: Wide::ZERO,
        rise: Wide::ZERO,
        gap: Wide::ZERO,
    };
    let mut states: Vec<(&ChainInput, Chain)> = inputs.iter().map(|input| (input, chain.clone())).collect();

    // N = D + P, M = D − P
    with_inverses(
        groups,
        &mut states,
        inverter,
        |_, (input, _)| input.p.x - input.d.x,
        |group, (ChainInput { d, p, .. }, chain), inverse| {
            let lambdas = [p.y, -p.y].map(|y| (y - d.y).dot_mul(&inverse));
            let [n, m] = lambdas.map(|lambda| {
                let x = lambda.dot_square() - p.x - d.x;
                WidePoint { x, y: lambda.dot_mul(&(d.x - x)) - d.y }
            });
            if let Some(PrecompileLayout { lambda, .. }) = layout.precompile {
                group.rows.write(lambda[0], &lambdas[0]);
                group.rows.write(lambda[1], &lambdas[1]);
            }
            group.rows.write(layout.n, &n.x);
            group.rows.write(layout.n + DEGREE, &n.y);
            group.rows.write(layout.m, &m.x);
            group.rows.write(layout.m + DEGREE, &m.y);
            chain.n = n;
            chain.difference = WidePoint { x: m.x - n.x, y: m.y - n.y };
        },
    );
    // The line through C_j and −N
    with_inverses(
        groups,
        &mut states,
        inverter,
        |group, (_, chain)| {
            let end = group.select(points.ends);
            chain.run = end.x - chain.n.x;
            chain.rise = end.y + chain.n.y;
            chain.run
        },
        |group, (_, chain), inverse| {
            let lambda = chain.rise.dot_mul(&inverse);
            group.rows.write(layout.lambda_e, &lambda);
            let end = group.select(points.ends);
            let x = lambda.dot_square() - end.x - chain.n.x;
            chain.end = WidePoint { x, y: lambda.dot_mul(&(end.x - x)) - end.y };
            chain.end_run = chain.run;
        },
    );
    // acc = B_j + T
    with_inverses(
        groups,
        &mut states,
        inverter,
        |group, (input, chain)| {
            chain.acc = group.select(points.starts);
            chain.t = chain.base(bits(|lane| input.pairs[lane].swap(0)));
            chain.run = chain.t.x - chain.acc.x;
            chain.run
        },
        |group, (_, chain), inverse| {
            let lambda = (chain.t.y - chain.acc.y).dot_mul(&inverse);
            group.rows.write(layout.lambda_0, &lambda);
            group.store(&chain.run, layout.product);
            chain.acc = chain.acc.sum(&chain.t, &lambda);
        },
    );
    for i in 0..STEPS {
        // acc = 2·acc + T with one inverse for both slopes: with d = x_t − x, x − x₁ is gap/d². (Ciet, Joye, Lauter,
        // Montgomery, "Trading inversions for multiplications in elliptic curve cryptography", DCC 2006.)
        with_inverses(
            groups,
            &mut states,
            inverter,
            |_, (input, chain)| {
                let sigma = bits(|lane| input.pairs[lane].sign(i)).double() - Lanes::ONE;
                chain.t = chain.base(bits(|lane| input.pairs[lane].swap(i + 1)));
                chain.t.y = chain.t.y.scale(&sigma);
                chain.run = chain.t.x - chain.acc.x;
                chain.rise = chain.t.y - chain.acc.y;
                chain.gap = (chain.acc.x.doubled() + chain.t.x).dot_mul(&chain.run.dot_square())
                    - chain.rise.dot_square();
                chain.run.dot_mul(&chain.gap)
            },
            |group, (_, chain), inverse| {
                let Chain { acc, t, run, rise, gap, .. } = *chain;
                let lambda_1 = rise.dot_mul(&gap.dot_mul(&inverse));
                let per_x = run.dot_square().dot_mul(&run.dot_mul(&inverse));
                let lambda_2 = acc.y.doubled().dot_mul(&per_x) - lambda_1;
                // λ₂² − λ₁² + x_t
                let x = (lambda_2 - lambda_1).dot_mul(&(lambda_2 + lambda_1)) + t.x;
                group.rows.write(layout.lambda_1 + DEGREE * i, &lambda_1);
                group.rows.write(layout.lambda_2 + DEGREE * i, &lambda_2);
                group.store(&run, layout.product + 1 + i);
                chain.acc = WidePoint { x, y: lambda_2.dot_mul(&(acc.x - x)) - acc.y };
            },
        );
    }
    let mut zero = Vec::with_capacity(groups.len());
    for (group, (_, chain)) in groups.iter_mut().zip(&states) {
        match layout.precompile {
            None => group.multiply(&chain.end_run),
            Some(PrecompileLayout { product_end, .. }) => group.store(&chain.end_run, product_end),
        }
        for lane in 0..LANES {
            if chain.acc.lane(lane) != chain.end.lane(lane) {
                group.wrong |= 1 << lane;
            }
        }
        zero.push(group.settle(layout.inverse));
    }
    zero
}

/// Whether all lanes that have not failed fit the parameter t.
pub(crate) fn fits(groups: &[Group<'_>], zero: &[LaneMask]) -> bool {
    groups.iter().zip(zero).all(|(group, zero)| zero & !group.failed == 0)
}
