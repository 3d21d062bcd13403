//! The same events in both stacks: the cells that SP1's rows share with the traces for Plonky3 are the same, both accept the
//! honest rows, and both refuse a changed result.

use septic_chips::check::check_table_row;
use septic_chips::table::{ChipTable, Place, Table};
use septic_chips::{AddChip, DoubleChip};
use septic_curve::layout::encode_scalar;
use septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField32 as _};
use septic_curve::{KoalaBear, Point, Scalar256, params};
use septic_sp1::Memory;
use septic_sp1::precompile::{Add, Double, Operation, ScalarMul, Verify};
use septic_trace::precompile::{PrecompileOperation, PrecompileScalarMul, PrecompileVerify};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, TraceChip, VerifyEvent};
use slop_algebra::{AbstractField, PrimeField32};
use sp1_primitives::SP1Field;

use crate::forge::{Rows, Shape, is_refused, traces};

/// The constraints of table `T` that a row of Plonky3's trace violates.
fn violated<T: Table>(row: &[KoalaBear]) -> usize {
    let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ONE };
    check_table_row::<T, KoalaBear>(row, row, &[], &place, &[]).len()
}

/// Compares the rows of the operations in `memory`'s shard with `rows` of the table, whose result is from column `result` on.
fn compare<O: Operation>(shape: Shape, memory: &mut Memory, rows: &[KoalaBear], result: usize) {
    let width = O::Table::WIDTH;
    let mut traces = traces(&memory.finish_shard());
    let trace = traces.get_mut(shape.name).unwrap();
    for (i, row) in rows.chunks_exact(width).enumerate() {
        let theirs: Vec<SP1Field> = trace.row(i).to_vec();
        let ours = (0..width).filter(|column| !O::IO_COLUMNS.contains(column)).map(|column| row[column]);
        let shared = theirs[shape.witness()..].iter().map(PrimeField32::as_canonical_u32);
        assert!(ours.map(|cell| cell.as_canonical_u32()).eq(shared), "row {i}");

        assert!(violated::<O::Table>(row) == 0 && !is_refused(shape.name, &theirs, &theirs));
        let mut wrong = row.to_vec();
        wrong[result] += KoalaBear::ONE;
        let mut wrong_there = theirs.clone();
        wrong_there[shape.result(0)] += SP1Field::one();
        assert!(violated::<O::Table>(&wrong) > 0 && is_refused(shape.name, &wrong_there, &theirs));
    }
}

/// Points and scalars of all kinds.
fn inputs() -> (Vec<Point>, Vec<Scalar256>) {
    let g = Point::Affine(params::GENERATOR);
    let order = Scalar256::from(params::ORDER);
    let scalars = [Scalar256::ZERO, Scalar256::ONE, 5_u64.into(), order, Scalar256::MAX];
    (vec![Point::Identity, g, -g, g.double(), params::DUMMY.into()], scalars.to_vec())
}

#[test]
fn add() {
    let (points, _) = inputs();
    let mut memory = Memory::new();
    let mut events = Vec::new();
    for &p in &points {
        for &q in &points {
            let [p_ptr, q_ptr] = [p, q].map(|point| memory.store_point(&point));
            memory.add(p_ptr, q_ptr).unwrap();
            events.push(AddEvent { p, q });
        }
    }
    let trace = AddChip::generate_trace(&events).unwrap().main.values;
    let rows = &trace[..events.len() * <ChipTable<AddChip> as Table>::WIDTH];
    let shape = Shape { name: "SepticAdd", pointers: 2, reads: 7, read_limbs: 14, proofs: false };
    compare::<Add>(shape, &mut memory, rows, 28);
}

#[test]
fn double() {
    let (points, _) = inputs();
    let mut memory = Memory::new();
    for p in &points {
        let p_ptr = memory.store_point(p);
        memory.double(p_ptr).unwrap();
    }
    let events: Vec<DoubleEvent> = points.iter().map(|&p| DoubleEvent { p }).collect();
    let trace = DoubleChip::generate_trace(&events).unwrap().main.values;
    let rows = &trace[..events.len() * <ChipTable<DoubleChip> as Table>::WIDTH];
    let shape = Shape { name: "SepticDouble", pointers: 1, reads: 0, read_limbs: 0, proofs: false };
    compare::<Double>(shape, &mut memory, rows, 14);
}

#[test]
fn scalar_mul() {
    let (points, scalars) = inputs();
    let mut memory = Memory::new();
    let mut claims = Vec::new();
    for &p in &points {
        for &s in &scalars {
            let p_ptr = memory.store_point(&p);
            let s_ptr = memory.store(&encode_scalar(&s));
            memory.scalar_mul(p_ptr, s_ptr).unwrap();
            claims.push(Claim::of(ScalarMulEvent { p, s }));
        }
    }
    let rows = PrecompileScalarMul::generate_claims(&claims).unwrap().values;
    let shape = Shape { name: "SepticScalarMul", pointers: 2, reads: 4, read_limbs: 0, proofs: false };
    compare::<ScalarMul>(shape, &mut memory, &rows, 15);
}

#[test]
fn verify() {
    let (points, scalars) = inputs();
    let mut memory = Memory::new();
    let mut claims = Vec::new();
    for (i, &a) in points.iter().enumerate() {
        for (j, &s) in scalars.iter().enumerate() {
            let e = scalars[(i + j) % scalars.len()];
            let ptr = memory.store_point(&a);
            memory.store(&encode_scalar(&s));
            memory.store(&encode_scalar(&e));
            memory.verify(ptr).unwrap();
            claims.push(Claim::of(VerifyEvent { a, s, e }));
        }
    }
    let rows = PrecompileVerify::generate_claims(&claims).unwrap().values;
    let shape = Shape { name: "SepticVerify", pointers: 1, reads: 8, read_limbs: 0, proofs: false };
    compare::<Verify>(shape, &mut memory, &rows, 15);
}
