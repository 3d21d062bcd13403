//! Points.

use std::hint::black_box;

use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::CompressedEdwardsY;
use k256::elliptic_curve::ops::LinearCombination;
use k256::elliptic_curve::sec1::{FromSec1Point, ToSec1Point};
use k256::elliptic_curve::{Group, PrimeField};
use septic_air::curve::multiply::{mul_constant_time, mul_generator_constant_time};
use septic_air::curve::{Point, ProjectivePoint, Scalar, Scalar256, mul_add_batch, mul_batch, params};

use crate::bench::{Table, cell, row};

/// A cell for a function of values that are not constants.
macro_rules! of {
    ($($operand:ident),+; $result:expr) => {
        cell(move || {
            $(let $operand = black_box($operand);)+
            $result
        })
    };
}

type K256 = k256::ProjectivePoint;

/// A number without a pattern.
fn scalar(seed: u64) -> Scalar {
    Scalar::from(seed).pow(&params::ORDER.shr_vartime(3))
}

pub(crate) fn table() -> Table {
    let g = Point::GENERATOR;
    let (s, e) = (scalar(5), scalar(7));
    let (s256, e256) = (Scalar256::from(s), Scalar256::from(e));
    let (p, q) = (g.mul_vartime(&s256), g.mul_vartime(&e256));
    let (hp, hq) = (ProjectivePoint::from(p), ProjectivePoint::from(q));
    let (hp, hq) = (hp + hq, hp - hq);
    let short = p.to_compressed();

    let bytes = k256::FieldBytes::from([0x3b; 32]);
    let ks = k256::Scalar::from_repr(bytes).expect("below the order");
    let ke = ks * ks;
    let (kp, kq) = (K256::GENERATOR * ks, K256::GENERATOR * ke);
    let kshort = kp.to_affine().to_sec1_point(true);

    let ds = curve25519_dalek::Scalar::from_bytes_mod_order_wide(&[0x3b; 64]);
    let de = ds * ds;
    let (dp, dq) = (EdwardsPoint::mul_base(&ds), EdwardsPoint::mul_base(&de));
    let dshort = dp.compress();

    let rows = vec![
        row("add", [of!(hp, hq; hp + hq), of!(kp, kq; kp + kq), of!(dp, dq; dp + dq)]),
        row("double", [of!(hp; hp.double()), of!(kp; Group::double(&kp)), of!(dp; dp + dp)]),
        row("add, affine", [of!(p, q; p + q), None, None]),
        row("double, affine", [of!(p; p.double()), None, None]),
        row("to affine", [of!(hp; hp.to_point()), of!(kp; kp.to_affine()), None]),
        row("compress", [of!(p; p.to_compressed()), None, of!(dp; dp.compress())]),
        row(
            "decompress",
            [
                of!(short; Point::decode(&short)),
                cell(move || k256::AffinePoint::from_sec1_point(&black_box(kshort))),
                cell(move || CompressedEdwardsY(black_box(dshort.0)).decompress()),
            ],
        ),
        row(
            "s·G, constant time, table",
            [
                of!(s; mul_generator_constant_time(&s)),
                of!(ks; K256::mul_by_generator(&ks)),
                of!(ds; EdwardsPoint::mul_base(&ds)),
            ],
        ),
        row(
            "s·P, constant time",
            [of!(s, p; mul_constant_time(&s, &p)), of!(ks, kp; kp * ks), of!(ds, dp; dp * ds)],
        ),
        row(
            "s·G, variable time, table",
            [
                of!(s256; Point::mul_generator_vartime(&s256)),
                of!(ks; K256::mul_by_generator_vartime(&ks)),
                None,
            ],
        ),
        row("s·P, variable time", [of!(s256, p; p.mul_vartime(&s256)), None, None]),
        row(
            "s·G + e·A, variable time",
            [
                of!(s256, e256, p; Point::mul_add_vartime(&s256, &e256, &p)),
                of!(ks, ke, kp; K256::lincomb(&[(K256::GENERATOR, ks), (kp, ke)])),
                of!(ds, de, dp; EdwardsPoint::vartime_double_scalar_mul_basepoint(&de, &dp, &ds)),
            ],
        ),
        row("hash to curve", [cell(|| Point::hash_to_curve(black_box(b"message"), b"tag")), None, None]),
        row(
            "Σ sᵢ·Pᵢ, each of 1,000",
            [
                cell({
                    let terms: Vec<_> = (0..1000).map(|i| (scalar(i + 2).into(), multiple(i + 2))).collect();
                    move || Point::multi_scalar_mul_vartime(black_box(&terms))
                })
                .map(|cell| cell.each_of(1000)),
                None,
                cell({
                    use curve25519_dalek::traits::VartimeMultiscalarMul;
                    let scalars: Vec<_> =
                        (1..=1000_u64).map(|i| ds * curve25519_dalek::Scalar::from(i)).collect();
                    let points: Vec<_> = scalars.iter().map(|s| ED25519_BASEPOINT_POINT * s).collect();
                    move || EdwardsPoint::vartime_multiscalar_mul(black_box(&scalars), black_box(&points))
                })
                .map(|cell| cell.each_of(1000)),
            ],
        ),
    ];
    Table { columns: vec!["septic-curve", "k256", "curve25519-dalek"], rows, ratios: false }
}

fn multiple(k: u64) -> Point {
    Point::mul_generator_vartime(&scalar(k).into())
}

/// With and without precomputed tables, packed lanes, and sums in place of single products.
pub(crate) fn ways() -> Table {
    const MANY: usize = 1024;
    let (s, e, p) = (scalar(5), scalar(7), multiple(11));
    let s256 = Scalar256::from(s);
    let g = Point::GENERATOR;
    let products: Vec<(Scalar256, Point)> =
        (0..MANY as u64).map(|i| (scalar(i + 2).into(), multiple(i + 2))).collect();
    let sums: Vec<(Scalar256, Scalar256, Point)> =
        products.iter().map(|&(s, p)| (s, Scalar256::from(e), p)).collect();
    let rows = vec![
        row(
            "s·G, constant time: as any point, by the comb's table",
            [of!(s, g; mul_constant_time(&s, &g)), of!(s; mul_generator_constant_time(&s))],
        ),
        row(
            "s·G, variable time: as any point, by tables",
            [of!(s256, g; g.mul_vartime(&s256)), of!(s256; Point::mul_generator_vartime(&s256))],
        ),
        row(
            "s·G + e·A: two products, interleaved with a table",
            [
                cell(move || g.mul_vartime(&black_box(s256)) + p.mul_vartime(&black_box(e).into())),
                cell(move || Point::mul_add_vartime(&black_box(s256), &black_box(e).into(), &p)),
            ],
        ),
        row(
            "1,024 products s·P, each: one by one, in lanes",
            [
                cell({
                    let products = products.clone();
                    move || black_box(&products).iter().map(|(s, p)| p.mul_vartime(s)).collect::<Vec<_>>()
                })
                .map(|cell| cell.each_of(MANY)),
                cell({
                    let products = products.clone();
                    move || mul_batch(black_box(&products))
                })
                .map(|cell| cell.each_of(MANY)),
            ],
        ),
        row(
            "1,024 sums s·G + e·A, each: one by one, in lanes",
            [
                cell({
                    let sums = sums.clone();
                    move || {
                        let sum = |(s, e, a): &(Scalar256, Scalar256, Point)| Point::mul_add_vartime(s, e, a);
                        black_box(&sums).iter().map(sum).collect::<Vec<_>>()
                    }
                })
                .map(|cell| cell.each_of(MANY)),
                cell(move || mul_add_batch(black_box(&sums))).map(|cell| cell.each_of(MANY)),
            ],
        ),
        row(
            "Σ sᵢ·Pᵢ of 1,024, each: one by one, by buckets in lanes",
            [
                cell({
                    let products = products.clone();
                    move || {
                        let sum = |sum: Point, (s, p): &(Scalar256, Point)| sum + p.mul_vartime(s);
                        black_box(&products).iter().fold(Point::Identity, sum)
                    }
                })
                .map(|cell| cell.each_of(MANY)),
                cell(move || Point::multi_scalar_mul_vartime(black_box(&products)))
                    .map(|cell| cell.each_of(MANY)),
            ],
        ),
    ];
    Table { columns: vec!["without", "with"], rows, ratios: true }
}
