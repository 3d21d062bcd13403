//! Honest records: proven, verified, with the right results.

use septic_curve::layout::{VerifyInput, encode_point, encode_scalar, encode_verify};
use septic_curve::{Point, Scalar256, params};
use septic_sp1::memory::{ADDRESS_END, LOWEST_ADDRESS};
use septic_sp1::{Memory, MemoryError, Parameters, Prover};

use crate::support::{RUNTIME, cases, edge_points, point, prove_and_verify, scalar};

fn generator() -> Point {
    Point::Affine(params::GENERATOR)
}

fn add(memory: &mut Memory, p: &Point, q: &Point) -> Point {
    let [p, q] = [p, q].map(|point| memory.store_point(point));
    memory.add(p, q).unwrap();
    memory.load_point(p).unwrap()
}

fn double(memory: &mut Memory, p: &Point) -> Point {
    let p = memory.store_point(p);
    memory.double(p).unwrap();
    memory.load_point(p).unwrap()
}

fn scalar_mul(memory: &mut Memory, p: &Point, s: &Scalar256) -> Point {
    let p = memory.store_point(p);
    let s = memory.store(&encode_scalar(s));
    memory.scalar_mul(p, s).unwrap();
    memory.load_point(p).unwrap()
}

fn verify(memory: &mut Memory, a: &Point, s: &Scalar256, e: &Scalar256) -> Point {
    let buffer = memory.store(&encode_verify(&VerifyInput { a: *a, s: *s, e: *e }));
    memory.verify(buffer).unwrap();
    assert_eq!(memory.load(buffer + 56), encode_scalar(s), "scalars stay");
    memory.load_point(buffer).unwrap()
}

/// 0, 1, 2, the order and its neighbours, the greatest 256-bit integer.
fn edge_scalars() -> Vec<Scalar256> {
    let order = cases("scalar_mul").iter().find_map(|case| {
        let s = scalar(&case["s"]);
        (case["out"].is_null() && !case["p"].is_null() && s != Scalar256::from(0u64)).then_some(s)
    });
    let limbs = order.unwrap().to_le_limbs();
    let near = |change: i64| {
        let mut limbs = limbs;
        limbs[0] = u32::try_from(i64::from(limbs[0]) + change).unwrap();
        Scalar256::from_le_limbs(limbs)
    };
    let mut scalars = vec![Scalar256::from_le_limbs([u32::MAX; 8])];
    scalars.extend([0u64, 1, 2].map(Scalar256::from));
    scalars.extend([-1, 0, 1].map(near));
    scalars
}

#[test]
fn scalar_mul_edge_cases() {
    let mut memory = Memory::new();
    for p in edge_points().iter().take(4) {
        for s in &edge_scalars() {
            assert_eq!(scalar_mul(&mut memory, p, s), p.mul_vartime(s));
        }
    }
    prove_and_verify([memory.finish_shard()]);
}

/// A = ±G and the identity: sums that meet, results that vanish.
#[test]
fn verify_edge_cases() {
    let mut memory = Memory::new();
    for a in edge_points().iter().take(4) {
        for s in edge_scalars().iter().skip(1) {
            for e in edge_scalars().iter().skip(1).step_by(2) {
                assert_eq!(verify(&mut memory, a, s, e), Point::mul_add_vartime(s, e, a));
            }
        }
    }
    prove_and_verify([memory.finish_shard()]);
}

#[test]
fn scalar_mul_cases_of_the_oracle() {
    let mut memory = Memory::new();
    for case in cases("scalar_mul") {
        let out = scalar_mul(&mut memory, &point(&case["p"]), &scalar(&case["s"]));
        assert_eq!(out, point(&case["out"]));
    }
    prove_and_verify([memory.finish_shard()]);
}

#[test]
fn verify_cases_of_the_oracle() {
    let mut memory = Memory::new();
    for case in cases("verify") {
        let [s, e] = [&case["s"], &case["e"]].map(scalar);
        assert_eq!(verify(&mut memory, &point(&case["a"]), &s, &e), point(&case["out"]));
    }
    prove_and_verify([memory.finish_shard()]);
}

/// All four operations on the same words, over shards; a scalar within the point it multiplies.
#[test]
fn all_operations() {
    let mut memory = Memory::new();
    let s = Scalar256::from_le_limbs([0x9e37_79b9, 3, 0, 7, 0xffff_ffff, 0, 1, 0x8000_0000]);
    let input = VerifyInput { a: generator(), s, e: Scalar256::from(5u64) };
    let buffer = memory.store(&encode_verify(&input));
    let q = memory.store_point(&generator().double());
    memory.verify(buffer).unwrap();
    memory.scalar_mul(buffer, buffer + 56).unwrap();
    memory.add(q, buffer).unwrap();
    memory.double(buffer).unwrap();
    let first = memory.finish_shard();
    memory.scalar_mul(q, q + 16).unwrap();
    memory.verify(buffer).unwrap();
    prove_and_verify([first, memory.finish_shard()]);
}

#[test]
fn edge_cases() {
    let mut memory = Memory::new();
    let points = edge_points();
    for p in &points {
        for q in &points {
            assert_eq!(add(&mut memory, p, q), *p + *q);
        }
        assert_eq!(double(&mut memory, p), *p + *p);
    }
    prove_and_verify([memory.finish_shard()]);
}

#[test]
fn cases_of_the_oracle() {
    let mut memory = Memory::new();
    for case in cases("add") {
        assert_eq!(add(&mut memory, &point(&case["p"]), &point(&case["q"])), point(&case["out"]));
    }
    for case in cases("double") {
        assert_eq!(double(&mut memory, &point(&case["p"])), point(&case["out"]));
    }
    prove_and_verify([memory.finish_shard()]);
}

#[test]
fn one_event_each() {
    let mut memory = Memory::new();
    add(&mut memory, &generator(), &generator());
    prove_and_verify([memory.finish_shard()]);
    let mut memory = Memory::new();
    double(&mut memory, &generator());
    prove_and_verify([memory.finish_shard()]);
}

/// A sum over the same words again and again, over shards: the clock and the words' times run on.
#[test]
fn several_shards() {
    let mut memory = Memory::new();
    let (sum, g) = (memory.store_point(&Point::Identity), memory.store_point(&generator()));
    let mut expected = Point::Identity;
    let mut shards = Vec::new();
    for shard in 1..=3 {
        for _ in 0..20 * shard {
            memory.add(sum, g).unwrap();
            memory.double(sum).unwrap();
            expected = (expected + generator()).double();
        }
        shards.push(memory.finish_shard());
    }
    assert_eq!(memory.load_point(sum), Ok(expected));
    prove_and_verify(shards);
}

#[test]
fn many_events() {
    let mut memory = Memory::new();
    let (p, q) = (memory.store_point(&generator()), memory.store_point(&generator().double()));
    for _ in 0..700 {
        memory.add(p, q).unwrap();
        memory.add(q, p).unwrap();
        memory.double(p).unwrap();
    }
    prove_and_verify([memory.finish_shard()]);
}

#[test]
fn buffers_that_meet() {
    let mut memory = Memory::new();
    // The same point twice: read as Q, then read and written as P.
    let p = memory.store_point(&generator());
    memory.add(p, p).unwrap();
    assert_eq!(memory.load_point(p), Ok(generator().double()));
    // Neighbours: `store` leaves no gap.
    let q = memory.store_point(&generator());
    assert_eq!(q, p + 56);
    memory.add(p, q).unwrap();
    memory.add(q, p).unwrap();
    assert_eq!(memory.load_point(q), Ok(generator().double().double()));
    // Buffers that share words: both are the identity.
    let zeros = memory.store(&[0; 8]);
    memory.add(zeros, zeros + 8).unwrap();
    memory.double(zeros + 8).unwrap();
    prove_and_verify([memory.finish_shard()]);
}

/// Addresses whose 16-bit limbs carry within the buffer, and both ends of the address space.
#[test]
fn addresses() {
    let mut memory = Memory::new();
    let pointers = [
        LOWEST_ADDRESS,
        0x2_0000 - 8,
        0x5_0000 - 48,
        0x1_0000_0000 - 16,
        0xffff_0000_0000 - 24,
        ADDRESS_END - 64,
    ];
    for pointer in pointers {
        memory.store_at(pointer, &encode_point(&generator()));
        memory.double(pointer).unwrap();
        memory.add(pointer, pointers[0]).unwrap();
    }
    prove_and_verify([memory.finish_shard()]);
}

/// Accesses just before and after the clock's low 24 bits overflow, and long after.
#[test]
fn clocks() {
    let mut memory = Memory::new();
    let p = memory.store_point(&generator());
    for clk in [1, (1 << 24) - 7, (1 << 24) + 257, (1 << 25) - 7, 5 << 24 | 1, (1 << 48) - 7] {
        memory.set_clk(clk);
        memory.add(p, p).unwrap();
    }
    prove_and_verify([memory.finish_shard()]);
}

/// SP1's own number of queries and proof of work.
#[test]
fn with_the_queries_of_sp1() {
    let mut memory = Memory::new();
    add(&mut memory, &generator(), &generator().double());
    double(&mut memory, &generator());
    let shard = memory.finish_shard();
    let (prover, proof) = RUNTIME.block_on(async {
        let prover = Prover::new(Parameters::core()).await;
        let proof = prover.prove([shard]).await;
        (prover, proof)
    });
    prover.verify(&proof).unwrap();
}

#[test]
fn what_is_no_syscall() {
    let mut memory = Memory::new();
    let p = memory.store_point(&generator());
    assert_eq!(memory.double(p + 4), Err(MemoryError::Alignment { pointer: p + 4 }));
    assert!(matches!(memory.double(LOWEST_ADDRESS - 8), Err(MemoryError::Range { .. })));
    assert!(matches!(memory.double(ADDRESS_END - 56), Err(MemoryError::Range { .. })));
    let mut words = encode_point(&generator());
    words[3] += 1;
    let off_curve = memory.store(&words);
    assert!(matches!(memory.add(p, off_curve), Err(MemoryError::Point { .. })));
    words[3] = u64::MAX;
    let no_limb = memory.store(&words);
    assert!(matches!(memory.add(no_limb, p), Err(MemoryError::Point { .. })));
    assert!(memory.finish_shard().syscalls.is_empty());
}
