//! Field elements and points of many operations at once, one in each lane of the packed field.

use alloc::vec::Vec;

use p3_field::{Field, PackedValue, PrimeCharacteristicRing};
use septic_curve::{AffinePoint, DEGREE, Fp7, KoalaBear, Septic};

/// A packed vector of KoalaBear elements that fits the machine: 16 with AVX-512, 8 with AVX2, 1 without.
pub(crate) type Lanes = <KoalaBear as Field>::Packing;

/// Operations in a group.
pub(crate) const LANES: usize = Lanes::WIDTH;

/// A field element a lane.
pub(crate) type Wide = Septic<Lanes>;

/// A point a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WidePoint {
    pub(crate) x: Wide,
    pub(crate) y: Wide,
}

/// The elements `of(lane)`.
#[inline]
pub(crate) fn gather(of: impl Fn(usize) -> Fp7) -> Wide {
    let mut out = Wide::ZERO;
    for lane in 0..LANES {
        let value = of(lane);
        for (out, value) in out.0.iter_mut().zip(value.0) {
            out.as_slice_mut()[lane] = value;
        }
    }
    out
}

impl WidePoint {
    /// The points `of(lane)`.
    #[inline]
    pub(crate) fn gather(of: impl Fn(usize) -> AffinePoint) -> Self {
        Self { x: gather(|lane| of(lane).x()), y: gather(|lane| of(lane).y()) }
    }

    /// self + `rhs`, given the slope of their chord; y read off the line at `rhs`.
    #[inline]
    pub(crate) fn sum(&self, rhs: &Self, lambda: &Wide) -> Self {
        let x = lambda.dot_square() - self.x - rhs.x;
        Self { x, y: lambda.dot_mul(&(rhs.x - x)) - rhs.y }
    }
}

/// A bit a lane.
#[inline]
pub(crate) fn bits(of: impl Fn(usize) -> bool) -> Lanes {
    Lanes::from_fn(|lane| KoalaBear::from_bool(of(lane)))
}

/// Lanes in which something went wrong, one bit a lane.
pub(crate) type LaneMask = u64;

const _: () = assert!(LANES <= LaneMask::BITS as usize);

/// Inverts many elements at once. Its buffers are kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Inverter {
    /// What is to be inverted; after [`Self::invert`] the inverses.
    pub(crate) values: Vec<Wide>,
    before: Vec<Wide>,
}

impl Inverter {
    /// Replaces the values by their inverses: Montgomery's trick, three products a value. `zero` is called with the
    /// index of each value with zeros, and the lanes they are in; such a lane is taken for 1.
    pub(crate) fn invert(&mut self, mut zero: impl FnMut(usize, LaneMask)) {
        let mut product = self.multiply();
        let norm = product.norm();
        if norm.as_slice().iter().any(KoalaBear::is_zero) {
            for (index, value) in self.values.iter_mut().enumerate() {
                let mut mask = 0;
                for lane in 0..LANES {
                    if value.0.iter().all(|c| c.as_slice()[lane].is_zero()) {
                        mask |= 1 << lane;
                        value.0[0].as_slice_mut()[lane] = KoalaBear::ONE;
                    }
                }
                if mask != 0 {
                    zero(index, mask);
                }
            }
            product = self.multiply();
        }
        let mut inverse = product.inv0_packed();
        for (value, before) in self.values.iter_mut().zip(&self.before).rev() {
            let old = *value;
            *value = inverse.dot_mul(before);
            inverse = inverse.dot_mul(&old);
        }
    }

    /// Keeps the product of the values before each value; returns the product of all.
    fn multiply(&mut self) -> Wide {
        self.before.clear();
        let mut product = Wide::ONE;
        for value in &self.values {
            self.before.push(product);
            product = product.dot_mul(value);
        }
        product
    }
}

/// The rows of a group: `width` cells for each operation, at most one a lane.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    width: usize,
    cells: &'a mut [KoalaBear],
}

impl<'a> Rows<'a> {
    /// Rows of `width` cells each.
    pub(crate) const fn new(width: usize, cells: &'a mut [KoalaBear]) -> Self {
        Self { width, cells }
    }

    /// The row of each lane that has one.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [KoalaBear]> {
        self.cells.chunks_exact_mut(self.width)
    }

    /// Writes an element into the seven columns from `column` on.
    #[inline]
    pub(crate) fn write(&mut self, column: usize, value: &Wide) {
        for (lane, row) in self.cells.chunks_exact_mut(self.width).enumerate() {
            for (cell, value) in row[column..column + DEGREE].iter_mut().zip(&value.0) {
                *cell = value.as_slice()[lane];
            }
        }
    }

    /// Writes a number into one column.
    #[inline]
    pub(crate) fn write_cell(&mut self, column: usize, value: &Lanes) {
        for (lane, row) in self.cells.chunks_exact_mut(self.width).enumerate() {
            row[column] = value.as_slice()[lane];
        }
    }
}
