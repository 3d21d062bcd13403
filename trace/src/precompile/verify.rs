//! VERIFY.

use alloc::vec::Vec;
use core::array;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::precompile::PrecompileVerifyTable;
use septic_chips::precompile::points::{MAGNITUDE_BITS, Points, WINDOWS};
use septic_chips::precompile::verify::PrecompileVerifyCols;
use septic_curve::lockstep::{Inverter, LANES, Wide, WidePoint};
use septic_curve::{AffinePoint, DEGREE, KoalaBear, Point, params};

use super::integers::ReductionWitness;
use super::{
    Case, Fill, Layout, Multiple, PrecompileOperation, chain_points, coordinates, limbs, write, write_offset,
};
use crate::half::chain::{ChainInput, ChainLayout, Group, run, with_inverses};
use crate::half::of_lane;
use crate::{Claim, TraceError, VerifyEvent};

/// VERIFY for a virtual machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrecompileVerify;

const FIELDS: &[Field] = <PrecompileVerifyCols<u32> as ColumnSet<u32>>::FIELDS;
const LAYOUT: Layout = Layout::new(FIELDS);
const CHAIN: ChainLayout = ChainLayout::precompile(FIELDS);
const PRODUCT_G: usize = column(FIELDS, "product_g");

impl PrecompileOperation for PrecompileVerify {
    type Event = VerifyEvent;
    type Table = PrecompileVerifyTable;

    fn generate_claims(claims: &[Claim<VerifyEvent>]) -> Result<RowMajorMatrix<KoalaBear>, TraceError> {
        super::generate::<Self>(claims)
    }
}

/// A claim's multiple of A and its scalar of G.
#[derive(Debug)]
pub(super) struct Prepared {
    multiple: Multiple,
    reduction: ReductionWitness,
    /// R, or G in place of the identity.
    r: AffinePoint,
}

/// A lane's sums on their way to D.
struct Sums {
    sum: WidePoint,
    entry: WidePoint,
    y: WidePoint,
    run: Wide,
}

impl Fill for PrecompileVerify {
    type Prepared = Prepared;

    fn prepare(&Claim { event: VerifyEvent { a, s, e }, out }: &Claim<VerifyEvent>) -> Prepared {
        let multiple = Multiple::new(&e, a);
        let shift = match multiple.case {
            Case::Identity | Case::Zero => -2,
            _ => 0,
        } + i8::from(out.is_identity());
        Prepared {
            multiple,
            reduction: ReductionWitness::new(&s, shift),
            r: out.to_affine().unwrap_or(params::GENERATOR),
        }
    }

    fn can_run(_: &Claim<VerifyEvent>) -> bool {
        true
    }

    fn multiple(prepared: &Prepared) -> &Multiple {
        &prepared.multiple
    }

    fn fill(groups: &mut [Group<'_>], prepared: &[Prepared], inverter: &mut Inverter) {
        let Points { starts, totals, windows, .. } = Points::get();
        let mut sums: Vec<Sums> = groups
            .iter()
            .enumerate()
            .map(|(g, group)| {
                let y = WidePoint::gather(|lane| of_lane(prepared, g, lane).r);
                let sum = group.select(starts);
                Sums { sum, entry: sum, y, run: y.x }
            })
            .collect();
        // Y = R* + Q
        with_inverses(
            groups,
            &mut sums,
            inverter,
            |group, sums| {
                sums.entry = group.select(totals);
                sums.run = sums.entry.x - sums.y.x;
                sums.run
            },
            |group, sums, inverse| {
                let lambda = (sums.entry.y - sums.y.y).dot_mul(&inverse);
                group.rows.write(column(FIELDS, "lambda_y"), &lambda);
                group.store(&sums.run, PRODUCT_G);
                // y is read off the line at Q, which is as good as at R*.
                sums.y = sums.y.sum(&sums.entry, &lambda);
            },
        );
        // X
        for w in 0..WINDOWS {
            for (g, sums) in sums.iter_mut().enumerate() {
                sums.entry = WidePoint::gather(|lane| {
                    let ReductionWitness { negative, magnitude, .. } = &of_lane(prepared, g, lane).reduction;
                    let point = windows[w][usize::from(magnitude[w])];
                    if negative[w] { -point } else { point }
                });
            }
            with_inverses(
                groups,
                &mut sums,
                inverter,
                |_, sums| {
                    sums.run = sums.entry.x - sums.sum.x;
                    sums.run
                },
                |group, sums, inverse| {
                    let lambda = (sums.entry.y - sums.sum.y).dot_mul(&inverse);
                    group.rows.write(column(FIELDS, "lambda_g") + DEGREE * w, &lambda);
                    group.store(&sums.run, PRODUCT_G + 1 + w);
                    sums.sum = sums.sum.sum(&sums.entry, &lambda);
                },
            );
        }
        // D = Y − X
        with_inverses(
            groups,
            &mut sums,
            inverter,
            |_, sums| {
                sums.run = sums.sum.x - sums.y.x;
                sums.run
            },
            |group, sums, inverse| {
                let lambda = (sums.sum.y + sums.y.y).dot_mul(&inverse);
                let x = lambda.dot_square() - sums.sum.x - sums.y.x;
                let y = sums.sum.y + lambda.dot_mul(&(x - sums.sum.x));
                group.rows.write(column(FIELDS, "lambda_d"), &lambda);
                group.store(&sums.run, PRODUCT_G + 1 + WINDOWS);
                group.rows.write(column(FIELDS, "x_d"), &x);
                group.rows.write(column(FIELDS, "y_d"), &y);
                sums.sum = WidePoint { x, y };
                group.failed |= group.settle(column(FIELDS, "inverse_g"));
            },
        );
        let inputs: Vec<ChainInput> = sums
            .iter()
            .enumerate()
            .map(|(g, sums)| {
                let all_run = (0..LANES).all(|lane| of_lane(prepared, g, lane).multiple.runs());
                let d = if all_run {
                    sums.sum
                } else {
                    WidePoint::gather(|lane| of_lane(prepared, g, lane).multiple.d(|| sums.sum.lane(lane)))
                };
                ChainInput {
                    d,
                    p: WidePoint::gather(|lane| of_lane(prepared, g, lane).multiple.p),
                    pairs: array::from_fn(|lane| of_lane(prepared, g, lane).multiple.pair),
                }
            })
            .collect();
        let zero = run(&CHAIN, chain_points(), groups, &inputs, inverter);
        for (group, zero) in groups.iter_mut().zip(zero) {
            group.failed |= zero;
        }
    }

    fn write(
        &Claim { event: VerifyEvent { a, s, e }, out }: &Claim<VerifyEvent>,
        Prepared { multiple, reduction, .. }: &Prepared,
        offset: u8,
        row: &mut [KoalaBear],
    ) {
        row[0] = KoalaBear::ONE;
        write(&mut row[column(FIELDS, "x_a")..], coordinates(a));
        write(&mut row[column(FIELDS, "x_r")..], coordinates(out));
        write(&mut row[column(FIELDS, "s")..], limbs(&s));
        write(&mut row[column(FIELDS, "e")..], limbs(&e));
        row[column(FIELDS, "a_identity")] = KoalaBear::from_bool(a == Point::Identity);
        row[column(FIELDS, "r_identity")] = KoalaBear::from_bool(out == Point::Identity);
        let ReductionWitness { negative, magnitude, quotient, carry } = reduction;
        write(&mut row[column(FIELDS, "quotient_s")..], quotient.iter().map(|&x| KoalaBear::from_u8(x)));
        write(&mut row[column(FIELDS, "carry_s")..], carry.iter().map(|&x| KoalaBear::from_u16(x)));
        write_offset(offset, [column(FIELDS, "start_g"), column(FIELDS, "start_g_products")], row);
        write(&mut row[column(FIELDS, "sign_g")..], negative.iter().map(|&x| KoalaBear::from_bool(!x)));
        let bit = |m: u8, i: usize| KoalaBear::from_bool(m >> i & 1 == 1);
        for (w, &m) in magnitude.iter().enumerate() {
            let at = column(FIELDS, "magnitude_g") + MAGNITUDE_BITS * w;
            let bits: [KoalaBear; MAGNITUDE_BITS] = array::from_fn(|i| bit(m, i));
            row[at..][..MAGNITUDE_BITS].copy_from_slice(&bits);
            let at = column(FIELDS, "magnitude_g_products") + 2 * w;
            row[at..][..2].copy_from_slice(&[bits[0] * bits[1], bits[2] * bits[3]]);
        }
        LAYOUT.write(multiple, offset, row);
    }
}
