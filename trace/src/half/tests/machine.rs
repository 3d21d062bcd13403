//! A control and a step table with the claims, checked without a proof.

use core::marker::PhantomData;

use super::*;

/// The two tables of an operation.
#[derive(Clone, Debug)]
pub(super) struct Machine<O> {
    pub(super) trace: HalfTrace,
    operation: PhantomData<O>,
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Control,
    Steps,
}

fn place(row: usize, height: usize) -> Place<KoalaBear> {
    Place { is_first: KoalaBear::from_bool(row == 0), is_transition: KoalaBear::from_bool(row + 1 != height) }
}

fn row_of<T: Table>(cells: &[KoalaBear], row: usize) -> &[KoalaBear] {
    &cells[row * T::WIDTH..][..T::WIDTH]
}

fn failures_on<T: Table>(cells: &[KoalaBear], row: usize, t: KoalaBear) -> Vec<&'static str> {
    let height = cells.len() / T::WIDTH;
    let (local, next) = (row_of::<T>(cells, row), row_of::<T>(cells, (row + 1) % height));
    let failures = check_table_row::<T, KoalaBear>(local, next, &[], &place(row, height), &[t]);
    failures.into_iter().map(|failure| failure.label.0).collect()
}

/// What a message does to its bus: +1 or −1 for each time.
fn sign(message: &Message<KoalaBear>) -> i64 {
    let count = |n: KoalaBear| i64::from(n.as_canonical_u32());
    match message.count {
        Count::Send(n) => count(n),
        Count::Receive(n) => -count(n),
        Count::Provide(_) => panic!("these tables provide nothing"),
    }
}

fn residues(fields: &[KoalaBear]) -> Vec<u32> {
    fields.iter().map(|x| x.as_canonical_u32()).collect()
}

impl<O: Fill> Machine<O> {
    pub(super) fn new(trace: HalfTrace) -> Self {
        Self { trace, operation: PhantomData }
    }

    /// The honest tables of `events`, checked.
    pub(super) fn honest(events: &[O::Event]) -> Self {
        let machine = Self::new(O::generate(events).unwrap());
        let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
        for (i, (out, claim)) in machine.trace.outputs.iter().zip(&claims).enumerate() {
            assert_eq!(*out, claim.out, "event {i}: {:?}", claim.event);
        }
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.wrong_instance_columns(&claims), BTreeSet::new());
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        machine
    }

    /// Tables of `events` from plans of one's own, with an evaluation point where there is one.
    pub(super) fn forged(events: &[O::Event], plan: impl Fn(&O::Event, Point) -> O::Plan + Sync) -> Self {
        let mut trace = fill::<O>(events, plan).unwrap();
        trace.parameter = KoalaBear::from_u32(123_456_789);
        let t = trace.parameter;
        finish::<O>(&mut trace, t);
        Self::new(trace)
    }
}

impl<O: HalfOperation> Machine<O> {
    pub(super) fn cells(&mut self, part: Part) -> &mut [KoalaBear] {
        match part {
            Part::Control => &mut self.trace.control.values,
            Part::Steps => &mut self.trace.steps.values,
        }
    }

    fn width(part: Part) -> usize {
        match part {
            Part::Control => O::Control::WIDTH,
            Part::Steps => O::Steps::WIDTH,
        }
    }

    fn fields(part: Part) -> &'static [septic_chips::columns::Field] {
        match part {
            Part::Control => <<O::Control as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS,
            Part::Steps => <<O::Steps as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS,
        }
    }

    /// The cell `column` of the field `name`.
    pub(super) fn cell(&mut self, part: Part, row: usize, name: &str, column: usize) -> &mut KoalaBear {
        let offset = septic_chips::columns::column(Self::fields(part), name);
        let at = row * Self::width(part) + offset + column;
        &mut self.cells(part)[at]
    }

    /// The cells of an event without `id` and witnesses.
    pub(super) fn without_numbers(&self, event: usize) -> Vec<KoalaBear> {
        let rows = [(Part::Control, event..event + 1), (Part::Steps, event * O::ROWS..(event + 1) * O::ROWS)];
        let mut machine = self.clone();
        let mut cells = std::vec![];
        for (part, rows) in rows {
            let width = Self::width(part);
            let kept = Self::fields(part).iter().filter(|f| f.name != "id" && !f.name.starts_with("witness"));
            for (field, row) in kept.flat_map(|field| rows.clone().map(move |row| (field, row))) {
                cells.extend_from_slice(&machine.cells(part)[row * width + field.offset..][..field.width]);
            }
        }
        cells
    }

    /// Sets the cells of a point from the field `name` on.
    pub(super) fn set_point(&mut self, row: usize, name: &str, point: Point) {
        let (x, y) = crate::instance::coordinates(point);
        for (i, c) in x.0.into_iter().chain(y.0).enumerate() {
            *self.cell(Part::Control, row, name, i) = c;
        }
    }

    /// The point from the field `name` on.
    pub(super) fn point(&mut self, part: Part, row: usize, name: &str) -> AffinePoint {
        let [x, y] = [0, 7].map(|at| Fp7::from_fn(|i| *self.cell(part, row, name, at + i)));
        AffinePoint::new_unchecked(x, y)
    }

    /// Element `index` of the field `name`.
    pub(super) fn element(&mut self, part: Part, row: usize, name: &str, index: usize) -> Fp7 {
        Fp7::from_fn(|i| *self.cell(part, row, name, DEGREE * index + i))
    }

    /// Sets element `index` of the field `name`.
    pub(super) fn set_element(&mut self, part: Part, row: usize, name: &str, index: usize, x: Fp7) {
        for (i, c) in x.0.into_iter().enumerate() {
            *self.cell(part, row, name, DEGREE * index + i) = c;
        }
    }

    /// Makes E the point for which E + N = C.
    pub(super) fn set_end(&mut self, row: usize, c: Point) {
        let n = self.point(Part::Control, row, "x_n");
        let e = (c - n.into()).to_affine().unwrap();
        self.set_point(row, "x_e", e.into());
        self.set_element(Part::Control, row, "lambda_e", 0, slope(e, n));
    }

    pub(super) fn failures_on(&self, part: Part, row: usize) -> Vec<&'static str> {
        let t = self.trace.parameter;
        match part {
            Part::Control => failures_on::<O::Control>(&self.trace.control.values, row, t),
            Part::Steps => failures_on::<O::Steps>(&self.trace.steps.values, row, t),
        }
    }

    /// Labels of the constraints that fail on some row.
    pub(super) fn failures(&self) -> BTreeSet<&'static str> {
        let rows = |part: Part, len: usize| (0..len / Self::width(part)).map(move |row| (part, row));
        rows(Part::Control, self.trace.control.values.len())
            .chain(rows(Part::Steps, self.trace.steps.values.len()))
            .flat_map(|(part, row)| self.failures_on(part, row))
            .collect()
    }

    pub(super) fn messages_on(&self, part: Part, row: usize) -> Vec<Message<KoalaBear>> {
        let mut messages = match part {
            Part::Control => {
                row_messages::<O::Control, _>(row_of::<O::Control>(&self.trace.control.values, row))
            }
            Part::Steps => row_messages::<O::Steps, _>(row_of::<O::Steps>(&self.trace.steps.values, row)),
        };
        messages.retain(|message| sign(message) != 0);
        messages
    }

    /// The messages of one table.
    pub(super) fn messages_of(&self, part: Part) -> Vec<Message<KoalaBear>> {
        let len = match part {
            Part::Control => self.trace.control.values.len(),
            Part::Steps => self.trace.steps.values.len(),
        };
        (0..len / Self::width(part)).flat_map(|row| self.messages_on(part, row)).collect()
    }

    pub(super) fn messages(&self) -> Vec<Message<KoalaBear>> {
        [Part::Control, Part::Steps].into_iter().flat_map(|part| self.messages_of(part)).collect()
    }

    /// The buses that do not balance; that of byte pairs if something else than bytes is looked up, or if the counts for
    /// the range table are not the lookups.
    pub(super) fn unbalanced(&self) -> BTreeSet<Bus> {
        let mut balance: BTreeMap<(Bus, Vec<u32>), i64> = BTreeMap::new();
        let mut pairs = std::vec![0; 1 << 16];
        let mut found = BTreeSet::new();
        for message in self.messages() {
            let fields = residues(&message.fields);
            if message.bus == Bus::BytePair {
                assert_eq!((sign(&message), fields.len()), (1, 2));
                if fields.iter().all(|&x| x < 256) {
                    pairs[(fields[0] + 256 * fields[1]) as usize] += 1;
                } else {
                    found.insert(message.bus);
                }
            } else {
                *balance.entry((message.bus, fields)).or_default() += sign(&message);
            }
        }
        if !found.contains(&Bus::BytePair) {
            let counts = O::range_counts(&self.trace.control);
            assert_eq!(counts.pairs, pairs);
        }
        found.extend(balance.into_iter().filter(|&(_, sum)| sum != 0).map(|((bus, _), _)| bus));
        found
    }

    /// The instance columns that are not those of the claims.
    pub(super) fn wrong_instance_columns(&self, claims: &[Claim<O::Event>]) -> BTreeSet<usize> {
        let width = O::Control::WIDTH;
        let values = &self.trace.control.values;
        let columns = O::instance_columns(claims, values.len() / width);
        assert_eq!(columns.len(), O::Control::INSTANCE_COLUMNS.len());
        let differs = |column: usize, expected: &[KoalaBear]| {
            expected.iter().enumerate().any(|(row, &x)| values[row * width + column] != x)
        };
        let pairs = O::Control::INSTANCE_COLUMNS.iter().zip(&columns);
        pairs.filter(|(column, expected)| differs(**column, expected)).map(|(column, _)| *column).collect()
    }
}

/// Changes every cell of the given rows by each delta; returns the cells (table, row, field) whose change neither a
/// constraint nor the claims nor a bus notices, and the number of changes.
pub(super) fn free_cells<O: Fill>(
    machine: &Machine<O>,
    rows: &[(Part, usize)],
    deltas: &[u32],
) -> (BTreeSet<(Part, usize, &'static str)>, usize) {
    let mut machine = machine.clone();
    let (mut free, mut changes) = (BTreeSet::new(), 0);
    // What a row does to the buses, but for lookups, and whether these are bytes.
    let effect = |machine: &Machine<O>, part, row| {
        let mut sums: BTreeMap<(Bus, Vec<u32>), i64> = BTreeMap::new();
        let mut bytes = true;
        for message in machine.messages_on(part, row) {
            let fields = residues(&message.fields);
            if message.bus == Bus::BytePair {
                bytes &= sign(&message) == 1 && fields.iter().all(|&x| x < 256);
            } else {
                *sums.entry((message.bus, fields)).or_default() += sign(&message);
            }
        }
        (sums, bytes)
    };
    for &(part, row) in rows {
        let width = Machine::<O>::width(part);
        let height = machine.cells(part).len() / width;
        let before = effect(&machine, part, row);
        assert!(before.1);
        for column in 0..width {
            let instance = part == Part::Control && O::Control::INSTANCE_COLUMNS.contains(&column);
            let at = row * width + column;
            let honest = machine.cells(part)[at];
            for &delta in deltas {
                changes += 1;
                machine.cells(part)[at] = honest + KoalaBear::from_u32(delta);
                let noticed = instance
                    || !machine.failures_on(part, row).is_empty()
                    || !machine.failures_on(part, (row + height - 1) % height).is_empty()
                    || effect(&machine, part, row) != before;
                if !noticed {
                    let fields = Machine::<O>::fields(part);
                    let field = fields.iter().find(|f| (f.offset..f.offset + f.width).contains(&column));
                    free.insert((part, row, field.unwrap().name));
                }
            }
            machine.cells(part)[at] = honest;
        }
    }
    (free, changes)
}
