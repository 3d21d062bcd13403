//! Exact Gaussian elimination modulo p, row of the trace by row.
//!
//! An equation touches one row and its successor. So the cells of row 0 occur in the equations of row 0 only; once they
//! are eliminated, what is left over reads row 1 alone and joins the equations of row 1, and so on. The only
//! equations across the end of the block read its first row alone and count there.

use septic_chips::sink::Label;
use septic_curve::KoalaBear;
use septic_curve::p3_field::{Field, PrimeCharacteristicRing};

use crate::jacobian::{Equation, Jacobian};

/// Brings `rows` to echelon form in the first `columns` columns; returns the pivots found and the other rows, which are
/// zero there. Of the candidates for a pivot the sparsest is taken.
pub(crate) fn eliminate(mut rows: Vec<Vec<KoalaBear>>, columns: usize) -> (usize, Vec<Vec<KoalaBear>>) {
    let mut pivots = 0;
    // Last columns first: these are the flags and counters, whose equations are short.
    for column in (0..columns).rev() {
        let weight = |row: &[KoalaBear]| row.iter().filter(|c| !c.is_zero()).count();
        let candidates = (0..rows.len()).filter(|&r| !rows[r][column].is_zero());
        let Some(pivot) = candidates.min_by_key(|&r| weight(&rows[r])) else { continue };
        let pivot = rows.swap_remove(pivot);
        pivots += 1;
        let inverse = pivot[column].inverse();
        let terms: Vec<(usize, KoalaBear)> =
            pivot.into_iter().enumerate().filter(|(_, c)| !c.is_zero()).collect();
        for row in &mut rows {
            if !row[column].is_zero() {
                let factor = row[column] * inverse;
                for &(i, c) in &terms {
                    row[i] -= factor * c;
                }
            }
        }
    }
    (pivots, rows)
}

impl Jacobian {
    /// The rank in the cells that are not `known`, row by row, without the equations labelled as in `without`. The ranks
    /// sum up to the rank of the whole.
    pub(crate) fn ranks(&self, known: &[bool], without: &[Label]) -> Vec<usize> {
        let width = self.width;
        let mut of_row: Vec<Vec<Vec<KoalaBear>>> = vec![Vec::new(); self.height];
        for equation in self.equations.iter().filter(|e| !without.contains(&e.label)) {
            let terms: Vec<_> = equation.terms.iter().filter(|(cell, _)| !known[*cell]).collect();
            let Some(first) = terms.iter().map(|(cell, _)| cell / width).min() else { continue };
            let mut row = vec![KoalaBear::ZERO; 2 * width];
            for (cell, c) in terms {
                // Out of bounds if an equation ties the last row to the first.
                row[cell - first * width] += *c;
            }
            of_row[first].push(row);
        }
        let mut carried = Vec::new();
        let mut ranks = Vec::with_capacity(self.height);
        for own in of_row {
            let mut rows: Vec<Vec<KoalaBear>> = carried;
            rows.extend(own);
            let (pivots, rest) = eliminate(rows, width);
            ranks.push(pivots);
            carried = rest
                .into_iter()
                .filter(|row| row.iter().any(|c| !c.is_zero()))
                .map(|mut row| {
                    row.rotate_left(width);
                    row
                })
                .collect();
        }
        assert!(carried.is_empty(), "nothing is beyond the last row");
        ranks
    }

    /// The dimension of the kernel: how many cells that are not `known` can be moved at will, to first order.
    pub(crate) fn freedom(&self, known: &[bool], without: &[Label]) -> usize {
        let unknown = known.iter().filter(|known| !**known).count();
        unknown - self.ranks(known, without).iter().sum::<usize>()
    }

    /// The rank in row `row`'s cells that are not `known`, given the row before, from equations that do not read the row
    /// after; and how many equations these are.
    pub(crate) fn rank_of_row(&self, row: usize, known: &[bool]) -> (usize, usize) {
        let width = self.width;
        let before = (row + self.height - 1) % self.height;
        let here = row * width..(row + 1) * width;
        let mut rows = Vec::new();
        for Equation { row: of, terms, .. } in &self.equations {
            let given = |cell: usize| of == &before && cell / width == before;
            if ![before, row].contains(of)
                || !terms.iter().all(|(cell, _)| here.contains(cell) || given(*cell))
            {
                continue;
            }
            let mut equation = vec![KoalaBear::ZERO; width];
            for (cell, c) in terms {
                if here.contains(cell) && !known[*cell] {
                    equation[cell - here.start] += *c;
                }
            }
            if equation.iter().any(|c| !c.is_zero()) {
                rows.push(equation);
            }
        }
        let equations = rows.len();
        (eliminate(rows, width).0, equations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Random;

    /// Row by row or all at once: the same rank, on random band systems of any rank.
    #[test]
    fn band_elimination_is_elimination() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let (width, height) = (1 + random.below(5), 1 + random.below(6));
            let mut equations = Vec::new();
            for row in 0..height {
                for _ in 0..random.below(2 * width + 1) {
                    let span = if row + 1 < height { 2 * width } else { width };
                    let terms = (0..span)
                        .map(|i| (row * width + i, KoalaBear::from_usize(random.below(6) / 3 * (1 + i % 2))))
                        .filter(|(_, c)| !c.is_zero())
                        .collect();
                    equations.push(Equation { label: Label("any"), row, terms });
                }
            }
            let known: Vec<bool> = (0..width * height).map(|_| random.below(5) == 0).collect();
            let dense = equations
                .iter()
                .map(|e| {
                    let mut row = vec![KoalaBear::ZERO; width * height];
                    for &(cell, c) in e.terms.iter().filter(|(cell, _)| !known[*cell]) {
                        row[cell] = c;
                    }
                    row
                })
                .collect();
            let (rank, _) = eliminate(dense, width * height);
            let jacobian = Jacobian { width, height, equations };
            assert_eq!(jacobian.ranks(&known, &[]).iter().sum::<usize>(), rank);
        }
    }
}
