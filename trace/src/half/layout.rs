//! Where the columns of the tables stand.

use septic_chips::columns::{Field, column};

/// Offsets of a step table's columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepLayout {
    /// Steps a row.
    pub(crate) steps: usize,
    /// Columns of a row.
    pub(crate) width: usize,
    pub(crate) y_out: usize,
    pub(crate) w: usize,
    pub(crate) sign: usize,
    pub(crate) swap: usize,
    pub(crate) x_out: usize,
    pub(crate) lambda_1: usize,
    pub(crate) lambda_2: usize,
    pub(crate) witness: usize,
    pub(crate) generator: Option<GeneratorLayout>,
}

/// Offsets of the columns that VERIFY adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneratorLayout {
    pub(crate) g_high: usize,
    pub(crate) sign_g: usize,
    pub(crate) swap_g: usize,
    pub(crate) lambda_3: usize,
    pub(crate) witness_g: usize,
}

/// The columns id, index, real, N, M, x_in, y_in start every step table.
pub(crate) const HEAD: [&str; 9] = ["id", "index", "real", "x_n", "y_n", "x_m", "y_m", "x_in", "y_in"];

impl StepLayout {
    pub(crate) const fn new(fields: &[Field], width: usize, steps: usize, generator: bool) -> Self {
        let mut i = 0;
        while i < HEAD.len() {
            let expected = if i < 3 { i } else { 3 + 7 * (i - 3) };
            assert!(column(fields, HEAD[i]) == expected);
            i += 1;
        }
        Self {
            steps,
            width,
            y_out: column(fields, "y_out"),
            w: column(fields, "w"),
            sign: column(fields, "sign"),
            swap: column(fields, "swap"),
            x_out: column(fields, "x_out"),
            lambda_1: column(fields, "lambda_1"),
            lambda_2: column(fields, "lambda_2"),
            witness: column(fields, "witness"),
            generator: if generator {
                Some(GeneratorLayout {
                    g_high: column(fields, "g_high"),
                    sign_g: column(fields, "sign_g"),
                    swap_g: column(fields, "swap_g"),
                    lambda_3: column(fields, "lambda_3"),
                    witness_g: column(fields, "witness_g"),
                })
            } else {
                None
            },
        }
    }
}

/// Offsets of a control table's columns that are read or written by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlLayout {
    pub(crate) width: usize,
    pub(crate) id: usize,
    pub(crate) u: usize,
    pub(crate) witness: usize,
    /// x of R and the witness that it is not x of k·G, in VERIFY: the one-hot k.
    pub(crate) multiple: Option<MultipleLayout>,
    /// First columns of the flags that mean "no chain".
    pub(crate) idle: &'static [usize],
    /// First columns of quotient, carry_low, carry_high of each product.
    pub(crate) products: &'static [[usize; 3]],
}

/// See [`ControlLayout::multiple`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct MultipleLayout {
    pub(crate) x_r: usize,
    pub(crate) r_identity: usize,
    pub(crate) multiple: usize,
    pub(crate) witness: usize,
}
