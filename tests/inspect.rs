//! What an inspection says of a trace is what the row checker says, and what it decodes is what the event is.
#![cfg(feature = "files")]
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use septic_air::chips::columns::ColumnSet;
use septic_air::curve::p3_field::PrimeField32;
use septic_air::curve::{KoalaBear, Scalar, params};
use septic_air::files::StatedEvent;
use septic_air::inspect::{EventTrace, Inspection, NewCell, PointView};
use septic_air::{
    AddChip, AddEvent, Claim, DoubleChip, DoubleEvent, Event, Layout, Point, Scalar256, ScalarMulChip,
    ScalarMulEvent, TraceChip, VerifyChip, VerifyEvent,
};

fn trace(event: impl Into<Event>, layout: Layout) -> EventTrace {
    EventTrace::new(&StatedEvent { event: event.into(), out: None }, layout).unwrap()
}

fn h() -> Point {
    params::DIGEST_START.into()
}

/// Changes cells of a trace, here and in the generator's, and compares what is found.
fn compare<C: TraceChip>(event: C::Event)
where
    Event: From<C::Event>,
{
    let honest = trace(event, Layout::RowPerBit);
    let rows = honest.rows();
    let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let mut state = 7_usize;
    let mut random = |n: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % n
    };
    for round in 0..80 {
        // Every field has its turn.
        let field = &fields[round % fields.len()];
        let (place, row) = (random(field.width), random(rows));
        let value = u32::try_from(random(KoalaBear::ORDER_U32 as usize)).unwrap();
        let index = (field.width > 1).then_some(place);
        let mut changed = honest.clone();
        changed.set(&NewCell { field: field.name.to_owned(), index, row, value }).unwrap();
        let inspection = changed.inspect(0..0);

        let mut generated = C::generate_trace(&[event]).unwrap();
        generated.main.values[row * C::WIDTH + field.offset + place] = KoalaBear::new(value);
        let claims = [Claim::of(event)];
        let mut expected: Vec<_> = generated
            .violations()
            .into_iter()
            .map(|violation| (violation.row, violation.label.0, violation.coordinate))
            .collect();
        let instance = generated.instance_violations(&claims);
        expected.extend(instance.iter().map(|violation| (violation.row, violation.label.0, None)));
        let found: Vec<_> = inspection
            .violations
            .iter()
            .flat_map(|v| v.equations.iter().map(|equation| (v.row, v.label, equation.coordinate)))
            .collect();
        assert_eq!(found, expected, "{}[{place}]@{row}={value}", field.name);
        assert_eq!(inspection.satisfied, expected.is_empty());
        // Whatever is violated reads the changed cell.
        for violation in &inspection.violations {
            let reads = violation.cells.iter().any(|run| {
                let places = run.start..run.start + run.values.len();
                run.row == row && run.field == field.name && places.contains(&place)
            });
            assert!(reads, "{} of {}[{place}]@{row}", violation.label, field.name);
            let (formula, _) = inspection.explain(violation);
            assert!(!formula.is_empty());
        }
    }
}

#[test]
fn violations_are_those_of_the_row_checker() {
    let s = Scalar256::from(0x1234_5678_9abc);
    compare::<AddChip>(AddEvent { p: Point::GENERATOR, q: h() });
    compare::<DoubleChip>(DoubleEvent { p: h() });
    compare::<ScalarMulChip>(ScalarMulEvent { p: h(), s });
    compare::<VerifyChip>(VerifyEvent { a: h(), s, e: Scalar256::from(99) });
}

fn named<'a>(points: &'a [PointView], name: &str) -> &'a PointView {
    points.iter().find(|point| point.name.starts_with(name)).unwrap()
}

#[test]
fn points_have_their_names() {
    let g = Point::GENERATOR;
    let is = |inspection: &Inspection, name: &str| named(&inspection.rows[0].points, name).is.clone();
    let inspection = trace(AddEvent { p: g, q: -g }, Layout::RowPerBit).inspect(0..1);
    assert_eq!(is(&inspection, "P").as_deref(), Some("G"));
    assert_eq!(is(&inspection, "Q").as_deref(), Some("−P = −G"));
    assert_eq!(is(&inspection, "R").as_deref(), Some("𝒪"));
    let inspection = trace(AddEvent { p: h(), q: h() }, Layout::RowPerBit).inspect(0..1);
    assert_eq!(is(&inspection, "P").as_deref(), Some("Q"));
    assert_eq!(is(&inspection, "R"), None);
    let inspection = trace(DoubleEvent { p: params::HALF_GENERATOR.into() }, Layout::RowPerBit).inspect(0..1);
    assert_eq!(is(&inspection, "P").as_deref(), Some("H = G/2"));
    assert_eq!(is(&inspection, "R").as_deref(), Some("G"));
    // A point off the curve says so.
    let mut changed = trace(DoubleEvent { p: g }, Layout::RowPerBit);
    assert!(named(&changed.inspect(0..1).rows[0].points, "P").on_curve);
    changed.set(&"x_p[0]=1".parse().unwrap()).unwrap();
    assert!(!named(&changed.inspect(0..1).rows[0].points, "P").on_curve);
}

#[test]
fn ladder_rows_are_decoded() {
    let (s, e) = (Scalar256::from(0xdead_beef), Scalar256::from(0xcafe));
    let event = VerifyEvent { a: h(), s, e };
    let inspection = trace(event, Layout::RowPerBit).inspect(0..256);
    let rows = &inspection.rows;
    let acc = |row: usize| {
        let point = named(&rows[row].points, "acc");
        assert!(point.on_curve && !point.in_cells, "row {row}");
        Point::from_canonical(Some((point.x, point.y))).unwrap()
    };
    let bit = |row: usize, name: &str| {
        let number = rows[row].numbers.iter().find(|number| number.name == name).unwrap();
        number.value == "1"
    };
    // Each row of digits does what its digits say.
    assert_eq!(acc(0), Point::from(params::OFFSETS[0]));
    for row in 0..254 {
        let signed = |bit: bool, point: Point| if bit { point } else { -point };
        let half = Point::from(params::HALF_GENERATOR);
        let next = acc(row).double() + signed(bit(row, "digit"), h()) + signed(bit(row, "digit_g"), half);
        assert_eq!(acc(row + 1), next, "row {row}");
    }
    assert_eq!(acc(255), Event::from(event).execute());
    assert_eq!(named(&rows[254].points, "T").is.as_deref(), Some("C_0"));
    assert_eq!(named(&rows[255].points, "T, shown").is.as_deref(), Some("R"));
    // The limbs are those of the scalars.
    let limb =
        |row: usize| rows[row].numbers.iter().find(|number| number.name == "limb").unwrap().value.clone();
    assert_eq!([253, 254, 237, 238].map(limb), ["0xcafe", "0xbeef", "0x0000", "0xdead"]);
}

#[test]
fn half_size_scalars_solve_their_equation() {
    let s = Scalar256::from_hex("0x123456789abcdef0123456789abcdef0123456789abcdef012345").unwrap();
    let inspection = trace(ScalarMulEvent { p: h(), s }, Layout::HalfScalar).inspect(0..2);
    let number = |name: &str| {
        let text = &inspection.rows[0].numbers.iter().find(|number| number.name == name).unwrap().value;
        let (sign, digits) = text.strip_prefix('−').map_or((false, text.as_str()), |digits| (true, digits));
        let scalar = Scalar::from(Scalar256::from_hex(digits).unwrap());
        if sign { -scalar } else { scalar }
    };
    assert_eq!(number("s"), s.into());
    assert_eq!(number("u") * s.into() + number("w"), Scalar::ZERO);
    assert_ne!(number("u"), Scalar::ZERO);
    assert!(inspection.rows[1].cells.iter().all(|&cell| cell == 0));
    assert_eq!(inspection.height, 512);
}

#[test]
fn everything_has_its_documentation() {
    let events: [Event; 4] = [
        AddEvent { p: h(), q: h() }.into(),
        DoubleEvent { p: h() }.into(),
        ScalarMulEvent { p: h(), s: Scalar256::from(5) }.into(),
        VerifyEvent { a: h(), s: Scalar256::from(5), e: Scalar256::from(7) }.into(),
    ];
    for event in events {
        for layout in Layout::ALL {
            let inspection = trace(event, *layout).inspect(0..1);
            assert!(inspection.satisfied);
            assert!(
                inspection
                    .fields
                    .iter()
                    .all(|field| !field.honest.is_empty() && !field.constrained_by.is_empty())
            );
            assert!(inspection.constraints.iter().all(|constraint| !constraint.formula.is_empty()));
            assert!(inspection.messages.iter().all(|message| !message.fields.is_empty()));
        }
    }
}
