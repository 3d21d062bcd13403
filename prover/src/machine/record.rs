//! Mixed lists as the machine sees them: distinct items of each operation, and the order of the list.

use std::collections::HashMap;
use std::hash::Hash;

use p3_commit::Mmcs;
use p3_field::PrimeCharacteristicRing;
use p3_koala_bear::default_koalabear_poseidon2_16;
use p3_matrix::dense::RowMajorMatrix;
use septic_trace::septic_chips::Operation;
use septic_trace::septic_curve::Point;
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, VerifyEvent};

use super::Layout;
use crate::bundle::MixedClaim;
use crate::claims::{self, Digest, EncodeEvent};
use crate::config::{Compress, ConfigName, RowHash, Val, ValMmcs};

/// Distinct items in order of first appearance.
#[derive(Clone, Debug)]
struct Distinct<T> {
    items: Vec<T>,
    index: HashMap<T, u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self { items: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    /// The index of `item`, which is added if it is new.
    fn insert(&mut self, item: T) -> u32 {
        *self.index.entry(item).or_insert_with(|| {
            self.items.push(item);
            u32::try_from(self.items.len() - 1).expect("a list in memory is shorter")
        })
    }
}

/// A list of events taken apart: what [`super::Machine::prove`] proves.
///
/// Equal events are proven once.
#[derive(Clone, Debug)]
pub struct Record {
    pub(crate) add: Vec<AddEvent>,
    pub(crate) double: Vec<DoubleEvent>,
    pub(crate) scalar_mul: Vec<ScalarMulEvent>,
    pub(crate) verify: Vec<VerifyEvent>,
    /// For each event of the list its operation and its index among the distinct ones.
    pub(crate) order: Vec<(Operation, u32)>,
    /// For each operation the place in the list of each distinct event.
    first: [Vec<usize>; 4],
    /// For each operation the results of its distinct events, if they are known.
    results: [Option<Vec<Point>>; 4],
}

impl Record {
    /// Takes a list apart.
    #[must_use]
    pub fn new(events: &[Event]) -> Self {
        let (mut add, mut double) = (Distinct::default(), Distinct::default());
        let (mut scalar_mul, mut verify) = (Distinct::default(), Distinct::default());
        let mut first: [Vec<usize>; 4] = Default::default();
        let mut order = Vec::with_capacity(events.len());
        for (place, event) in events.iter().enumerate() {
            let index = match *event {
                Event::Add(event) => add.insert(event),
                Event::Double(event) => double.insert(event),
                Event::ScalarMul(event) => scalar_mul.insert(event),
                Event::Verify(event) => verify.insert(event),
            };
            let first = &mut first[event.operation() as usize];
            if index as usize == first.len() {
                first.push(place);
            }
            order.push((event.operation(), index));
        }
        Self {
            add: add.items,
            double: double.items,
            scalar_mul: scalar_mul.items,
            verify: verify.items,
            order,
            first,
            results: Default::default(),
        }
    }

    /// The same list with results of events, by their place: they need not be executed again, if they are known for all events
    /// of an operation. A wrong one is an error when the traces are made, or gives a proof that does not verify.
    #[must_use]
    pub fn with_results(self, known: impl Fn(usize) -> Option<Point>) -> Self {
        let results = self.first.each_ref().map(|places| places.iter().map(|&place| known(place)).collect());
        Self { results, ..self }
    }

    /// The results of the distinct events of an operation, if they are known.
    pub(crate) fn results(&self, operation: Operation) -> Option<&[Point]> {
        self.results[operation as usize].as_deref()
    }

    /// Length of the list.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Numbers of distinct events: ADD, DOUBLE, SCALAR_MUL, VERIFY.
    #[must_use]
    pub const fn counts(&self) -> [usize; 4] {
        [self.add.len(), self.double.len(), self.scalar_mul.len(), self.verify.len()]
    }

    /// Where in the list the distinct event `index` of an operation stands first.
    pub(crate) fn place(&self, operation: Operation, index: usize) -> usize {
        self.first[operation as usize].get(index).copied().unwrap_or(index)
    }
}

/// A list of claims taken apart: what a proof is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    pub(crate) add: Vec<Claim<AddEvent>>,
    pub(crate) double: Vec<Claim<DoubleEvent>>,
    pub(crate) scalar_mul: Vec<Claim<ScalarMulEvent>>,
    pub(crate) verify: Vec<Claim<VerifyEvent>>,
    order: Vec<(Operation, u32)>,
}

impl Statement {
    /// The statement of a list of claims.
    pub(crate) fn new(claims: &[MixedClaim]) -> Self {
        let (mut add, mut double) = (Distinct::default(), Distinct::default());
        let (mut scalar_mul, mut verify) = (Distinct::default(), Distinct::default());
        let order = claims
            .iter()
            .map(|&Claim { event, out }| {
                let index = match event {
                    Event::Add(event) => add.insert(Claim { event, out }),
                    Event::Double(event) => double.insert(Claim { event, out }),
                    Event::ScalarMul(event) => scalar_mul.insert(Claim { event, out }),
                    Event::Verify(event) => verify.insert(Claim { event, out }),
                };
                (event.operation(), index)
            })
            .collect();
        Self {
            add: add.items,
            double: double.items,
            scalar_mul: scalar_mul.items,
            verify: verify.items,
            order,
        }
    }

    /// Numbers of distinct claims: ADD, DOUBLE, SCALAR_MUL, VERIFY.
    pub(crate) const fn counts(&self) -> [usize; 4] {
        [self.add.len(), self.double.len(), self.scalar_mul.len(), self.verify.len()]
    }

    /// The digest that a proof's transcript begins with: domain, versions, configuration, layout, lengths, and the
    /// Merkle root over all distinct claims and the order of the list.
    pub(crate) fn digest(&self, config: ConfigName, layout: Layout) -> Digest {
        /// Elements of the order in a row.
        const ORDER_ROW: usize = 16;
        let mut matrices = Vec::new();
        encode(&self.add, &mut matrices);
        encode(&self.double, &mut matrices);
        encode(&self.scalar_mul, &mut matrices);
        encode(&self.verify, &mut matrices);
        let mut order: Vec<Val> = Vec::with_capacity(2 * self.order.len());
        for &(operation, index) in &self.order {
            order.extend([claims::operation_tag(operation), Val::from_u32(index)]);
        }
        matrices.push(padded(order, ORDER_ROW));
        let perm = default_koalabear_poseidon2_16();
        let mmcs = ValMmcs::new(RowHash::new(perm.clone()), Compress::new(perm), 0);
        let (cap, _) = mmcs.commit(matrices);

        let mut header: Vec<Val> = b"septic-air batch".iter().map(|&b| Val::from_u8(b)).collect();
        header.push(Val::from_u32(super::VERSION));
        header.push(claims::config_tag(config));
        header.push(Val::from_u8(layout as u8));
        header.extend(self.counts().into_iter().chain([self.order.len()]).flat_map(claims::encode_len));
        header.extend(cap.roots().iter().flatten());
        claims::hash(header)
    }
}

/// Appends the claims as a matrix, one a row.
fn encode<E: EncodeEvent>(claims: &[Claim<E>], matrices: &mut Vec<RowMajorMatrix<Val>>) {
    let mut cells = Vec::new();
    for claim in claims {
        claim.event.encode(&mut cells);
        claims::encode_point(claim.out, &mut cells);
    }
    if let Some(width) = cells.len().checked_div(claims.len()) {
        matrices.push(padded(cells, width));
    }
}

/// A matrix of rows of `width` cells, filled up with zeros to a power of two of rows.
fn padded(mut cells: Vec<Val>, width: usize) -> RowMajorMatrix<Val> {
    let rows = cells.len().div_ceil(width).next_power_of_two();
    cells.resize(rows * width, Val::ZERO);
    RowMajorMatrix::new(cells, width)
}
