//! The tables with half-size scalars: every constraint on every row, messages, changed cells, forgeries.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::string::{String, ToString};

use p3_field::PrimeField32;
use septic_chips::bus::{Bus, Count, MessageSink};
use septic_chips::check::{Message, check_table_row, row_messages};
use septic_chips::columns::ColumnSet;
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::table::Place;
use septic_curve::{Scalar, Septic};
use serde_json::Value;

use super::*;
use crate::ScalarMulEvent;

mod assumptions;
mod machine;
mod rows;
mod scalar_mul;
mod verify;

use machine::{Machine, free_cells};

fn cases(op: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().iter().filter(|c| c["op"] == op).cloned().collect()
}

fn point(v: &Value) -> Point {
    let limbs =
        |v: &Value| -> [u32; 7] { core::array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap()) };
    Point::from_canonical((!v.is_null()).then(|| (limbs(&v["x"]), limbs(&v["y"])))).unwrap()
}

fn scalar(v: &Value) -> Scalar256 {
    Scalar256::from_hex(v.as_str().unwrap()).unwrap()
}

fn times(k: Scalar, point: Point) -> Point {
    point.mul_vartime(&k.into())
}

/// Scalars at the edges: around 0, the order, and the greatest.
fn edge_scalars() -> Vec<Scalar256> {
    let order = params::ORDER;
    let one = crypto_bigint::U256::ONE;
    let near = [order.wrapping_sub(&one), order, order.wrapping_add(&one), order.shl_vartime(1)];
    let mut scalars: Vec<Scalar256> = [0, 1, 2, 3].map(Scalar256::from).to_vec();
    scalars.extend(near.map(Scalar256::from));
    scalars.push(Scalar256::MAX);
    scalars.push(Scalar256::from(one.shl_vartime(255)));
    scalars
}

/// Points at the edges: ±G, ±2G, H, −H, 3G, the identity, the offsets.
fn edge_points() -> Vec<Point> {
    let g = Point::GENERATOR;
    let h = Point::from(params::HALF_GENERATOR);
    let [b_0, b_1] = params::OFFSETS.map(Point::from);
    std::vec![g, -g, g.double(), -g.double(), h, -h, g.double() + g, Point::Identity, b_0, b_1, -b_0]
}

/// A ring of formal degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Degree(usize);

macro_rules! degree_ops {
    ($($trait:ident $method:ident $combine:expr),+) => { $(
        impl core::ops::$trait for Degree {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                let combine: fn(usize, usize) -> usize = $combine;
                Self(combine(self.0, other.0))
            }
        }
    )+ };
}
degree_ops!(Add add usize::max, Sub sub usize::max, Mul mul |a, b| a + b);
impl core::ops::Neg for Degree {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

/// Degree and number of equations of each constraint, and the degrees of messages.
#[derive(Default)]
struct Degrees {
    constraints: BTreeMap<&'static str, (usize, usize)>,
    messages: BTreeMap<&'static str, (usize, usize)>,
}

impl ConstraintSink for Degrees {
    type Expr = Degree;
    fn constant(&self, _: u32) -> Degree {
        Degree(0)
    }
    fn assert_zero(&mut self, label: Label, x: Degree) {
        let entry = self.constraints.entry(label.0).or_default();
        *entry = (entry.0.max(x.0), entry.1 + 1);
    }
    fn assert_septic(&mut self, label: Label, x: Septic<Degree>) {
        x.0.into_iter().for_each(|x| self.assert_zero(label, x));
    }
}

impl MessageSink for Degrees {
    type Expr = Degree;
    fn constant(&self, _: u32) -> Degree {
        Degree(0)
    }
    fn message(&mut self, label: Label, _: Bus, count: Count<Degree>, fields: Vec<Degree>) {
        let (Count::Send(count) | Count::Receive(count) | Count::Provide(count)) = count;
        let degree = fields.iter().map(|x| x.0).fold(count.0, usize::max);
        let entry = self.messages.entry(label.0).or_default();
        *entry = (entry.0.max(degree), entry.1 + 1);
    }
}

fn degrees<T: Table>() -> Degrees {
    let mut degrees = Degrees::default();
    let row = T::Cols::from_fn(|_| Degree(1));
    let flags = T::Flags::from_fn(|_| Degree(1));
    let place = Place { is_first: Degree(1), is_transition: Degree(1) };
    T::eval(&mut degrees, &row, &row, &flags, &place, &[Degree(0)]);
    T::messages(&mut degrees, &row);
    degrees
}

/// Width, constraints, greatest degree, messages.
fn shape<T: Table>() -> [usize; 4] {
    let degrees = degrees::<T>();
    assert!(degrees.messages.values().all(|&(degree, _)| degree <= 1), "messages are affine");
    [
        T::WIDTH,
        degrees.constraints.values().map(|&(_, count)| count).sum(),
        degrees.constraints.values().map(|&(degree, _)| degree).max().unwrap(),
        degrees.messages.values().map(|&(_, count)| count).sum(),
    ]
}

/// Holds the tables of a module's documentation against the code: names, places and widths of columns; labels, counts and
/// degrees of constraints; labels and numbers of messages.
fn documented<T: Table>(source: &str, table: &str, letters: &[(&str, usize)]) {
    let degrees = degrees::<T>();
    let value = |cell: &str| -> usize {
        let cell = cell.trim();
        let factor = |part: &str| {
            letters.iter().find(|(l, _)| *l == part).map_or_else(|| part.parse().unwrap(), |l| l.1)
        };
        cell.split('·').map(factor).product()
    };
    let mut constraints = BTreeMap::new();
    for line in source.lines().filter_map(|line| line.strip_prefix("//! | C")) {
        let cells: Vec<&str> = line.split('|').collect();
        let label = std::format!("{table}.{}", cells[1].trim().trim_matches('`'));
        constraints.insert(label, (value(cells[4]), value(cells[3])));
    }
    let found: BTreeMap<String, (usize, usize)> =
        degrees.constraints.iter().map(|(label, &shape)| ((*label).to_string(), shape)).collect();
    assert_eq!(constraints, found);

    for (label, &(_, times)) in &degrees.messages {
        let name = std::format!("| `{}`", label.split_once('.').unwrap().1);
        let line = source.lines().find(|line| line.contains(&name)).unwrap();
        // Step tables send each message once and have no column for it.
        let documented = if table.ends_with("control") { value(line.split('|').nth(5).unwrap()) } else { 1 };
        assert_eq!(documented, times, "{label}");
    }

    // Columns are the lines between their heading and the next one.
    let columns = source.split("//! ## Columns").nth(1).unwrap().split("//! ## ").next().unwrap();
    let mut fields = <T::Cols<u32> as ColumnSet<u32>>::FIELDS.iter();
    for line in columns.lines().filter(|line| line.starts_with("//! | ") && line.contains('`')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let names: Vec<&str> = cells[2].split(", ").map(|name| name.trim_matches('`')).collect();
        let mut width = 0;
        for (i, name) in names.iter().enumerate() {
            let field = fields.next().unwrap();
            assert_eq!(field.name, *name);
            assert_eq!(field.role.name(), cells[4], "{name}");
            if i == 0
                && let Some(start) = cells[1].split("..").next().filter(|start| !start.is_empty())
            {
                assert_eq!(start.parse(), Ok(field.offset), "{name}");
            }
            width += field.width;
            if i + 1 == names.len()
                && let Some(end) = cells[1].split("..").nth(1).filter(|end| !end.is_empty())
            {
                assert_eq!(end.parse(), Ok(field.offset + field.width), "{name}");
            }
        }
        assert_eq!(value(cells[3]), width, "{names:?}");
    }
    assert_eq!(fields.next(), None);
}

/// Operations share no bus but that of byte pairs.
fn buses<O: HalfOperation>(machine: &Machine<O>) -> BTreeSet<Bus> {
    machine.messages().iter().map(|message| message.bus).filter(|&bus| bus != Bus::BytePair).collect()
}
