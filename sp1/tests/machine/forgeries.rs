//! Forged traces, which SP1's verifier refuses.

use septic_chips::columns::ColumnSet;
use septic_chips::table::Table;
use septic_curve::layout::{decode_point, encode_scalar};
use septic_curve::{Fp7, Point, Scalar256, params};
use septic_sp1::precompile::{Add, Double, Operation, ScalarMul, Verify};
use septic_sp1::{Memory, Record};
use slop_algebra::{AbstractField, PrimeField32};
use sp1_primitives::SP1Field as F;

use crate::forge::{
    Rows, Shape, Traces, Verdict, half, halves, is_refused, judge, memory_row, predict, traces,
};

const ADD: Shape = Shape { name: "SepticAdd", pointers: 2, reads: 7, read_limbs: 14, proofs: true };
const DOUBLE: Shape = Shape { name: "SepticDouble", pointers: 1, reads: 0, read_limbs: 0, proofs: true };
const SCALAR_MUL: Shape =
    Shape { name: "SepticScalarMul", pointers: 2, reads: 4, read_limbs: 0, proofs: false };
const VERIFY: Shape = Shape { name: "SepticVerify", pointers: 1, reads: 8, read_limbs: 0, proofs: false };

/// Where a forged record's first operation has its point.
const P_PTR: u64 = 0x1_0000;

/// Three operations on points of their own.
fn record(shape: Shape) -> Record {
    let mut memory = Memory::new();
    let g = Point::Affine(params::GENERATOR);
    let s = Scalar256::from_le_limbs([1, 22, 333, 4444, 55_555, 666_666, 7_777_777, 88_888_888]);
    let e = Scalar256::from_le_limbs([u32::MAX - 5, 9, 8, 7, 6, 5, 4, 0xf000_0000]);
    for p in [g.double() + g, g, -g] {
        let p_ptr = memory.store_point(&p);
        match shape.name {
            "SepticAdd" => {
                let q_ptr = memory.store_point(&g.double());
                memory.add(p_ptr, q_ptr).unwrap();
            }
            "SepticDouble" => memory.double(p_ptr).unwrap(),
            "SepticScalarMul" => {
                let s_ptr = memory.store(&encode_scalar(&s));
                memory.scalar_mul(p_ptr, s_ptr).unwrap();
            }
            _ => {
                memory.store(&encode_scalar(&s));
                memory.store(&encode_scalar(&e));
                memory.verify(p_ptr).unwrap();
            }
        }
    }
    memory.finish_shard()
}

/// The operation's own columns whose field has one of these names, among [`Shape::witness`]'s.
fn witness_columns<O: Operation>(names: &[&str]) -> Vec<usize> {
    let fields = <<O::Table as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let columns = fields.iter().filter(|field| names.contains(&field.name)).map(|field| field.offset);
    columns.map(|column| column - O::IO_COLUMNS.iter().filter(|&&io| io < column).count()).collect()
}

/// The verdict on the record with changed traces.
fn forge(shape: Shape, change: impl FnOnce(&mut Traces)) -> Verdict {
    let record = record(shape);
    let mut traces = traces(&record);
    change(&mut traces);
    if shape.proofs { judge(&record, &traces) } else { predict(&record, &traces) }
}

/// Row `i` of the operation's trace.
fn row(traces: &mut Traces, shape: Shape, i: usize) -> &mut [F] {
    traces.get_mut(shape.name).unwrap().row(i)
}

/// Constraints of the operation's first row are violated and nothing else.
fn first_row(shape: Shape) -> Verdict {
    Verdict::Constraints(vec![(shape.name, 0)])
}

/// Sets half `i` of the point, as it was before the operation: in its row and in the driver's.
fn set_input(traces: &mut Traces, shape: Shape, i: usize, x: u32) {
    let limbs = halves(x);
    row(traces, shape, 0)[shape.value(i / 2) + i % 2 * 2..][..2].copy_from_slice(&limbs);
    memory_row(traces, P_PTR + i as u64 / 2 * 8)[5 + i % 2 * 2..][..2].copy_from_slice(&limbs);
}

/// Sets half `i` of the result, in its row and in the driver's.
fn set_result(traces: &mut Traces, shape: Shape, i: usize, x: u32) {
    let limbs = halves(x);
    row(traces, shape, 0)[shape.result(i / 2) + i % 2 * 2..][..2].copy_from_slice(&limbs);
    memory_row(traces, P_PTR + i as u64 / 2 * 8)[11 + i % 2 * 2..][..2].copy_from_slice(&limbs);
}

fn input(traces: &mut Traces, shape: Shape, i: usize) -> u32 {
    half(&row(traces, shape, 0)[shape.value(i / 2) + i % 2 * 2..])
}

fn result(traces: &mut Traces, shape: Shape, i: usize) -> u32 {
    half(&row(traces, shape, 0)[shape.result(i / 2) + i % 2 * 2..])
}

/// The flag that half `i` is below the limb at which only 0 is canonical, as its check asks.
fn set_canonical(traces: &mut Traces, shape: Shape, i: usize, x: u32) {
    row(traces, shape, 0)[shape.canonical(i)] = F::from_bool(x >> 16 < 0x7f00);
}

/// Sets point and result in the first row, with all that follows but the operation's own columns.
fn set_points(traces: &mut Traces, shape: Shape, [p, r]: [[Fp7; 2]; 2]) {
    let limbs = |point: [Fp7; 2]| point.map(|x| x.to_canonical()).concat();
    for (i, x) in limbs(p).into_iter().enumerate() {
        set_input(traces, shape, i, x);
        set_canonical(traces, shape, i, x);
    }
    for (i, x) in limbs(r).into_iter().enumerate() {
        set_result(traces, shape, i, x);
        set_canonical(traces, shape, 14 + i, x);
    }
}

fn set_slope(traces: &mut Traces, shape: Shape, lambda: Fp7) {
    let slope = lambda.to_canonical().map(F::from_canonical_u32);
    row(traces, shape, 0)[shape.witness()..][..7].copy_from_slice(&slope);
}

/// The third point of the line through P with this slope, reflected; Q's x.
fn third(p: [Fp7; 2], x_q: Fp7, lambda: Fp7) -> [Fp7; 2] {
    let x = lambda.squared() - p[0] - x_q;
    [x, lambda * (p[0] - x) - p[1]]
}

/// What every operation must refuse.
fn common<O: Operation>(shape: Shape) {
    let p = F::ORDER_U32;
    assert_eq!(forge(shape, |_| {}), Verdict::Accepted);

    // A wrong result, in its row and in memory.
    let verdict = forge(shape, |t| {
        let x = result(t, shape, 3);
        set_result(t, shape, 3, x ^ 1);
    });
    assert_eq!(verdict, first_row(shape), "wrong result");

    // An input off the curve: y, in its row and in memory.
    let verdict = forge(shape, |t| {
        let x = input(t, shape, 7);
        set_input(t, shape, 7, x ^ 1);
    });
    assert_eq!(verdict, first_row(shape), "off the curve");

    // Limbs that are not canonical, with either value of their check's flag.
    for flag in [0, 1] {
        let verdict = forge(shape, |t| {
            let x = input(t, shape, 0);
            set_input(t, shape, 0, x + p);
            row(t, shape, 0)[shape.canonical(0)] = F::from_canonical_u32(flag);
        });
        // The flag 1 makes the difference of limbs exceed 16 bits.
        let expected = if flag == 0 { first_row(shape) } else { Verdict::Sums };
        assert_eq!(verdict, expected, "input + p, flag {flag}");
    }
    let verdict = forge(shape, |t| {
        let x = result(t, shape, 13);
        set_result(t, shape, 13, x + p);
        row(t, shape, 0)[shape.canonical(27)] = F::zero();
    });
    assert_eq!(verdict, first_row(shape), "result + p");
    // The same coordinate from a limb of 17 bits.
    let verdict = forge(shape, |t| {
        for column in [shape.result(0), 0] {
            let cells =
                if column == 0 { &mut memory_row(t, P_PTR)[11..] } else { &mut row(t, shape, 0)[column..] };
            cells[0] += F::from_canonical_u32(1 << 16);
            cells[1] -= F::one();
        }
    });
    assert_eq!(verdict, Verdict::Sums, "a limb of 17 bits");

    // The operation's flags, and a slope.
    let names =
        ["p_identity", "q_identity", "a_identity", "r_identity", "opposite", "zero", "one", "minus_one"];
    for flag in witness_columns::<O>(&names) {
        let verdict = forge(shape, |t| row(t, shape, 0)[shape.witness() + flag] = F::one());
        assert_eq!(verdict, first_row(shape), "flag in column {flag}");
    }
    for slope in witness_columns::<O>(&["lambda", "lambda_n", "lambda_d"]) {
        let verdict = forge(shape, |t| row(t, shape, 0)[shape.witness() + slope] += F::one());
        assert_eq!(verdict, first_row(shape), "slope in column {slope}");
    }

    // Memory: a value that was not there; the word before its last write; a time after the access.
    let verdict = forge(shape, |t| row(t, shape, 0)[shape.value(2)] += F::one());
    assert_eq!(verdict, Verdict::Sums, "previous value");
    let verdict = forge(shape, |t| {
        let time = [0, 1].map(|i| row(t, shape, 1)[shape.time(0) + i]);
        row(t, shape, 0)[shape.time(0)..][..2].copy_from_slice(&time);
        row(t, shape, 0)[shape.time(0) + 1] += F::one();
    });
    assert_eq!(verdict, Verdict::Sums, "previous time");
    for honest_differences in [true, false] {
        let verdict = forge(shape, |t| {
            let late = F::from_canonical_u32(1000);
            memory_row(t, P_PTR)[4] = late;
            let clk = row(t, shape, 0)[2] + F::from_canonical_usize(shape.pointers - 1);
            let cells = &mut row(t, shape, 0)[shape.time(0)..];
            cells[1] = late;
            if !honest_differences {
                cells[4] = (clk - late - F::one() - cells[3]) / F::from_canonical_u32(1 << 16);
            }
        });
        let expected = if honest_differences { first_row(shape) } else { Verdict::Sums };
        assert_eq!(verdict, expected, "a time after the access");
    }
    // A word somewhere else.
    let verdict = forge(shape, |t| {
        let elsewhere = F::from_canonical_u32(0x8000);
        memory_row(t, P_PTR + 16)[0] = elsewhere;
        row(t, shape, 0)[shape.address(2)] = elsewhere;
    });
    assert_eq!(verdict, first_row(shape), "address");
    // Pointers that are not aligned, or among the registers.
    for (limb, change, expected) in [(0, 4, Verdict::Sums), (1, -1, first_row(shape))] {
        let verdict = forge(shape, |t| {
            let change = if change < 0 { -F::one() } else { F::from_canonical_u32(4) };
            for i in 0..if shape.pointers == 1 { 7 + shape.reads } else { 7 } {
                memory_row(t, P_PTR + 8 * i as u64)[limb] += change;
                row(t, shape, 0)[shape.address(i) + limb] += change;
            }
            row(t, shape, 0)[3 + limb] += change;
            t.get_mut("SyscallDriver").unwrap().row(0)[3 + limb] += change;
        });
        assert_eq!(verdict, expected, "pointer, limb {limb}");
    }

    // Syscalls: another operation's id, another time, a row too many, a row too few, a row that counts twice.
    let verdict = forge(shape, |t| t.get_mut("SyscallDriver").unwrap().row(0)[2] += F::one());
    assert_eq!(verdict, Verdict::Sums, "syscall id");
    let verdict = forge(shape, |t| t.get_mut("SyscallDriver").unwrap().row(0)[1] += F::one());
    assert_eq!(verdict, Verdict::Sums, "syscall clock");
    let verdict = forge(shape, |t| {
        let copy = row(t, shape, 0).to_vec();
        row(t, shape, 5).copy_from_slice(&copy);
    });
    assert_eq!(verdict, Verdict::Sums, "a row too many");
    let verdict = forge(shape, |t| row(t, shape, 0).fill(F::zero()));
    assert_eq!(verdict, Verdict::Sums, "a row too few");
    let verdict = forge(shape, |t| row(t, shape, 0)[0] = F::two());
    assert_eq!(verdict, Verdict::Sums, "is_real = 2");

    // Padding that is not zero: a point; and a clock, which is in no message and proves nothing.
    let verdict = forge(shape, |t| row(t, shape, 9)[shape.value(0)] = F::one());
    assert_eq!(verdict, Verdict::Constraints(vec![(shape.name, 9)]), "padding, point");
    assert_eq!(forge(shape, |t| row(t, shape, 9)[1] = F::one()), Verdict::Accepted, "padding, clock");

    // Each cell of a row alone; without proofs.
    let mut traces = traces(&record(shape));
    let honest = row(&mut traces, shape, 1);
    assert!(!is_refused(shape.name, honest, honest));
    let free = (0..honest.len()).filter(|&column| {
        let mut forged = honest.to_vec();
        forged[column] += F::one();
        !is_refused(shape.name, &forged, honest)
    });
    assert_eq!(free.collect::<Vec<usize>>(), [0usize; 0], "columns");
}

#[test]
fn add() {
    common::<Add>(ADD);
}

#[test]
fn double() {
    common::<Double>(DOUBLE);
}

#[test]
fn scalar_mul() {
    common::<ScalarMul>(SCALAR_MUL);
}

#[test]
fn verify() {
    common::<Verify>(VERIFY);
}

/// A wrong result and a value that was not in memory, against the verifier: proofs of wide rows take long.
#[test]
fn wide_rows() {
    for shape in [SCALAR_MUL, VERIFY].map(|shape| Shape { proofs: true, ..shape }) {
        let verdict = forge(shape, |t| {
            let x = result(t, shape, 3);
            set_result(t, shape, 3, x ^ 1);
        });
        assert_eq!(verdict, first_row(shape), "wrong result");
        let verdict = forge(shape, |t| row(t, shape, 0)[shape.value(2)] += F::one());
        assert_eq!(verdict, Verdict::Sums, "previous value");
    }
}

/// All forgeries of the wide rows against the verifier: `cargo test -p septic-sp1 --test machine -- --ignored`.
#[test]
#[ignore = "some sixty proofs of wide rows, ten minutes"]
fn wide_rows_proven() {
    common::<ScalarMul>(Shape { proofs: true, ..SCALAR_MUL });
    common::<Verify>(Shape { proofs: true, ..VERIFY });
}

/// The coordinates of the first row's point before the operation, and of the one read.
fn points(shape: Shape, first_word: usize) -> [Fp7; 2] {
    let mut traces = traces(&record(shape));
    let row = row(&mut traces, shape, 0);
    let words = std::array::from_fn(|i| {
        let limbs = &row[shape.value(first_word + i)..];
        u64::from(half(limbs)) | u64::from(half(&limbs[2..])) << 32
    });
    let point = decode_point(&words).unwrap().to_affine().unwrap();
    [point.x(), point.y()]
}

/// P off the curve; slope and result are those of the chord through it.
#[test]
fn add_off_curve() {
    let ([x_p, y_p], [x_q, y_q]) = (points(ADD, 0), points(ADD, 7));
    let p = [x_p, y_p + Fp7::from_u32s([1, 0, 0, 0, 0, 0, 0])];
    let verdict = forge(ADD, |t| {
        let lambda = (y_q - p[1]) * (x_q - p[0]).inverse();
        set_points(t, ADD, [p, third(p, x_q, lambda)]);
        set_slope(t, ADD, lambda);
    });
    assert_eq!(verdict, first_row(ADD));
}

/// P = Q as if they were two points: 0 = 0 would leave the slope free.
#[test]
fn add_equal_points_with_any_slope() {
    let q = points(ADD, 7);
    let verdict = forge(ADD, |t| {
        let lambda = Fp7::from_u32s([3, 1, 4, 1, 5, 9, 2]);
        set_points(t, ADD, [q, third(q, q[0], lambda)]);
        set_slope(t, ADD, lambda);
    });
    assert_eq!(verdict, first_row(ADD));
}

/// P off the curve; slope and result are those of the tangent there.
#[test]
fn double_off_curve() {
    let [x, y] = points(DOUBLE, 0);
    let p = [x, y + Fp7::from_u32s([0, 0, 0, 1, 0, 0, 0])];
    let verdict = forge(DOUBLE, |t| {
        let a = Fp7::from_u32s([params::CURVE_A, 0, 0, 0, 0, 0, 0]);
        let lambda = (p[0].squared().tripled() + a) * p[1].doubled().inverse();
        set_points(t, DOUBLE, [p, third(p, p[0], lambda)]);
        set_slope(t, DOUBLE, lambda);
    });
    assert_eq!(verdict, first_row(DOUBLE));
}
