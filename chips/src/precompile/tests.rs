use alloc::vec;
use alloc::vec::Vec;

use septic_curve::{KoalaBear, params};

use super::verify::TWICE_GENERATOR;
use super::{PrecompileScalarMulTable, PrecompileVerifyTable};
use crate::bus::{Bus, Count};
use crate::check::{CheckField, check_table_row, degrees, row_messages};
use crate::table::{Place, Table};

#[test]
fn twice_the_generator() {
    let (x, y) = params::GENERATOR.double().to_canonical();
    assert_eq!([x, y], TWICE_GENERATOR);
}

/// Columns, constraints, their greatest degree, messages of bytes and of ranges.
fn shape<T: Table>() -> [usize; 5] {
    let degrees = degrees::<T>();
    let greatest = degrees.iter().copied().max().unwrap_or(0);
    let zero = KoalaBear::from_residue(0);
    let mut row = vec![zero; T::WIDTH];
    // Padding is valid and sends nothing.
    let place = Place { is_first: zero, is_transition: zero };
    assert_eq!(check_table_row::<T, KoalaBear>(&row, &row, &[], &place, &[]), []);
    let sent = |row: &[KoalaBear]| row_messages::<T, KoalaBear>(row);
    assert!(sent(&row).iter().all(|message| message.count == Count::Send(zero)));
    row[0] = KoalaBear::from_residue(1);
    let messages = sent(&row);
    assert!(messages.iter().all(|message| message.count == Count::Send(row[0])));
    let on = |bus| messages.iter().filter(|message| message.bus == bus).count();
    assert_eq!(on(Bus::Bytes) + on(Bus::Range), messages.len());
    [T::WIDTH, degrees.len(), greatest, on(Bus::Bytes), on(Bus::Range)]
}

#[test]
fn shapes() {
    assert_eq!(shape::<PrecompileScalarMulTable>(), [2_029, 2_008, 3, 26, 22]);
    assert_eq!(shape::<PrecompileVerifyTable>(), [2_767, 2_747, 3, 29, 37]);
}

/// Constraints ask for nothing on rows that are not real, whatever stands in the rest: no label but those of columns that gate
/// themselves can fail there alone.
#[test]
fn every_label_can_fail() {
    fn failing<T: Table>() -> Vec<&'static str> {
        let zero = KoalaBear::from_residue(0);
        let mut seed = 1_u64;
        let row: Vec<KoalaBear> = (0..T::WIDTH)
            .map(|_| {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                KoalaBear::from_residue(u32::try_from(seed >> 34).expect("30 bits"))
            })
            .collect();
        let place = Place { is_first: zero, is_transition: zero };
        let failures = check_table_row::<T, KoalaBear>(&row, &row, &[], &place, &[]);
        assert_eq!(failures.len(), degrees::<T>().len());
        failures.into_iter().map(|failure| failure.label.0).collect()
    }
    assert!(failing::<PrecompileScalarMulTable>().iter().all(|l| l.starts_with("scalar_mul_precompile.")));
    assert!(failing::<PrecompileVerifyTable>().iter().all(|l| l.starts_with("verify_precompile.")));
}
