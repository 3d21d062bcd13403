//! The tables with half-size scalars: every constraint and message on every row, changed cells, forgeries.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use std::collections::{BTreeMap, BTreeSet};
use std::string::{String, ToString};
use std::sync::LazyLock;

use p3_field::{PrimeCharacteristicRing, PrimeField32};
use septic_chips::bus::{Bus, Count, MessageSink};
use septic_chips::check::{Message, check_table_row, row_messages};
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::table::{Place, Table};
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar, Scalar256, Septic, params};
use serde_json::Value;

use super::{Fill, HalfOperation, HalfScalarMul, HalfVerify, generator};
use crate::{Claim, Execute, ScalarMulEvent, TraceError, VerifyEvent};

mod assumptions;
mod forgeries;
mod integers;
mod prover;
mod rows;
mod scalar_mul;
mod verify;

/// x and y, on the curve or not.
type Pair = [Fp7; 2];

/// The characteristic.
const P: u32 = 0x7f00_0001;

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

/// k·G.
fn multiple(k: u64) -> Point {
    times(Scalar::from(k), Point::GENERATOR)
}

fn inverse(s: Scalar) -> Scalar {
    s.invert().unwrap()
}

/// Scalars that look random (SplitMix64), below the order.
struct Random(u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn scalar(&mut self) -> Scalar {
        let word = |x: u64| u32::try_from(x >> 32).unwrap();
        Scalar256::from_le_limbs(core::array::from_fn(|_| word(self.number()))).into()
    }
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
    vec![g, -g, g.double(), -g.double(), h, -h, g.double() + g, Point::Identity, b_0, b_1, -b_0]
}

fn pair(point: Point) -> Pair {
    let point = point.to_affine().unwrap();
    [point.x(), point.y()]
}

/// The point with these coordinates, if it is one.
fn on_curve([x, y]: Pair) -> Option<Point> {
    AffinePoint::new(x, y).ok().map(Point::from)
}

/// The columns of the generator table, which nobody but the verifier writes.
static GENERATOR: LazyLock<Vec<Vec<KoalaBear>>> = LazyLock::new(generator::columns);

/// Whether a lookup table provides a message.
fn is_provided(bus: Bus, fields: &[KoalaBear]) -> bool {
    let number = |i: usize| fields[i].as_canonical_u32() as usize;
    match bus {
        Bus::Limb => number(0) < 1 << 13,
        Bus::LimbPair => number(0) < 1 << 7 && number(1) < 1 << 6,
        Bus::Generator => {
            number(0) < 1 << 13 && GENERATOR.iter().zip(fields).all(|(column, &x)| column[number(0)] == x)
        }
        _ => panic!("these tables send nothing on {bus}"),
    }
}

/// A row, with the parameter t of its trace.
#[derive(Clone)]
struct Row<O> {
    cells: Vec<KoalaBear>,
    t: KoalaBear,
    operation: PhantomData<O>,
}

impl<O: Fill> Row<O> {
    /// The row of an event. Nothing is wrong with it.
    fn honest(event: O::Event) -> Self {
        Self::all(&[event]).swap_remove(0)
    }

    /// A padding row.
    fn padding() -> Self {
        let t = KoalaBear::from_u32(7);
        Self { cells: vec![KoalaBear::ZERO; O::Table::WIDTH], t, operation: PhantomData }
    }

    /// The rows of events and of padding after them. Nothing is wrong with them, and they show the claims.
    fn all(events: &[O::Event]) -> Vec<Self> {
        let trace = O::generate(events).unwrap();
        let outputs: Vec<Point> = events.iter().map(Execute::execute).collect();
        assert_eq!(trace.outputs, outputs);
        let rows: Vec<Self> = trace
            .main
            .row_slices()
            .map(|cells| Self { cells: cells.to_vec(), t: trace.parameter, operation: PhantomData })
            .collect();
        assert_eq!(rows.len(), O::height(events.len()).unwrap());
        // Padding rows are zeros, all the same.
        for (i, row) in rows.iter().enumerate().take(events.len() + 1) {
            assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()), "row {i}");
        }
        assert!(rows[events.len()..].iter().flat_map(|row| &row.cells).all(|&cell| cell == KoalaBear::ZERO));
        let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
        let instance = O::instance_columns(&claims, rows.len());
        for (column, cells) in O::Table::INSTANCE_COLUMNS.iter().zip(instance) {
            assert!(rows.iter().zip(cells).all(|(row, cell)| row.cells[*column] == cell));
        }
        rows
    }

    fn fields() -> &'static [Field] {
        <<O::Table as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS
    }

    fn cell(&mut self, name: &str, i: usize) -> &mut KoalaBear {
        &mut self.cells[column(Self::fields(), name) + i]
    }

    fn get(&self, name: &str, i: usize) -> KoalaBear {
        self.cells[column(Self::fields(), name) + i]
    }

    /// Element `i` of the septic columns `name`.
    fn element(&self, name: &str, i: usize) -> Fp7 {
        Fp7::from_fn(|k| self.get(name, 7 * i + k))
    }

    fn set_element(&mut self, name: &str, i: usize, x: Fp7) {
        (0..7).for_each(|k| *self.cell(name, 7 * i + k) = x.0[k]);
    }

    /// The point whose x is in the columns `name`, y after it.
    fn point(&self, name: &str) -> Pair {
        [self.element(name, 0), self.element(name, 1)]
    }

    fn set_point(&mut self, name: &str, [x, y]: Pair) {
        self.set_element(name, 0, x);
        self.set_element(name, 1, y);
    }

    /// Whether the chain starts at B_1.
    fn is_second(&self) -> bool {
        self.get("offset", 0) == KoalaBear::ONE
    }

    /// The constraints that fail, without the table's name.
    fn failing(&self) -> BTreeSet<&'static str> {
        self.failing_in::<O::Table>()
    }

    /// [`Self::failing`] in a table with the same columns.
    fn failing_in<T: Table>(&self) -> BTreeSet<&'static str> {
        let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ONE };
        check_table_row::<T, _>(&self.cells, &self.cells, &[], &place, &[self.t])
            .into_iter()
            .map(|failure| short(failure.label))
            .collect()
    }

    fn messages(&self) -> Vec<Message<KoalaBear>> {
        row_messages::<O::Table, _>(&self.cells)
    }

    /// The messages of the row that no lookup table provides.
    fn unmatched(&self) -> BTreeSet<&'static str> {
        self.messages()
            .into_iter()
            .filter(|message| message.count != Count::Send(KoalaBear::ZERO))
            .filter(|message| !is_provided(message.bus, &message.fields))
            .map(|message| short(message.label))
            .collect()
    }
}

impl<O: Fill> fmt::Debug for Row<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a row of {}", O::Table::NAME)
    }
}

/// A label without the table's name.
fn short(label: Label) -> &'static str {
    label.0.split_once('.').unwrap().1
}

/// The names of all labels but those of messages, and of messages.
fn labels<T: Table>() -> [BTreeSet<&'static str>; 2] {
    let Degrees { constraints, messages } = degrees::<T>();
    [constraints, messages].map(|found| found.into_keys().map(|label| short(Label(label))).collect())
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
fn documented<T: Table>(source: &str, table: &str) {
    let degrees = degrees::<T>();
    let number = |cell: &str| -> usize { cell.trim().replace(',', "").parse().unwrap() };
    let section = |title: &str| -> Vec<Vec<String>> {
        let text = source.split(&std::format!("//! ## {title}")).nth(1).unwrap();
        let lines = text.split("//! ## ").next().unwrap().lines();
        lines
            .filter(|line| line.starts_with("//! |"))
            // |w| in a formula is no border.
            .map(|line| line.replace("\\|", "/").split('|').map(|cell| cell.trim().to_string()).collect())
            .collect()
    };
    let mut constraints = BTreeMap::new();
    for cells in section("Constraints").iter().filter(|cells| cells[2].starts_with("`C")) {
        let label = std::format!("{table}.{}", cells[2].trim_matches('`'));
        constraints.insert(label, (number(&cells[5]), number(&cells[4])));
    }
    let found: BTreeMap<String, (usize, usize)> =
        degrees.constraints.iter().map(|(label, &shape)| ((*label).to_string(), shape)).collect();
    assert_eq!(constraints, found);

    let mut messages = BTreeMap::new();
    for cells in section("Messages").iter().filter(|cells| cells[2].starts_with("`M")) {
        messages.insert(std::format!("{table}.{}", cells[2].trim_matches('`')), number(&cells[5]));
    }
    let found: BTreeMap<String, usize> =
        degrees.messages.iter().map(|(label, &(_, times))| ((*label).to_string(), times)).collect();
    assert_eq!(messages, found);

    let mut fields = <T::Cols<u32> as ColumnSet<u32>>::FIELDS.iter();
    for cells in section("Columns").iter().filter(|cells| cells[2].starts_with('`')) {
        let names: Vec<&str> = cells[2].split(", ").map(|name| name.trim_matches('`')).collect();
        let own: Vec<&Field> = names.iter().map(|_| fields.next().unwrap()).collect();
        assert_eq!(own.iter().map(|field| field.name).collect::<Vec<_>>(), names);
        assert!(own.iter().all(|field| field.role.name() == cells[4]), "{names:?}");
        let width = own.iter().map(|field| field.width).sum::<usize>();
        assert_eq!(number(&cells[3]), width, "{names:?}");
        let (start, end) = cells[1].split_once("..").unwrap_or((&cells[1], ""));
        assert_eq!(number(start), own[0].offset, "{names:?}");
        assert_eq!(if end.is_empty() { number(start) + 1 } else { number(end) }, own[0].offset + width);
    }
    assert_eq!(fields.next(), None);
}

/// Holds the number of columns and of messages in a module's headings against the code.
fn counted<T: Table>(source: &str) {
    let [columns, _, _, messages] = shape::<T>();
    for (title, n) in [("Columns", columns), ("Messages", messages)] {
        let line = source.lines().find(|line| line.starts_with(&std::format!("//! ## {title}"))).unwrap();
        let number = line.rsplit_once('(').unwrap().1.trim_end_matches(')').replace(',', "");
        assert_eq!(number, n.to_string(), "{title}");
    }
}
