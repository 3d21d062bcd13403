//! The row-per-bit layout in a machine: numbered blocks and their claims table.

use alloc::vec;
use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::columns::ColumnSet;
use septic_chips::ladder::ROWS;
use septic_chips::row_per_bit::{BitsTable, LadderChip, LadderClaimCols, shows};
use septic_chips::table::Table;
use septic_curve::{AffinePoint, KoalaBear, Point, Septic};

use crate::instance::{IDENTITY_BASE, IDENTITY_OUTPUT, LadderInstance};
use crate::ladder::{Offset, instance};
use crate::multi_row::{MultiRow, generate};
use crate::{Claim, MIN_TABLE_LOG_HEIGHT, TraceChip, TraceError};

/// The traces of a ladder chip's two tables.
#[derive(Clone, Debug)]
pub struct RowPerBit {
    /// [`BitsTable`]: 256 rows an event, padding after the last.
    pub bits: RowMajorMatrix<KoalaBear>,
    /// [`septic_chips::row_per_bit::LadderClaimsTable`]: one row an event.
    pub claims: RowMajorMatrix<KoalaBear>,
    /// The parameters of the bits table.
    pub parameters: Vec<KoalaBear>,
    /// The result of each event, read off the trace.
    pub outputs: Vec<Point>,
}

/// A ladder chip with generators for its two tables.
pub trait RowPerBitChip: TraceChip + LadderChip {
    /// The traces of `events`; the claims table has `claims_height` rows.
    ///
    /// # Errors
    /// As [`TraceChip::generate_trace`].
    ///
    /// # Panics
    /// If there are more events than `claims_height`.
    fn row_per_bit(events: &[Self::Event], claims_height: usize) -> Result<RowPerBit, TraceError>;

    /// The instance columns of the claims table, `height` cells each.
    ///
    /// # Panics
    /// If there are more claims than `height`.
    fn claim_columns(claims: &[Claim<Self::Event>], height: usize) -> Vec<Vec<KoalaBear>>;
}

/// Width of the claims table.
const CLAIM_WIDTH: usize = <LadderClaimCols<u32> as ColumnSet<u32>>::WIDTH;

fn claim_row(block: &LadderInstance, row: usize, second: bool) -> LadderClaimCols<KoalaBear> {
    let shown = |point: Point, identity: AffinePoint| point.to_affine().unwrap_or(identity);
    let (base, out) = (shown(block.base, IDENTITY_BASE), shown(block.out, IDENTITY_OUTPUT));
    let limbs =
        |scalar: septic_curve::Scalar256| core::array::from_fn(|l| KoalaBear::from_u16(scalar.limb16(l)));
    LadderClaimCols {
        is_real: KoalaBear::ONE,
        x_base: Septic(base.x().0),
        y_base: Septic(base.y().0),
        base_identity: KoalaBear::from_bool(block.base.is_identity()),
        x_out: Septic(out.x().0),
        y_out: Septic(out.y().0),
        out_identity: KoalaBear::from_bool(block.out.is_identity()),
        scalar: limbs(block.scalar),
        scalar_g: block.scalar_g.map_or([KoalaBear::ZERO; 16], limbs),
        index: KoalaBear::from_usize(ROWS * row),
        offset: KoalaBear::from_bool(second),
    }
}

impl<C: MultiRow + LadderChip> RowPerBitChip for C {
    fn row_per_bit(events: &[Self::Event], claims_height: usize) -> Result<RowPerBit, TraceError> {
        let width = <BitsTable<C> as Table>::WIDTH;
        let trace = generate::<C>(events, width, 1 << MIN_TABLE_LOG_HEIGHT)?;
        let mut bits = trace.main;
        let sends: Vec<bool> = (0..ROWS).map(shows::<C>).collect();
        bits.values.par_chunks_exact_mut(width).enumerate().for_each(|(row, cells)| {
            cells[C::WIDTH] = KoalaBear::from_usize(row);
            cells[C::WIDTH + 1] = KoalaBear::from_bool(row / ROWS < events.len() && sends[row % ROWS]);
        });

        let mut second = vec![false; events.len()];
        for &i in &trace.second_offsets {
            second[i] = true;
        }
        assert!(events.len() <= claims_height, "more claims than rows");
        let mut claims = vec![KoalaBear::ZERO; claims_height * CLAIM_WIDTH];
        claims.par_chunks_exact_mut(CLAIM_WIDTH).enumerate().for_each(|(row, cells)| {
            if let Some(event) = events.get(row) {
                let correction = Offset::new(second[row], &C::CORRECTION_POINTS).correction;
                let block = instance(&C::plan(event), trace.outputs[row], correction);
                claim_row(&block, row, second[row]).write_to(cells);
            } else {
                cells[CLAIM_WIDTH - 2] = KoalaBear::from_usize(ROWS * row);
            }
        });
        Ok(RowPerBit {
            bits,
            claims: RowMajorMatrix::new(claims, CLAIM_WIDTH),
            parameters: trace.parameters,
            outputs: trace.outputs,
        })
    }

    fn claim_columns(claims: &[Claim<Self::Event>], height: usize) -> Vec<Vec<KoalaBear>> {
        assert!(claims.len() <= height, "more claims than rows");
        let mut columns = vec![vec![KoalaBear::ZERO; height]; CLAIM_WIDTH - 2];
        let first = Offset::new(false, &C::CORRECTION_POINTS).correction;
        let mut cells = vec![KoalaBear::ZERO; CLAIM_WIDTH];
        for (row, claim) in claims.iter().enumerate() {
            claim_row(&instance(&C::plan(&claim.event), claim.out, first), row, false).write_to(&mut cells);
            for (column, &cell) in columns.iter_mut().zip(&cells) {
                column[row] = cell;
            }
        }
        columns
    }
}
