//! Exhaustive search for rows that satisfy a chip's constraints.
//!
//! Cells are assigned one after the other, each over its whole domain. A constraint is checked as soon as the cells that
//! it mentions are assigned; what it mentions is found by evaluating the chip on sets of cells. So the search finds
//! exactly the assignments that satisfy every constraint whose cells are all known, and every other assignment extends
//! one that already failed.

use std::collections::BTreeSet;
use std::ops::{Add, Mul, Neg, Range, Sub};

use septic_chips::Chip;
use septic_chips::add::AddChip;
use septic_chips::check::{CheckField, check_row};
use septic_chips::chip::NoFlags;
use septic_chips::columns::{ColumnSet, column};
use septic_chips::double::DoubleChip;
use septic_chips::scalar_mul::ScalarMulChip;
use septic_chips::septic_curve::Septic;
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::verify::VerifyChip;

use crate::Enumerated;
use crate::curve::Toy7;
use crate::field::F;
use crate::short::{Ladder, ROWS};

/// No chip has more columns.
const MAX_WIDTH: usize = 58;

/// A row of any chip.
pub(crate) type Row<const P: u32> = [F<P>; MAX_WIDTH];

/// A row of zeros.
pub(crate) const fn empty<const P: u32>() -> Row<P> {
    [F::ZERO; MAX_WIDTH]
}

/// The first column of a field of chip `C`: the only one that toy curves use.
pub(crate) fn col<C: Chip>(name: &str) -> usize {
    column(<C::Cols<u32> as ColumnSet<u32>>::FIELDS, name)
}

/// The cell of that column.
pub(crate) fn cell<C: Chip, const P: u32>(row: &Row<P>, name: &str) -> F<P> {
    row[col::<C>(name)]
}

/// A cell of a window of two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    row: usize,
    column: usize,
}

/// A set of places: bit 64·row + column. Also a set of flags: bit i.
type Places = u128;

const fn bit(place: Place) -> Places {
    1 << (64 * place.row + place.column)
}

/// What an expression mentions, or that it is 0.
#[derive(Clone, Copy, Debug)]
struct Mention {
    places: Places,
    zero: bool,
}

impl Mention {
    const ZERO: Self = Self { places: 0, zero: true };

    const fn of(places: Places) -> Self {
        Self { places, zero: false }
    }

    /// A sum, or a product of factors that are not 0.
    const fn union(self, rhs: Self) -> Self {
        Self { places: self.places | rhs.places, zero: self.zero && rhs.zero }
    }
}

impl Add for Mention {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        self.union(rhs)
    }
}

impl Sub for Mention {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        self.union(rhs)
    }
}

impl Mul for Mention {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        if self.zero || rhs.zero { Self::ZERO } else { self.union(rhs) }
    }
}

impl Neg for Mention {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

/// Collects what each constraint mentions, in order.
struct MentionSink(Vec<(Label, Places)>);

impl ConstraintSink for MentionSink {
    type Expr = Mention;

    fn constant(&self, c: u32) -> Mention {
        if c == 0 { Mention::ZERO } else { Mention::of(0) }
    }

    fn assert_zero(&mut self, label: Label, x: Mention) {
        self.0.push((label, x.places));
    }

    fn assert_septic(&mut self, label: Label, x: Septic<Mention>) {
        self.0.push((label, x.0.into_iter().fold(0, |places, x| places | x.places)));
    }
}

/// The chip's constraints in order, with what each mentions when cells and flags mention these.
fn mentions<C: Chip>(
    cell: impl Fn(Place) -> Places,
    flag: impl Fn(usize) -> Mention,
) -> Vec<(Label, Places)> {
    let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let cols = |row: usize| {
        // Toy curves use the first coordinate of a septic element alone.
        C::Cols::from_fn(|column| match fields.iter().find(|field| field.offset == column) {
            Some(_) => Mention::of(cell(Place { row, column })),
            None => Mention::ZERO,
        })
    };
    let parameters = vec![Mention::of(0); C::NUM_PARAMETERS];
    let mut sink = MentionSink(Vec::new());
    C::eval(&mut sink, &cols(0), &cols(1), &C::Flags::from_fn(flag), &parameters);
    sink.0
}

fn flag_cells<C: Chip>(flags: &C::Flags<u32>) -> Vec<u32> {
    let mut cells = vec![0; C::NUM_FLAGS];
    flags.write_to(&mut cells);
    cells
}

/// The places that each constraint mentions on a row with these flags. A flag that is 0 takes its factor away.
fn places<C: Chip>(flags: &C::Flags<u32>) -> Vec<(Label, Places)> {
    let cells = flag_cells::<C>(flags);
    mentions::<C>(bit, |i| if cells[i] == 0 { Mention::ZERO } else { Mention::of(0) })
}

/// A set of columns: of a row and of its successor.
pub(crate) type Columns = [Vec<usize>; 2];

/// The constraints on a row with these flags that mention columns of more than one group.
pub(crate) fn straddling<C: Chip>(flags: &C::Flags<u32>, groups: &[Columns]) -> Vec<Label> {
    let of = |group: &Columns| {
        let places = |row: usize| group[row].iter().map(move |&column| bit(Place { row, column }));
        places(0).chain(places(1)).fold(0, |set, place| set | place)
    };
    let groups: Vec<Places> = groups.iter().map(of).collect();
    let straddles = |places: Places| groups.iter().all(|group| places & !group != 0);
    places::<C>(flags).into_iter().filter(|&(_, places)| straddles(places)).map(|(label, _)| label).collect()
}

/// Remembers whether the constraints that are due hold.
struct DueSink<'a, const P: u32> {
    due: std::slice::Iter<'a, bool>,
    hold: bool,
}

impl<const P: u32> ConstraintSink for DueSink<'_, P> {
    type Expr = F<P>;

    #[inline]
    fn constant(&self, c: u32) -> F<P> {
        F::new(c)
    }

    #[inline]
    fn assert_zero(&mut self, _: Label, x: F<P>) {
        let due = self.due.next().copied().unwrap_or_default();
        self.hold &= !due || x == F::ZERO;
    }

    #[inline]
    fn assert_septic(&mut self, _: Label, x: Septic<F<P>>) {
        let due = self.due.next().copied().unwrap_or_default();
        self.hold &= !due || x.0 == [F::ZERO; 7];
    }

    #[inline]
    fn mul(&self, a: &Septic<F<P>>, b: &Septic<F<P>>) -> Septic<F<P>> {
        F::septic_mul(a, b)
    }

    #[inline]
    fn square(&self, a: &Septic<F<P>>) -> Septic<F<P>> {
        F::septic_mul(a, a)
    }
}

/// How much was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Partial assignments for which constraints were evaluated.
    pub(crate) states: u64,
    /// Complete assignments that satisfy the constraints.
    pub(crate) accepted: u64,
}

impl Counts {
    /// With the number of different statements that the assignments make.
    pub(crate) fn with(self, statements: usize) -> Enumerated {
        let Self { states, accepted } = self;
        Enumerated { states, accepted, statements: u64::try_from(statements).unwrap() }
    }
}

/// What to search in a window of two rows of chip `C`.
#[derive(Clone, Debug)]
pub(crate) struct Plan<C: Chip> {
    /// Flags of the rows whose constraints count: of the first row, or of both.
    flags: Vec<C::Flags<u32>>,
    /// Constraints that mention these alone are known to hold.
    given: Vec<Place>,
    cells: Vec<(Place, Range<u32>)>,
    dropped: Vec<Label>,
}

impl<C: Chip> Plan<C> {
    /// Nothing is known; the constraints of rows with these flags count.
    pub(crate) fn new(flags: impl IntoIterator<Item = C::Flags<u32>>) -> Self {
        Self { flags: flags.into_iter().collect(), given: Vec::new(), cells: Vec::new(), dropped: Vec::new() }
    }

    /// A cell is given, and satisfies the constraints that mention given cells alone.
    pub(crate) fn given(mut self, row: usize, name: &str) -> Self {
        self.given.push(Place { row, column: col::<C>(name) });
        self
    }

    /// The named cells of a row are searched, each over `values`.
    pub(crate) fn search(mut self, row: usize, names: &[&str], values: Range<u32>) -> Self {
        let place = |name: &&str| (Place { row, column: col::<C>(name) }, values.clone());
        self.cells.extend(names.iter().map(place));
        self
    }

    /// The named constraints are left out.
    pub(crate) fn without(mut self, labels: &[Label]) -> Self {
        self.dropped.extend(labels);
        self
    }
}

/// Constraints of one row of the window that are due, by their order in the chip.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Due {
    row: usize,
    constraints: Vec<bool>,
}

/// A search in a window of two rows of chip `C`.
#[derive(Clone, Debug)]
pub(crate) struct Search<C: Chip, const P: u32> {
    /// The cells to be assigned, in order, with the values tried.
    cells: Vec<(Place, Range<u32>)>,
    /// What is due after each of them.
    due: Vec<Vec<Due>>,
    /// Flags of the rows whose constraints count.
    flags: Vec<C::Flags<F<P>>>,
    parameters: Vec<F<P>>,
    /// The labels of constraints that are checked, and of those that are not: they mention an unknown cell.
    pub(crate) checked: Vec<Label>,
    pub(crate) unchecked: Vec<Label>,
    /// For each row whose constraints count, the flags that its checked constraints read and their values.
    kind: Vec<Vec<(usize, u32)>>,
    /// The given columns that the checked constraints mention.
    pub(crate) needs: Vec<usize>,
}

impl<C: Chip, const P: u32> Search<C, P> {
    /// # Panics
    /// If a constraint that mentions no cell does not hold.
    pub(crate) fn new(plan: &Plan<C>) -> Self {
        let given = plan.given.iter().fold(0, |set, &place| set | bit(place));
        let known = plan.cells.iter().fold(given, |set, &(place, _)| set | bit(place));
        let flags_read = mentions::<C>(|_| 0, |i| Mention::of(1 << i));
        let add = |due: &mut Vec<Due>, row: usize, i: usize| {
            if due.last().is_none_or(|due| due.row != row) {
                due.push(Due { row, constraints: vec![false; flags_read.len()] });
            }
            due.last_mut().unwrap().constraints[i] = true;
        };
        let mut constant = Vec::new();
        let mut due = vec![Vec::new(); plan.cells.len()];
        let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
        let mut kind = Vec::new();
        let mut needs = 0;
        for (row, flags) in plan.flags.iter().enumerate() {
            let mut read = 0;
            for (i, (label, places)) in places::<C>(flags).into_iter().enumerate() {
                // The successor of the window's second row is not in the window.
                let beyond = row == 1 && places >> 64 != 0;
                let places = places << (64 * row);
                if plan.dropped.contains(&label) {
                    continue;
                }
                if beyond || places & !known != 0 {
                    unchecked.push(label);
                    continue;
                }
                if places == 0 {
                    add(&mut constant, row, i);
                    continue;
                }
                let last = plan.cells.iter().rposition(|&(place, _)| places & bit(place) != 0);
                let Some(last) = last else { continue };
                checked.push(label);
                read |= flags_read[i].1;
                needs |= places & given;
                add(&mut due[last], row, i);
            }
            let cells = flag_cells::<C>(flags).into_iter().enumerate();
            kind.push(cells.filter(|&(i, _)| read >> i & 1 == 1).collect());
        }
        let field_flags = |flags: &C::Flags<u32>| {
            let cells = flag_cells::<C>(flags);
            C::Flags::from_fn(|i| F::new(cells[i]))
        };
        let search = Self {
            cells: plan.cells.clone(),
            due,
            flags: plan.flags.iter().map(field_flags).collect(),
            // f(u) = Σ t^k·u_k is u for elements of degree 0, whatever t is.
            parameters: vec![F::new(2); C::NUM_PARAMETERS],
            checked,
            unchecked,
            kind,
            needs: (0..C::WIDTH).filter(|&column| needs & bit(Place { row: 0, column }) != 0).collect(),
        };
        assert!(search.hold(&constant, &[empty(); 2]), "the flags contradict each other");
        search
    }

    /// Whether both searches try the same cells and check the same constraints with the same flags.
    pub(crate) fn does_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.cells == other.cells && self.due == other.due
    }

    /// Calls `visit` with every assignment of the searched cells that satisfies the constraints, given the other
    /// cells of `window`.
    pub(crate) fn run(
        &self,
        mut window: [Row<P>; 2],
        counts: &mut Counts,
        mut visit: impl FnMut(&[Row<P>; 2]),
    ) {
        self.descend(0, &mut window, counts, &mut visit);
    }

    /// As [`Self::run`], given the first `assigned` cells as well.
    fn descend(
        &self,
        assigned: usize,
        window: &mut [Row<P>; 2],
        counts: &mut Counts,
        visit: &mut impl FnMut(&[Row<P>; 2]),
    ) {
        let Some((place, values)) = self.cells.get(assigned) else {
            counts.accepted += 1;
            return visit(window);
        };
        for value in values.clone() {
            window[place.row][place.column] = F::new(value);
            counts.states += 1;
            if self.hold(&self.due[assigned], window) {
                self.descend(assigned + 1, window, counts, visit);
            }
        }
    }

    /// Whether constraints that are due hold.
    fn hold(&self, due: &[Due], window: &[Row<P>; 2]) -> bool {
        due.iter().all(|Due { row, constraints }| {
            let mut sink = DueSink { due: constraints.iter(), hold: true };
            let local = C::Cols::from_fn(|i| window[*row][i]);
            let next = C::Cols::from_fn(|i| window.get(row + 1).map_or(F::ZERO, |next| next[i]));
            C::eval(&mut sink, &local, &next, &self.flags[*row], &self.parameters);
            sink.hold
        })
    }
}

/// The number of windows whose cells are changed for each kind of row.
const WINDOWS: usize = 100;

/// If a change of a cell changes whether a constraint holds, the constraint mentions the cell: a constraint is never
/// checked too early.
#[test]
fn constraints_mention_the_cells_they_depend_on() {
    const P: u32 = 7;
    fn check<C: Chip>(flags: impl IntoIterator<Item = C::Flags<u32>>) {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            F::<P>::new(state >> 16)
        };
        let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS;
        for flags in flags {
            let places = places::<C>(&flags);
            let cells: Vec<_> = flag_cells::<C>(&flags).into_iter().map(F::<P>::new).collect();
            let failures = |[local, next]: &[Row<P>; 2]| -> BTreeSet<Label> {
                let parameters = vec![F::new(2); C::NUM_PARAMETERS];
                let failures =
                    check_row::<C, F<P>>(&local[..C::WIDTH], &next[..C::WIDTH], &cells, &parameters);
                failures.into_iter().map(|failure| failure.label).collect()
            };
            for _ in 0..WINDOWS {
                let mut window = [empty(); 2];
                for row in &mut window {
                    for field in fields {
                        row[field.offset] = random();
                    }
                }
                let before = failures(&window);
                for place in
                    (0..2).flat_map(|row| fields.iter().map(move |f| Place { row, column: f.offset }))
                {
                    let mut changed = window;
                    changed[place.row][place.column] = random();
                    for label in before.symmetric_difference(&failures(&changed)) {
                        let mentioned =
                            |&(known, set): &(Label, Places)| known == *label && set & bit(place) != 0;
                        assert!(places.iter().any(mentioned), "{label:?} depends on {place:?}");
                    }
                }
            }
        }
    }
    check::<AddChip<Toy7>>([NoFlags]);
    check::<DoubleChip<Toy7>>([NoFlags]);
    check::<ScalarMulChip<Toy7>>((0..ROWS).map(ScalarMulChip::<Toy7>::short_flags));
    check::<VerifyChip<Toy7>>((0..ROWS).map(VerifyChip::<Toy7>::short_flags));
}
