//! Rows of the double-and-add ladder: SCALAR_MUL and VERIFY with one row a bit.

use super::decode::number;
use super::points::element;
use super::trace::EventTrace;
use super::view::{Decoded, PointView};
use super::violations::canonical;
use crate::chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW, limb_on_row};
use crate::curve::KoalaBear;
use crate::curve::p3_field::PrimeCharacteristicRing;

/// A kind of row, the points and the numbers on it.
pub(super) fn row(trace: &EventTrace, row: usize) -> (String, Vec<PointView>, Vec<Decoded>) {
    let ladder = Ladder { trace, row, verify: trace.shape.field("digit_g").is_some() };
    (ladder.kind(), ladder.points(), ladder.numbers())
}

struct Ladder<'a> {
    trace: &'a EventTrace,
    row: usize,
    /// Two scalars: s of G and e of A.
    verify: bool,
}

impl Ladder<'_> {
    /// The scalar of the base, and the base.
    const fn scalar(&self) -> [&'static str; 2] {
        if self.verify { ["e", "A"] } else { ["s", "P"] }
    }

    /// The scalar's limb that stands on this row.
    fn limb(&self) -> Option<(&'static str, usize)> {
        let of_base = limb_on_row(self.row).map(|limb| (self.scalar()[0], limb));
        let before = self.row.checked_sub(1).filter(|_| self.verify);
        of_base.or_else(|| before.and_then(limb_on_row).map(|limb| ("s", limb)))
    }

    fn kind(&self) -> String {
        let mut kind = match self.row {
            0 => "first row of the block: digit row".to_owned(),
            CORRECTION_ROW => "correction: takes C_j off".to_owned(),
            OUTPUT_ROW => "last row of the block: output".to_owned(),
            _ => "inner digit row".to_owned(),
        };
        if let Some((scalar, limb)) = self.limb() {
            kind.push_str(&format!(", limb {limb} of {scalar}"));
        }
        kind
    }

    /// The cells of a field.
    fn field(&self, name: &str) -> Option<&[KoalaBear]> {
        let field = self.trace.shape.field(name)?;
        self.trace.row(self.row).get(field.offset..field.offset + field.width)
    }

    /// The first cell of a field.
    fn cell(&self, name: &str) -> KoalaBear {
        self.field(name).map_or(KoalaBear::ZERO, |cells| cells[0])
    }

    fn points(&self) -> Vec<PointView> {
        let [Some(x), Some(lambda), Some(x_t), Some(y_t)] =
            ["x", "lambda_1", "x_t", "y_t"].map(|name| self.field(name).map(element))
        else {
            return Vec::new();
        };
        // y = σy_t − λ₁(x_t − x)
        let sign = self.cell("digit").double() - KoalaBear::ONE;
        let y = y_t.map(|c| c * sign) - lambda * (x_t - x);
        let names = &self.trace.names;
        let shown = match self.row {
            CORRECTION_ROW => "T",
            OUTPUT_ROW => "T, shown as R",
            _ => "T",
        };
        vec![
            names.coordinates("acc".to_owned(), x, y, false),
            names.coordinates(shown.to_owned(), x_t, y_t, true),
        ]
    }

    fn numbers(&self) -> Vec<Decoded> {
        let mut numbers = vec![self.digit()];
        if self.verify && self.row < DIGITS {
            let digit = canonical(self.cell("digit_g"));
            numbers.push(number("digit_g", digit.to_string(), self.weight(digit, "H")));
        }
        let limb = self.limb();
        if let Some((scalar, l)) = limb {
            let value = canonical(self.cell("limb"));
            let means = format!("bits {} to {} of {scalar}", 16 * l, 16 * l + 15);
            numbers.push(number("limb", format!("0x{value:04x}"), means));
        }
        if let Some(l) = limb_on_row(self.row) {
            let carry = |low: &str, high: &str| {
                let [low, high] = [low, high].map(|name| u64::from(canonical(self.cell(name))));
                (low + 3 * high).to_string()
            };
            let means = |scalar| format!("out of limb {l} of {scalar}");
            numbers.push(number("carry", carry("carry_0", "carry_1"), means(self.scalar()[0])));
            if self.verify {
                numbers.push(number("carry_g", carry("carry_g_0", "carry_g_1"), means("s")));
            }
        }
        if self.cell("identity") == KoalaBear::ONE {
            let shown = if self.row < CORRECTION_ROW { self.scalar()[1] } else { "R" };
            numbers.push(number("identity", "1", format!("{shown} = 𝒪, whatever T is")));
        }
        let offset = canonical(self.cell("offset"));
        numbers.push(number("offset", offset.to_string(), format!("acc starts at B_{offset}")));
        numbers
    }

    fn digit(&self) -> Decoded {
        let digit = canonical(self.cell("digit"));
        let means = match (self.row, digit) {
            (CORRECTION_ROW, 0) => "acc is not C_j: R is finite".to_owned(),
            (CORRECTION_ROW, 1) => "acc is C_j: R = 𝒪".to_owned(),
            (OUTPUT_ROW, 0) => "R = 𝒪".to_owned(),
            (OUTPUT_ROW, 1) => "R is finite: acc = T".to_owned(),
            _ => self.weight(digit, "T"),
        };
        number("digit", digit.to_string(), means)
    }

    /// What a signed digit adds.
    fn weight(&self, digit: u32, point: &str) -> String {
        let sign = match digit {
            0 => "−",
            1 => "+",
            _ => return "not a bit".to_owned(),
        };
        match (DIGITS - 1).checked_sub(self.row) {
            Some(bit) => format!("{sign}{point}, of weight 2^{bit}"),
            None => String::new(),
        }
    }
}
