//! The Jacobian of all equations of one operation's rows.

use septic_chips::Chip;
use septic_chips::check::field_flags;
use septic_chips::columns::ColumnSet;
use septic_chips::sink::Label;
use septic_curve::KoalaBear;
use septic_curve::p3_field::PrimeCharacteristicRing;

use crate::dual::{Collector, Dual};

/// The equations of one row and its successor, evaluated on dual numbers.
pub(crate) fn evaluate<C: Chip>(
    local: &[Dual],
    next: &[Dual],
    row: usize,
    parameters: &[KoalaBear],
) -> Vec<(Label, Dual)> {
    let flags: Vec<KoalaBear> = field_flags::<C, KoalaBear>(row);
    let parameters: Vec<Dual> = parameters.iter().copied().map(Dual::constant).collect();
    let mut sink = Collector::default();
    C::eval(
        &mut sink,
        &C::Cols::from_fn(|i| local[i]),
        &C::Cols::from_fn(|i| next[i]),
        &C::Flags::from_fn(|i| Dual::constant(flags[i])),
        &parameters,
    );
    sink.0
}

/// One linear equation: Σ coefficient·(change of cell) = 0. Cell `row·width + column`.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) label: Label,
    /// The row whose constraints it belongs to.
    pub(crate) row: usize,
    /// Terms with non-zero coefficients.
    pub(crate) terms: Vec<(usize, KoalaBear)>,
}

/// The linear equations that a change of the cells satisfies to first order.
#[derive(Clone, Debug)]
pub(crate) struct Jacobian {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) equations: Vec<Equation>,
}

impl Jacobian {
    /// The Jacobian at the given cells. The successor of the last row is the first.
    ///
    /// One evaluation a cell of the row and one a cell of its successor, each with the derivative along that cell.
    pub(crate) fn at<C: Chip>(cells: &[KoalaBear], parameters: &[KoalaBear]) -> Self {
        let (width, height) = (C::WIDTH, cells.len() / C::WIDTH);
        let mut equations = Vec::new();
        for row in 0..height {
            let after = (row + 1) % height;
            let of = |row: usize| -> Vec<Dual> {
                cells[row * width..][..width].iter().copied().map(Dual::constant).collect()
            };
            let (mut local, mut next) = (of(row), of(after));
            let honest = evaluate::<C>(&local, &next, row, parameters);
            let first = equations.len();
            equations.extend(honest.into_iter().map(|(label, _)| Equation { label, row, terms: Vec::new() }));
            let mut collect = |cell: usize, found: Vec<(Label, Dual)>| {
                for (equation, (_, dual)) in equations[first..].iter_mut().zip(found) {
                    if dual.derivative != KoalaBear::ZERO {
                        equation.terms.push((cell, dual.derivative));
                    }
                }
            };
            for column in 0..width {
                local[column].derivative = KoalaBear::ONE;
                collect(row * width + column, evaluate::<C>(&local, &next, row, parameters));
                local[column].derivative = KoalaBear::ZERO;
            }
            for column in 0..width {
                next[column].derivative = KoalaBear::ONE;
                collect(after * width + column, evaluate::<C>(&local, &next, row, parameters));
                next[column].derivative = KoalaBear::ZERO;
            }
        }
        Self { width, height, equations }
    }

    pub(crate) fn cells(&self) -> usize {
        self.width * self.height
    }
}

#[cfg(test)]
mod tests {
    use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
    use septic_curve::p3_field::Field;

    use super::*;
    use crate::support::Random;

    /// Constraints have degree at most 3, so their values at four points of a line give the derivative along it, exactly:
    /// f′(0) = −11/6·f(0) + 3·f(1) − 3/2·f(2) + 1/3·f(3).
    fn derivatives_are_those_of_the_values<C: Chip>() {
        let mut random = Random::new(7);
        let small = |n: i64, d: i64| KoalaBear::from_i64(n) * KoalaBear::from_i64(d).inverse();
        let weights = [small(-11, 6), small(3, 1), small(-3, 2), small(1, 3)];
        for row in [0, 1, 13, 14, 253, 254, 255] {
            let mut draw = |n: usize| -> Vec<KoalaBear> { (0..n).map(|_| random.element()).collect() };
            let (start, direction) = (draw(2 * C::WIDTH), draw(2 * C::WIDTH));
            let parameters = draw(C::NUM_PARAMETERS);
            let at = |t: i64| {
                let cells: Vec<Dual> = start
                    .iter()
                    .zip(&direction)
                    .map(|(&a, &b)| Dual { value: a + b * KoalaBear::from_i64(t), derivative: b })
                    .collect();
                evaluate::<C>(&cells[..C::WIDTH], &cells[C::WIDTH..], row % C::ROWS_PER_EVENT, &parameters)
            };
            let values = [at(0), at(1), at(2), at(3)];
            for (i, &(label, dual)) in values[0].iter().enumerate() {
                let slope: KoalaBear = values.iter().zip(weights).map(|(v, w)| v[i].1.value * w).sum();
                assert_eq!(dual.derivative, slope, "{label} on row {row}");
            }
        }
    }

    #[test]
    fn derivatives_are_exact() {
        derivatives_are_those_of_the_values::<AddChip>();
        derivatives_are_those_of_the_values::<DoubleChip>();
        derivatives_are_those_of_the_values::<ScalarMulChip>();
        derivatives_are_those_of_the_values::<VerifyChip>();
    }
}
