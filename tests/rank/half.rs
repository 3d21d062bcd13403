//! The tables with half-size scalars: a control row and its operation's step rows, tied by their messages.
//!
//! A message that is sent and received once is a list of equations: its fields on both rows agree. The state messages tie
//! the step rows to each other and to the control row, the digits messages tie the digits to the control row's bytes and
//! limbs. An operation without a chain has no such equations; its step rows are padding.
//!
//! | fixed | unknown |
//! |-------|---------|
//! | claims and bytes | everything but the instance columns, quotients and carries |
//! | claims | everything but the instance columns |
//! | inputs and bytes | the same, and R |
//!
//! Quotients and carries are bytes by the range table, and integers have no directions. Without it their equations leave
//! 40 dimensions a product: 63 cells, 23 equations.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter};
use std::sync::LazyLock;

use septic_chips::Operation;
use septic_chips::bus::{Bus, Count, MessageSink};
use septic_chips::columns::{ColumnSet, Field};
use septic_chips::sink::Label;
use septic_chips::table::{Place, Table};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Point, Scalar, Scalar256, params};
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfVerify};
use septic_trace::{ScalarMulEvent, VerifyEvent};

use crate::dual::{Collector, Dual};
use crate::elimination::eliminate;
use crate::support::{Random, multiple};
use Part::{Control, Steps};

/// What is held fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixed {
    /// The instance columns, quotients and carries.
    ClaimsAndBytes,
    /// The instance columns.
    Claims,
    /// The same without R, quotients and carries.
    InputsAndBytes,
}

impl Fixed {
    pub(crate) const ALL: [Self; 3] = [Self::ClaimsAndBytes, Self::Claims, Self::InputsAndBytes];
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Control,
    Steps,
}

/// Cells: fields, of the first so many columns.
type Cells = &'static [(Part, &'static str, usize)];

/// Directions: the cells of `at` can be chosen at will, and when they do not move, neither does any cell of `along`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) why: &'static str,
    at: Cells,
    along: Cells,
}

impl Free {
    /// The fields that can be chosen.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.at.iter().map(|(_, name, _)| *name).collect()
    }
}

/// Equations of messages.
const STATE: Label = Label("messages.state");
const DIGITS: Label = Label("messages.digits");

/// Every column of a field.
const ALL: usize = usize::MAX;

/// The messages of a row on dual numbers.
#[derive(Default)]
struct Messages(Vec<(Bus, Vec<Dual>)>);

impl MessageSink for Messages {
    type Expr = Dual;

    fn constant(&self, c: u32) -> Dual {
        Dual::constant(KoalaBear::from_u32(c))
    }

    fn message(&mut self, _: Label, bus: Bus, _: Count<Dual>, fields: Vec<Dual>) {
        self.0.push((bus, fields));
    }
}

/// Σ coefficient·(change of cell).
type Terms = Vec<(usize, KoalaBear)>;

/// An equation with its label.
type Labelled = (Label, Terms);

/// The equations of a row in its own cells, and the fields of its messages.
struct Row {
    equations: Vec<Labelled>,
    messages: Vec<Vec<(KoalaBear, Terms)>>,
}

impl Row {
    /// `before` are the cells of the row before, if there is one; `after` those of the next.
    fn at<T: Table>(
        cells: &[KoalaBear],
        before: Option<&[KoalaBear]>,
        after: &[KoalaBear],
        t: KoalaBear,
    ) -> Self {
        let constants =
            |cells: &[KoalaBear]| -> Vec<Dual> { cells.iter().map(|&c| Dual::constant(c)).collect() };
        let one = Dual::constant(KoalaBear::ONE);
        let zero = Dual::constant(KoalaBear::ZERO);
        let flags = T::Flags::from_fn(|_| zero);
        let is_first = if before.is_none() { one } else { zero };
        let eval = |local: &[Dual], next: &[Dual], is_first| {
            let mut sink = Collector::default();
            let (local, next) = (T::Cols::from_fn(|i| local[i]), T::Cols::from_fn(|i| next[i]));
            let place = Place { is_first, is_transition: one };
            T::eval(&mut sink, &local, &next, &flags, &place, &[Dual::constant(t)]);
            sink.0
        };
        let messages = |local: &[Dual]| {
            let mut sink = Messages::default();
            T::messages(&mut sink, &T::Cols::from_fn(|i| local[i]));
            sink.0.into_iter().filter(|(bus, _)| *bus != Bus::BytePair).map(|(_, fields)| fields)
        };
        let (mut here, after) = (constants(cells), constants(after));
        let before = before.map(constants);
        let own = eval(&here, &after, is_first).len();
        // What the row before asks of this row comes last.
        let all = |here: &[Dual]| {
            let mut found = eval(here, &after, is_first);
            if let Some(before) = &before {
                found.extend(eval(before, here, zero));
            }
            found
        };
        let honest = all(&here);
        assert!(honest.iter().all(|(_, dual)| dual.value == KoalaBear::ZERO));
        let mut equations: Vec<Labelled> = honest.into_iter().map(|(label, _)| (label, Vec::new())).collect();
        let mut fields: Vec<Vec<(KoalaBear, Terms)>> = messages(&here)
            .map(|fields| fields.into_iter().map(|dual| (dual.value, Vec::new())).collect())
            .collect();
        for column in 0..cells.len() {
            here[column].derivative = KoalaBear::ONE;
            for (equation, (_, dual)) in equations.iter_mut().zip(all(&here)) {
                if dual.derivative != KoalaBear::ZERO {
                    equation.1.push((column, dual.derivative));
                }
            }
            for (fields, duals) in fields.iter_mut().zip(messages(&here)) {
                for (field, dual) in fields.iter_mut().zip(duals) {
                    if dual.derivative != KoalaBear::ZERO {
                        field.1.push((column, dual.derivative));
                    }
                }
            }
            here[column].derivative = KoalaBear::ZERO;
        }
        let asked = equations.split_off(own).into_iter().filter(|(_, terms)| !terms.is_empty());
        equations.extend(asked);
        Self { equations, messages: fields }
    }
}

/// An honest operation.
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) name: &'static str,
    /// The control row.
    control: Vec<KoalaBear>,
    widths: [usize; 2],
    fields: [&'static [Field]; 2],
    instance_columns: &'static [usize],
    /// Equations of rows: the control row, then the step rows. Cells are numbered through.
    rows: Vec<Vec<Labelled>>,
    /// Equations between rows.
    links: Vec<Labelled>,
    /// Columns of a step row that occur in links.
    linked: Vec<bool>,
    expected: [&'static [Free]; 3],
    pub(crate) found: [(usize, usize); 3],
}

impl Case {
    /// Event `event` of `events`; padding if there are fewer events.
    fn new<O: HalfOperation>(
        operation: Operation,
        name: &'static str,
        events: &[O::Event],
        event: usize,
        expected: [&'static [Free]; 3],
    ) -> Self {
        let trace = O::generate(events).unwrap();
        let widths = [O::Control::WIDTH, O::Steps::WIDTH];
        let fields = [
            <<O::Control as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS,
            <<O::Steps as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS,
        ];
        let control = |row: usize| &trace.control.values[row * widths[0]..][..widths[0]];
        let steps = |row: usize| &trace.steps.values[row * widths[1]..][..widths[1]];
        let before = event.checked_sub(1).map(control);
        let mut parts =
            vec![Row::at::<O::Control>(control(event), before, control(event + 1), trace.parameter)];
        let first = event * O::ROWS;
        for row in first..first + O::ROWS {
            parts.push(Row::at::<O::Steps>(steps(row), None, steps(row), trace.parameter));
        }
        let place = |row: usize| if row == 0 { 0 } else { widths[0] + (row - 1) * widths[1] };
        let moved = |row: usize, terms: &Terms| -> Terms {
            terms.iter().map(|&(cell, c)| (cell + place(row), c)).collect()
        };
        let rows = parts
            .iter()
            .enumerate()
            .map(|(row, part)| {
                part.equations.iter().map(|(label, terms)| (*label, moved(row, terms))).collect()
            })
            .collect();
        // Messages of a step row: state before, state after, digits. Of the control row: start, end, digits.
        let real = septic_chips::columns::column(fields[1], "real");
        let mut links = Vec::new();
        if steps(first)[real] == KoalaBear::ONE {
            let mut tie = |label, (row, message): (usize, usize), (other_row, other): (usize, usize)| {
                let (left, right) = (&parts[row].messages[message], &parts[other_row].messages[other]);
                assert_eq!(left.len(), right.len());
                for ((value, terms), (other_value, other_terms)) in left.iter().zip(right) {
                    assert_eq!(value, other_value);
                    let mut equation = moved(row, terms);
                    equation.extend(moved(other_row, other_terms).into_iter().map(|(cell, c)| (cell, -c)));
                    links.push((label, equation));
                }
            };
            tie(STATE, (0, 0), (1, 0));
            for row in 1..=O::ROWS {
                tie(STATE, (row, 1), if row < O::ROWS { (row + 1, 0) } else { (0, 1) });
                tie(DIGITS, (row, 2), (0, 1 + row));
            }
        }
        // The same columns for all rows.
        let interface = [
            "id", "index", "real", "x_n", "y_n", "x_m", "y_m", "x_in", "y_in", "y_out", "w", "g_high",
            "sign", "sign_g",
        ];
        let last = septic_chips::columns::column(fields[1], "lambda_1") - 7;
        let linked: Vec<bool> = (0..widths[1])
            .map(|column| {
                let field =
                    fields[1].iter().find(|f| (f.offset..f.offset + f.width).contains(&column)).unwrap();
                interface.contains(&field.name) || (field.name == "x_out" && column >= last)
            })
            .collect();
        for (cell, _) in links.iter().flat_map(|(_, terms)| terms).filter(|(cell, _)| *cell >= widths[0]) {
            assert!(linked[(cell - widths[0]) % widths[1]]);
        }
        let instance_columns = O::Control::INSTANCE_COLUMNS;
        let mut case = Self {
            operation,
            name,
            control: control(event).to_vec(),
            widths,
            fields,
            instance_columns,
            rows,
            links,
            linked,
            expected,
            found: [(0, 0); 3],
        };
        case.found = Fixed::ALL.map(|fixed| {
            let known = case.known(fixed);
            (known.iter().filter(|known| !**known).count(), case.freedom(&known, &[]))
        });
        case
    }

    /// A cell of the control row.
    fn cell(&self, name: &str, i: usize) -> KoalaBear {
        self.control[septic_chips::columns::column(self.fields[0], name) + i]
    }

    pub(crate) fn expected(&self, fixed: Fixed) -> &'static [Free] {
        self.expected[fixed as usize]
    }

    /// Whether the kernel is larger without the equations of these labels.
    fn carry_rank(&self, labels: &[&str]) -> bool {
        self.freedom(&self.known(Fixed::Claims), labels) > self.found[Fixed::Claims as usize].1
    }

    /// The labels whose equations carry rank alone, and the others.
    pub(crate) fn removals(&self) -> [BTreeSet<&'static str>; 2] {
        let labels: BTreeSet<&'static str> =
            self.rows.iter().flatten().chain(&self.links).map(|(label, _)| label.0).collect();
        let (alone, rest) = labels.into_iter().partition(|label| self.carry_rank(&[label]));
        [alone, rest]
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self) -> usize {
        self.widths[0] + (self.rows.len() - 1) * self.widths[1]
    }

    pub(crate) fn equations(&self) -> usize {
        self.rows.iter().map(Vec::len).sum::<usize>() + self.links.len()
    }

    fn known(&self, fixed: Fixed) -> Vec<bool> {
        let mut known = vec![false; self.cells()];
        self.instance_columns.iter().for_each(|&column| known[column] = true);
        let bytes = |field: &&Field| field.name.starts_with("quotient") || field.name.starts_with("carry");
        if fixed != Fixed::Claims {
            for field in self.fields[0].iter().filter(bytes) {
                known[field.offset..field.offset + field.width].fill(true);
            }
        }
        if fixed == Fixed::InputsAndBytes {
            for field in self.fields[0].iter().filter(|field| ["x_r", "y_r"].contains(&field.name)) {
                known[field.offset..field.offset + field.width].fill(false);
            }
        }
        known
    }

    /// The dimension of the kernel. The cells of a step row that no link reads are eliminated from the row's own
    /// equations; what is left over joins the control row's equations and the links.
    fn freedom(&self, known: &[bool], without: &[&str]) -> usize {
        let kept = |equation: &&Labelled| !without.contains(&equation.0.0);
        let [control, width] = self.widths;
        let mut number = vec![usize::MAX; self.cells()];
        let mut shared = 0;
        for cell in 0..self.cells() {
            if !known[cell] && (cell < control || self.linked[(cell - control) % width]) {
                number[cell] = shared;
                shared += 1;
            }
        }
        let dense = |(_, terms): &Labelled| {
            let mut row = vec![KoalaBear::ZERO; shared];
            terms.iter().filter(|(cell, _)| !known[*cell]).for_each(|&(cell, c)| row[number[cell]] += c);
            row
        };
        let mut rank = 0;
        let mut all: Vec<Vec<KoalaBear>> =
            self.rows[0].iter().chain(&self.links).filter(kept).map(dense).collect();
        for (row, equations) in self.rows[1..].iter().enumerate() {
            let here = control + row * width..control + (row + 1) * width;
            let unknown: Vec<usize> = here.filter(|&cell| !known[cell]).collect();
            let (inner, outer): (Vec<usize>, Vec<usize>) =
                unknown.into_iter().partition(|&cell| number[cell] == usize::MAX);
            let order: Vec<usize> = [&inner[..], &outer[..]].concat();
            let mut at = vec![usize::MAX; width];
            order.iter().enumerate().for_each(|(i, cell)| at[(cell - control) % width] = i);
            let own = equations
                .iter()
                .filter(kept)
                .map(|(_, terms)| {
                    let mut row = vec![KoalaBear::ZERO; order.len()];
                    for &(cell, c) in terms.iter().filter(|(cell, _)| !known[*cell]) {
                        row[at[(cell - control) % width]] += c;
                    }
                    row
                })
                .filter(|row| row.iter().any(|&c| c != KoalaBear::ZERO))
                .collect();
            let (pivots, rest) = eliminate(own, inner.len());
            rank += pivots;
            for row in rest {
                let mut wide = vec![KoalaBear::ZERO; shared];
                outer.iter().zip(&row[inner.len()..]).for_each(|(&cell, &c)| wide[number[cell]] = c);
                all.push(wide);
            }
        }
        all.retain(|row| row.iter().any(|&c| c != KoalaBear::ZERO));
        rank += eliminate(all, shared).0;
        known.iter().filter(|known| !**known).count() - rank
    }

    /// The cells that a list names.
    fn cells_of(&self, cells: Cells) -> Vec<usize> {
        let mut found = Vec::new();
        for &(part, name, columns) in cells {
            let part = part as usize;
            let field = self.fields[part].iter().find(|field| field.name == name).unwrap();
            let starts = if part == 0 { 0..1 } else { 0..self.rows.len() - 1 };
            let first = part * self.widths[0] + field.offset;
            let columns = columns.min(field.width);
            found.extend(
                starts.flat_map(|row| first + row * self.widths[1]..first + row * self.widths[1] + columns),
            );
        }
        found
    }

    /// The kernel has the dimension of the explained directions, moves their cells only, and vanishes with their
    /// coordinates.
    fn check(&self, fixed: Fixed) {
        let parts = self.expected(fixed);
        let at: Vec<usize> = parts.iter().flat_map(|part| self.cells_of(part.at)).collect();
        let along: Vec<usize> = parts.iter().flat_map(|part| self.cells_of(part.along)).collect();
        let context = || format!("{} {}, {fixed:?} fixed", self.operation, self.name);
        let known = self.known(fixed);
        let dimension = self.found[fixed as usize].1;
        assert_eq!(dimension, at.len(), "{}", context());
        let with = |fix: &dyn Fn(usize) -> bool| {
            let known: Vec<bool> =
                known.iter().enumerate().map(|(cell, &known)| known || fix(cell)).collect();
            self.freedom(&known, &[])
        };
        if dimension > 0 {
            assert_eq!(
                with(&|cell| !at.contains(&cell) && !along.contains(&cell)),
                dimension,
                "{}",
                context()
            );
            assert_eq!(with(&|cell| at.contains(&cell)), 0, "{}", context());
        }
    }
}

/// Without a range table bytes are numbers modulo p, and 22 carries and all but one byte of q can be chosen.
const BYTES: Free = Free {
    why: "quotients and carries are not bytes",
    at: &[(Control, "quotient", 18), (Control, "carry_high", ALL)],
    along: &[(Control, "quotient", ALL), (Control, "carry_low", ALL)],
};
const BYTES_E: Free = Free {
    why: "quotients and carries are not bytes",
    at: &[(Control, "quotient_e", 18), (Control, "carry_high_e", ALL)],
    along: &[(Control, "quotient_e", ALL), (Control, "carry_low_e", ALL)],
};
const BYTES_S: Free = Free {
    why: "quotients and carries are not bytes",
    at: &[(Control, "quotient_s", 18), (Control, "carry_high_s", ALL)],
    along: &[(Control, "quotient_s", ALL), (Control, "carry_low_s", ALL)],
};
/// C12–C17 read 0 = 0. Don't-care cells of the table.
const NO_SUMS: Free = Free {
    why: "no chain: M and the slopes of N and M mean nothing",
    at: &[
        (Control, "x_m", ALL),
        (Control, "y_m", ALL),
        (Control, "lambda_n", ALL),
        (Control, "lambda_m", ALL),
    ],
    along: &[],
};
/// C18–C21 hold N, E and λ_e together without a chain; nobody receives N and E.
const NO_END: Free = Free {
    why: "no chain: N and E on a line with the sum (0, 0)",
    at: &[(Control, "x_n", ALL), (Control, "lambda_e", ALL)],
    along: &[(Control, "x_e", ALL)],
};
/// offset² = 0 is a double point: 0 is its only solution.
const NO_OFFSET: Free = Free {
    why: "no chain: offset^2 = 0 is a double point",
    at: &[(Control, "offset", ALL)],
    along: &[(Control, "x_e", ALL), (Control, "y_n", ALL), (Control, "y_e", ALL)],
};
/// The tables' don't-care cells on rows with real = 0, and what is free with them.
const NO_STEPS: Free = Free {
    why: "rows with real = 0 send nothing",
    at: &[
        (Steps, "id", ALL),
        (Steps, "index", ALL),
        (Steps, "x_n", ALL),
        (Steps, "x_m", ALL),
        (Steps, "y_m", ALL),
        (Steps, "x_in", ALL),
        (Steps, "lambda_1", ALL),
        (Steps, "lambda_2", ALL),
        (Steps, "witness", ALL),
    ],
    along: &[(Steps, "x_out", ALL)],
};
const NO_ADDITIONS: Free = Free {
    why: "rows with real = 0 add nothing",
    at: &[(Steps, "lambda_3", ALL), (Steps, "witness_g", ALL)],
    along: &[],
};
/// u·0 + w = q·r and h(u) = 0. Don't-care cells of the tables.
const NO_SCALAR: Free = Free {
    why: "padding: s = 0 and h(u) = 0",
    at: &[(Control, "u", ALL), (Control, "witness", ALL)],
    along: &[],
};
/// Bytes of q and carries take any w.
const NO_ADDEND: Free = Free {
    why: "padding: quotients and carries that are no bytes take any w",
    at: &[(Control, "w", ALL)],
    along: &[(Control, "quotient", ALL), (Control, "carry_low", ALL)],
};
const NO_ADDENDS: Free = Free {
    why: "padding: quotients and carries that are no bytes take any w and g",
    at: &[(Control, "w", ALL), (Control, "g_low", ALL), (Control, "g_high", ALL)],
    along: &[
        (Control, "quotient_e", ALL),
        (Control, "carry_low_e", ALL),
        (Control, "quotient_s", ALL),
        (Control, "carry_low_s", ALL),
    ],
};
/// At (0, 0) the curve equation reads y² = 0. The claims say 0.
const R_DOUBLE_POINT: Free =
    Free { why: "y_r^2 = 0 is a double point", at: &[(Control, "y_r", ALL)], along: &[] };
/// A don't-care cell of VERIFY's control table.
const NO_LINE: Free =
    Free { why: "R = O: no line through R and kG", at: &[(Control, "lambda_s", ALL)], along: &[] };
/// VERIFY's relations hold S, N, M and E together at (0, 0).
const NO_POINTS: Free = Free {
    why: "padding: S, N, M and E move together, to first order",
    at: &[
        (Control, "x_s", ALL),
        (Control, "lambda_s", ALL),
        (Control, "lambda_n", ALL),
        (Control, "lambda_m", ALL),
        (Control, "lambda_e", ALL),
        (Control, "witness_s", ALL),
    ],
    along: &[(Control, "x_n", ALL), (Control, "x_m", ALL), (Control, "x_e", ALL)],
};

/// Kernels for each of [`Fixed::ALL`].
type Expected = [&'static [Free]; 3];

const SCALAR_MUL_CHAIN: Expected = [&[], &[BYTES], &[]];
const SCALAR_MUL_IDLE: Expected = [
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS],
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS, BYTES],
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS],
];
const SCALAR_MUL_PADDING: Expected = [
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS, NO_SCALAR],
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS, NO_SCALAR, BYTES, NO_ADDEND],
    &[NO_SUMS, NO_END, NO_OFFSET, NO_STEPS, NO_SCALAR, R_DOUBLE_POINT],
];
const VERIFY_CHAIN: Expected = [&[], &[BYTES_E, BYTES_S], &[]];
const VERIFY_IDENTITY: Expected = [&[NO_LINE], &[NO_LINE, BYTES_E, BYTES_S], &[NO_LINE]];
const VERIFY_PADDING: Expected = [
    &[NO_POINTS, NO_STEPS, NO_ADDITIONS, NO_SCALAR],
    &[NO_POINTS, NO_STEPS, NO_ADDITIONS, NO_SCALAR, BYTES_E, BYTES_S, NO_ADDENDS],
    &[NO_POINTS, NO_STEPS, NO_ADDITIONS, NO_SCALAR, R_DOUBLE_POINT],
];

fn scalar_mul() -> Vec<Case> {
    let mut random = Random::new(15);
    let mut cases = Vec::new();
    let mut mul = |name, p, s, expected| {
        let events = [ScalarMulEvent { p, s }];
        cases.push(Case::new::<HalfScalarMul>(Operation::ScalarMul, name, &events, 0, expected));
    };
    let (p, s) = (random.point(), random.scalar());
    mul("generic", p, s, SCALAR_MUL_CHAIN);
    mul("s = 2^256 - 1", random.point(), Scalar256::MAX, SCALAR_MUL_CHAIN);
    let minus_one = Scalar256::from(-Scalar::from(1_u64));
    mul("s = 0", p, Scalar256::ZERO, SCALAR_MUL_IDLE);
    mul("s = r", p, Scalar256::from(params::ORDER), SCALAR_MUL_IDLE);
    mul("s = 1", p, Scalar256::ONE, SCALAR_MUL_IDLE);
    mul("s = -1", p, minus_one, SCALAR_MUL_IDLE);
    mul("P = O", Point::Identity, s, SCALAR_MUL_IDLE);
    mul("P = G", Point::GENERATOR, s, SCALAR_MUL_CHAIN);
    mul("P = -G", -Point::GENERATOR, s, SCALAR_MUL_CHAIN);
    let quarter = Scalar::from(4_u64).invert().unwrap();
    let start = Point::from(params::OFFSETS[0]).mul_vartime(&quarter.into());
    for (name, p) in [("R - P = B_0", start), ("R - P = -B_0", -start)] {
        mul(name, p, Scalar256::from(5_u64), SCALAR_MUL_CHAIN);
    }
    let event = ScalarMulEvent { p, s };
    cases.push(Case::new::<HalfScalarMul>(
        Operation::ScalarMul,
        "second row",
        &[event; 2],
        1,
        SCALAR_MUL_CHAIN,
    ));
    cases.push(Case::new::<HalfScalarMul>(
        Operation::ScalarMul,
        "padding",
        &[event; 3],
        3,
        SCALAR_MUL_PADDING,
    ));
    cases.push(Case::new::<HalfScalarMul<8, 14>>(
        Operation::ScalarMul,
        "8 steps a row",
        &[event],
        0,
        SCALAR_MUL_CHAIN,
    ));
    cases
}

fn verify() -> Vec<Case> {
    let mut random = Random::new(16);
    let mut cases = Vec::new();
    let mut verify = |name, a, s, e, expected| {
        let events = [VerifyEvent { a, s, e }];
        cases.push(Case::new::<HalfVerify>(Operation::Verify, name, &events, 0, expected));
    };
    let (a, s, e) = (random.point(), random.scalar(), random.scalar());
    let g = Point::GENERATOR;
    let minus = |k: u64| Scalar256::from(-Scalar::from(k));
    verify("generic, k = 1", a, s, e, VERIFY_CHAIN);
    verify("s = e = 2^256 - 1", a, Scalar256::MAX, Scalar256::MAX, VERIFY_CHAIN);
    verify("s = 0", a, Scalar256::ZERO, e, VERIFY_CHAIN);
    verify("e = 0", a, s, Scalar256::ZERO, VERIFY_CHAIN);
    verify("A = O", Point::Identity, s, e, VERIFY_CHAIN);
    verify("A = G", g, s, e, VERIFY_CHAIN);
    verify("A = -G", -g, s, e, VERIFY_CHAIN);
    verify("R = A", a, Scalar256::ZERO, Scalar256::ONE, VERIFY_CHAIN);
    verify("R = -A", a, Scalar256::ZERO, minus(1), VERIFY_CHAIN);
    verify("R = O", multiple(7, g), minus(7), Scalar256::ONE, VERIFY_IDENTITY);
    // R = ±G excludes k = 1, R + 2G = A excludes k = 2; R = −2G excludes 2, R + G = −A and R + 3G = A exclude 1 and 3.
    verify("R = G, k = 2", multiple(7, g), minus(6), Scalar256::ONE, VERIFY_CHAIN);
    verify("R = -G, k = 2", multiple(7, g), minus(8), Scalar256::ONE, VERIFY_CHAIN);
    verify("R = G, k = 3", multiple(3, g), minus(2), Scalar256::ONE, VERIFY_CHAIN);
    verify("R = -2G, k = 4", g, minus(3), Scalar256::ONE, VERIFY_CHAIN);
    // e = 5: u = 1, w = −5, and the first step adds S − A = (s + 1)·G + 4·A.
    let quarter = Scalar256::from(Scalar::from(4_u64).invert().unwrap());
    for (name, b) in
        [("S - A = B_0", params::OFFSETS[0].into()), ("S - A = -B_0", -Point::from(params::OFFSETS[0]))]
    {
        let a = (b - multiple(10, g)).mul_vartime(&quarter);
        verify(name, a, Scalar256::from(9_u64), Scalar256::from(5_u64), VERIFY_CHAIN);
    }
    let event = VerifyEvent { a, s, e };
    cases.push(Case::new::<HalfVerify>(Operation::Verify, "second row", &[event; 2], 1, VERIFY_CHAIN));
    cases.push(Case::new::<HalfVerify>(Operation::Verify, "padding", &[event; 3], 3, VERIFY_PADDING));
    cases.push(Case::new::<HalfVerify<8, 14>>(Operation::Verify, "8 steps a row", &[event], 0, VERIFY_CHAIN));
    cases
}

/// The cases of an operation.
pub(crate) fn of(operation: Operation) -> &'static [Case] {
    static SCALAR_MUL: LazyLock<Vec<Case>> = LazyLock::new(scalar_mul);
    static VERIFY: LazyLock<Vec<Case>> = LazyLock::new(verify);
    match operation {
        Operation::Add | Operation::Double => &[],
        Operation::ScalarMul => &SCALAR_MUL,
        Operation::Verify => &VERIFY,
    }
}

/// Prints the counts of all cases.
pub(crate) fn summary(f: &mut Formatter<'_>) -> fmt::Result {
    writeln!(f, "\n\nhalf-size scalars: unknowns and dimension of the kernel by what is fixed")?;
    let heads = ["claims, bytes", "claims", "inputs, bytes"];
    let [first, second, third] = heads;
    write!(f, "{:<12}{:<22}{:>5}{:>11}", "operation", "case", "rows", "equations")?;
    writeln!(f, "{first:>15}{second:>15}{third:>15}")?;
    let operations = [Operation::ScalarMul, Operation::Verify];
    for case in operations.into_iter().flat_map(of) {
        let (name, rows, equations) = (case.operation.name(), case.rows(), case.equations());
        write!(f, "{name:<12}{:<22}{rows:>5}{equations:>11}", case.name)?;
        for (unknowns, freedom) in case.found {
            write!(f, "{:>15}", format!("{unknowns} - {freedom}"))?;
        }
        writeln!(f)?;
    }
    writeln!(f, "\nhalf-size scalars: free cells")?;
    let mut seen = BTreeSet::new();
    for case in operations.into_iter().flat_map(of) {
        for free in Fixed::ALL.into_iter().flat_map(|fixed| case.expected(fixed)) {
            let line = format!("{:<12}{:<72}{}", case.operation.name(), free.names().join(", "), free.why);
            if seen.insert(line.clone()) {
                writeln!(f, "{line}")?;
            }
        }
    }
    write!(f, "\nhalf-size scalars: removals of constraints and messages")?;
    for operation in operations {
        let [sharp, rest] = of(operation)[0].removals();
        let (name, sharp) = (operation.name(), sharp.len());
        write!(f, "\n{name:<12}{sharp} raise the kernel alone, {} do not", rest.len())?;
    }
    Ok(())
}

/// `equations` of a chain of 7 rows, `unknowns` as in [`Fixed::ALL`].
fn check_all(operation: Operation, equations: usize, unknowns: [usize; 3]) {
    for case in of(operation) {
        if case.rows() == 8 {
            // The row before counts the id.
            let chain = case.expected(Fixed::Claims).iter().all(|free| free.why != NO_STEPS.why);
            if chain {
                let before = usize::from(case.name == "second row");
                assert_eq!(case.equations(), equations + before, "{}", case.name);
            }
            assert_eq!(case.found.map(|(unknowns, _)| unknowns), unknowns);
        }
        Fixed::ALL.into_iter().for_each(|fixed| case.check(fixed));
    }
}

#[test]
fn scalar_mul_has_the_explained_kernels() {
    // 214 + 7·437 cells; 176 + 7·393 equations, 8 states of 44 and 7 digits of 5 fields.
    check_all(Operation::ScalarMul, 176 + 7 * 393 + 8 * 44 + 7 * 5, [3149, 3212, 3163]);
}

#[test]
fn verify_has_the_explained_kernels() {
    // 347 + 7·598 cells; 190 + 7·554 equations, 8 states of 44 and 7 digits of 7 fields.
    check_all(Operation::Verify, 190 + 7 * 554 + 8 * 44 + 7 * 7, [4314, 4440, 4328]);
}

fn named(operation: Operation, name: &str) -> &'static Case {
    of(operation).iter().find(|case| case.name == name).unwrap()
}

/// The first step is a tangent for one of ±B_0 and asks for the second offset for the other; every k occurs.
#[test]
fn all_cases_occur() {
    for (operation, names) in [
        (Operation::ScalarMul, ["R - P = B_0", "R - P = -B_0"]),
        (Operation::Verify, ["S - A = B_0", "S - A = -B_0"]),
    ] {
        assert!(names.iter().any(|name| named(operation, name).cell("offset", 0) == KoalaBear::ONE));
    }
    let names = ["generic, k = 1", "R = G, k = 2", "R = G, k = 3", "R = -2G, k = 4"];
    for (i, name) in names.into_iter().enumerate() {
        assert_eq!(named(Operation::Verify, name).cell("multiple", i), KoalaBear::ONE, "{name}");
    }
}

/// Without an equation, alone or with the others of its chord or end, something is free. The rest are about cells that
/// the claims or other relations fix as well (flags by two relations, VERIFY's `real` by what it multiplies); each has its
/// forgery in the tables' own tests.
#[test]
fn constraints_carry_rank() {
    fn run(operation: Operation, table: &str, groups: &[&[&str]], expected: &[&str]) {
        let case = &of(operation)[0];
        let [_, mut rest] = case.removals();
        for group in groups {
            let labels: Vec<String> = group.iter().map(|label| format!("{table}.{label}")).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            assert!(case.carry_rank(&labels), "{labels:?}");
            rest.retain(|label| !labels.contains(label));
        }
        let prefix = format!("{table}.");
        let rest: BTreeSet<&str> =
            rest.into_iter().map(|label| label.strip_prefix(&prefix).unwrap_or(label)).collect();
        assert_eq!(rest, expected.iter().copied().collect());
    }
    run(
        Operation::ScalarMul,
        "scalar_mul_control",
        &[
            &["C12.n_line", "C13.n_x", "C14.n_y"],
            &["C15.m_line", "C16.m_x", "C17.m_y"],
            &["C18.end_line", "C19.end_tangent", "C20.end_x", "C21.end_y"],
            &["C23.id_start", "C24.id_step"],
        ],
        &[
            "C1.p_curve",
            "C2.r_curve",
            "C3.r_identity",
            "C4.r_base",
            "C5.r_minus",
            "C6.real",
            "C7.flags",
            "C8.offset",
            "C9.idle_u",
            "C10.idle_w",
        ],
    );
    run(
        Operation::Verify,
        "verify_control",
        &[
            &["C9.s_line", "C10.s_x", "C11.s_y"],
            &["C14.n_line", "C15.n_x", "C16.n_y"],
            &["C17.m_line", "C18.m_x", "C19.m_y"],
            &["C20.end_line", "C21.end_tangent", "C22.end_x", "C23.end_y"],
            &["C26.id_start", "C27.id_step"],
        ],
        &[
            "C1.a_curve",
            "C2.r_curve",
            "C3.r_identity",
            "C4.real",
            "C5.offset",
            "C6.multiple",
            "C7.one_multiple",
            "C8.s_identity",
            "verify_steps.C1.real",
        ],
    );
}
