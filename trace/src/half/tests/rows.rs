//! Rows by themselves: lookups, changed cells, padding.

use septic_chips::generator::{ENTRIES, GeneratorTable};
use septic_chips::range::RangeTable;

use super::super::Lookups;
use super::*;

type Sm = HalfScalarMul;
type Vf = HalfVerify;

/// Numbers a cell is set to, besides its neighbours and a random one.
const NUMBERS: [u32; 5] = [0, 1, 2, P - 1, 1 << 13];

/// The ways to change a cell.
fn changes(honest: KoalaBear, random: &mut Random) -> Vec<KoalaBear> {
    let mut changed = vec![honest + KoalaBear::ONE, honest - KoalaBear::ONE];
    changed.extend(NUMBERS.map(KoalaBear::new));
    changed.push(KoalaBear::from_u64(random.number()));
    changed.sort_unstable();
    changed.dedup();
    changed.retain(|&x| x != honest);
    changed
}

/// Changes every cell of a row in every way. The fields, other than instance columns, with a cell whose change neither a
/// constraint nor a message notices; and the instance columns' fields with such a cell; and the number of changes.
fn unnoticed<O: Fill>(row: &Row<O>) -> ([BTreeSet<&'static str>; 2], usize) {
    let mut random = Random(21);
    let mut row = row.clone();
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    let mut count = 0;
    for field in Row::<O>::fields() {
        for cell in field.offset..field.offset + field.width {
            let honest = row.cells[cell];
            for changed in changes(honest, &mut random) {
                row.cells[cell] = changed;
                count += 1;
                if row.failing().is_empty() && row.unmatched().is_empty() {
                    let is_instance = O::Table::INSTANCE_COLUMNS.contains(&cell);
                    found[usize::from(is_instance)].insert(field.name);
                }
            }
            row.cells[cell] = honest;
        }
    }
    (found, count)
}

/// Rows of events: nothing is free but `instance`, which the claims pin. The number of changes.
fn all_noticed<O: Fill>(events: &[O::Event], instance: &[&'static str]) -> usize {
    let all = Row::<O>::all(events);
    let mut pinned = BTreeSet::new();
    let noticed = |row: &Row<O>| {
        let ([free, instance], count) = unnoticed(row);
        assert_eq!(free, BTreeSet::new());
        pinned.extend(instance);
        count
    };
    let count = all[..events.len()].iter().map(noticed).sum();
    assert_eq!(pinned, instance.iter().copied().collect());
    count
}

#[test]
fn changed_cells_of_scalar_mul_are_noticed() {
    let mut events = vec![
        ScalarMulEvent { p: multiple(5), s: Scalar256::MAX },
        ScalarMulEvent { p: multiple(9), s: Scalar256::ZERO },
        ScalarMulEvent { p: multiple(9), s: Scalar256::ONE },
        ScalarMulEvent { p: Point::Identity, s: 77u64.into() },
        ScalarMulEvent { p: multiple(9), s: 2u64.into() },
    ];
    let second = super::scalar_mul::colliding_events();
    events.push(second[0].1);
    events.push(second[second.len() - 1].1);
    let rows = Row::<Sm>::all(&events);
    assert!(rows[5].is_second() && rows[6].is_second());
    assert_eq!(all_noticed::<Sm>(&events, &[]), 106_527);
}

#[test]
fn changed_cells_of_verify_are_noticed() {
    let b = Point::from(params::OFFSETS[0]);
    let minus_one = Scalar256::from(-Scalar::ONE);
    let events = [
        VerifyEvent { a: multiple(5), s: Scalar256::MAX, e: Scalar256::MAX },
        VerifyEvent { a: Point::Identity, s: Scalar256::ZERO, e: 7u64.into() },
        VerifyEvent { a: multiple(9), s: 7u64.into(), e: Scalar256::ONE },
        VerifyEvent { a: multiple(9), s: (-Scalar::from(9)).into(), e: Scalar256::ONE },
        // e·A − A = B_0.
        VerifyEvent { a: times(inverse(Scalar::from(4)), b), s: minus_one, e: 5u64.into() },
    ];
    assert!(Row::<Vf>::all(&events)[4].is_second());
    // The entry for −1 in a window is that for 255 in the one below, which is that for 0: windows are bytes by the claims.
    assert_eq!(all_noticed::<Vf>(&events, &["s"]), 101_627);
}

/// Padding rows have cells that may be changed one by one. With `real = 0` constants vanish and so do N, D and P:
///
/// - `x_m`, `y_m`: C5 or C11 multiplies them by x_p − x_d = 0, and no digit takes M;
/// - `inverse`: it multiplies a product that is 0;
/// - scalars: u = 0 multiplies them, and no message is sent.
///
/// Harmless: `real` is an instance column, so these rows claim nothing; they send nothing, and no row reads another.
#[test]
fn padding_has_free_cells() {
    assert_eq!(unnoticed(&Row::<Sm>::padding()), ([["inverse", "x_m", "y_m"].into(), ["s"].into()], 9_965));
    assert_eq!(
        unnoticed(&Row::<Vf>::padding()),
        ([["inverse", "x_m", "y_m"].into(), ["e", "s"].into()], 13_175)
    );
}

/// A padding row sends no message whatever its cells are: counts are `real`, and `real` is an instance column.
#[test]
fn rows_that_are_not_real_send_nothing() {
    fn run<O: Fill>() {
        let mut row = Row::<O>::padding();
        row.cells.iter_mut().skip(1).enumerate().for_each(|(i, cell)| *cell = KoalaBear::from_usize(i + 5));
        let sends = |row: &Row<O>, count| row.messages().iter().all(|m| m.count == Count::Send(count));
        assert!(sends(&row, KoalaBear::ZERO));
        row.cells[0] = KoalaBear::ONE;
        assert!(sends(&row, KoalaBear::ONE));
        assert!(O::Table::INSTANCE_COLUMNS.contains(&0) && Row::<O>::fields()[0].name == "real");
    }
    run::<Sm>();
    run::<Vf>();
}

/// What [`is_provided`] takes for provided is what the tables provide.
#[test]
fn messages_are_those_of_the_lookup_tables() {
    let mut limbs = BTreeSet::new();
    let mut pairs = BTreeSet::new();
    for value in 0..1u32 << 13 {
        let cells = [value, value % 128, 1, 1].map(KoalaBear::new);
        let messages = row_messages::<RangeTable, _>(&cells);
        assert_eq!(messages.iter().map(|m| m.bus).collect::<Vec<_>>(), [Bus::Limb, Bus::LimbPair]);
        limbs.insert(messages[0].fields.clone());
        pairs.insert(messages[1].fields.clone());
    }
    assert_eq!((limbs.len(), pairs.len()), (1 << 13, 1 << 13));
    assert!(limbs.iter().all(|fields| is_provided(Bus::Limb, fields)));
    assert!(pairs.iter().all(|fields| is_provided(Bus::LimbPair, fields)));
    for (bus, fields) in [
        (Bus::Limb, &[1 << 13][..]),
        (Bus::Limb, &[P - 1]),
        (Bus::LimbPair, &[128, 0]),
        (Bus::LimbPair, &[0, 64]),
        (Bus::LimbPair, &[P - 1, 0]),
    ] {
        let fields: Vec<_> = fields.iter().copied().map(KoalaBear::new).collect();
        assert!(!is_provided(bus, &fields) && !limbs.contains(&fields) && !pairs.contains(&fields));
    }
    for row in 0..1 << 13 {
        let mut cells: Vec<KoalaBear> = GENERATOR.iter().map(|column| column[row]).collect();
        cells.push(KoalaBear::ONE);
        let message = row_messages::<GeneratorTable, _>(&cells).swap_remove(0);
        assert_eq!(message.fields, cells[..15]);
        assert!(message.bus == Bus::Generator && is_provided(message.bus, &message.fields));
        // Under the next number only where the next row holds the same: 256·2^(8w)·G, or nothing.
        cells[0] += KoalaBear::ONE;
        let is_repeated = row % 256 == 255 && (256..26 * 256).contains(&row);
        let is_none = row >= ENTRIES && row + 1 < 1 << 13;
        assert_eq!(is_provided(message.bus, &cells[..15]), is_repeated || is_none);
    }
}

/// The entries by their definition, row by row.
#[test]
fn entries_are_multiples_of_the_generator() {
    let g = Point::GENERATOR;
    let entries = generator::entries();
    assert_eq!(entries.len(), ENTRIES);
    let power = |w: usize| (0..8 * w).fold(Scalar::ONE, |power, _| power + power);
    let [b_0, b_1] = params::OFFSETS.map(Point::from);
    for row in
        (0..ENTRIES).filter(|row| row % 61 == 0 || row % 256 < 2 || row % 256 > 253 || row % 512 == 511)
    {
        let (w, d) = (row >> 8, (row & 255) as u64);
        let d = Scalar::from(d);
        let expected = match w {
            0 => b_0 + times(d, g),
            28 => b_1 + times(d, g),
            27 => times((d + Scalar::from(257)) * power(26), g),
            _ => times((d + Scalar::ONE) * power(w), g),
        };
        assert_eq!(Point::from(entries[row]), expected, "{row}");
    }
}

/// Lookups are counted as often as rows with an event send them.
#[test]
fn lookups_are_the_messages_of_rows() {
    fn run<O: Fill>(events: &[O::Event], totals: [usize; 3]) {
        let mut counted = Lookups::default();
        O::count_lookups(&O::generate(events).unwrap().main, &mut counted);
        let mut sent = Lookups::default();
        for message in Row::<O>::all(events).iter().flat_map(Row::messages) {
            let Count::Send(count) = message.count else { panic!("rows send") };
            let number = |i: usize| message.fields[i].as_canonical_u32() as usize;
            match message.bus {
                Bus::Limb => sent.limbs[number(0)] += count.as_canonical_u32(),
                Bus::LimbPair => sent.pairs[number(0) + 128 * number(1)] += count.as_canonical_u32(),
                _ => sent.entries[number(0)] += count.as_canonical_u32(),
            }
        }
        assert_eq!(counted, sent);
        let total = |list: &[u32]| list.iter().sum::<u32>() as usize;
        assert_eq!([total(&sent.limbs), total(&sent.pairs), total(&sent.entries)], totals);
    }
    let b = Point::from(params::OFFSETS[0]);
    let events: Vec<_> = (0..40).map(|k| ScalarMulEvent { p: multiple(k), s: (k * k).into() }).collect();
    run::<Sm>(&events, [20 * 40, 9 * 40, 0]);
    let mut events: Vec<_> =
        (0..40).map(|k| VerifyEvent { a: multiple(k), s: (k * k).into(), e: (k + 5).into() }).collect();
    events.push(VerifyEvent { a: times(inverse(Scalar::from(4)), b), s: 300u64.into(), e: 5u64.into() });
    run::<Vf>(&events, [20 * 41, 9 * 41, 27 * 41]);
}

/// Which columns the messages hold, and what they add to them.
#[test]
fn messages_hold_the_columns() {
    fn numbered<O: Fill>() -> Vec<(&'static str, Vec<u32>)> {
        let mut row = Row::<O>::padding();
        row.cells.iter_mut().enumerate().for_each(|(i, cell)| *cell = KoalaBear::from_usize(i + 1));
        let numbers =
            |fields: Vec<KoalaBear>| -> Vec<u32> { fields.iter().map(|x| x.as_canonical_u32()).collect() };
        row.messages().into_iter().map(|m| (short(m.label), numbers(m.fields))).collect()
    }
    fn at<O: Fill>(name: &str, i: usize) -> u32 {
        u32::try_from(column(Row::<O>::fields(), name) + i + 1).unwrap()
    }
    fn run<O: Fill>() -> Vec<(&'static str, Vec<u32>)> {
        let messages = numbered::<O>();
        for (a, (label, fields)) in messages[..9].iter().enumerate() {
            assert_eq!(*label, "M1.quotient");
            let high = if a < 8 { at::<O>("quotient", 2 * a + 1) } else { 0 };
            assert_eq!(*fields, [at::<O>("quotient", 2 * a), high]);
        }
        for (k, (label, fields)) in messages[9..29].iter().enumerate() {
            assert_eq!(*label, "M2.carry");
            assert_eq!(*fields, [at::<O>("carry", k)]);
        }
        messages[29..].to_vec()
    }
    assert_eq!(run::<Sm>(), []);
    let entries = run::<Vf>();
    assert_eq!(entries.len(), 27);
    for (w, (label, fields)) in entries.iter().enumerate() {
        assert_eq!(*label, "M3.entry");
        // `real` holds 1.
        let offset = if w == 0 { 7168 * at::<Vf>("offset", 0) } else { 256 * u32::try_from(w).unwrap() };
        assert_eq!(fields[0], at::<Vf>("s", w) + offset);
        let point = |name| (0..7).map(move |i| at::<Vf>(name, 7 * w + i));
        assert_eq!(fields[1..], point("x_g").chain(point("y_g")).collect::<Vec<_>>());
    }
}
