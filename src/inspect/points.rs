//! Points by their names.

use super::view::PointView;
use super::violations::canonical;
use crate::curve::{AffinePoint, DEGREE, Fp7, KoalaBear, params};
use crate::{Event, MixedClaim, Point};

/// Points that are recognised, those of the event first.
#[derive(Clone, Debug)]
pub(super) struct Names {
    known: Vec<(String, Point)>,
    /// How many of them are the event's.
    of_event: usize,
}

/// The points of an event with their names.
fn event_points(claim: &MixedClaim) -> Vec<(&'static str, Point)> {
    let mut points = match claim.event {
        Event::Add(event) => vec![("P", event.p), ("Q", event.q)],
        Event::Double(event) => vec![("P", event.p)],
        Event::ScalarMul(event) => vec![("P", event.p)],
        Event::Verify(event) => vec![("A", event.a)],
    };
    points.push(("R", claim.out));
    points
}

impl Names {
    /// The names for a claim in a table.
    pub(super) fn new(claim: &MixedClaim, table: &str) -> Self {
        let mut known: Vec<(String, Point)> =
            event_points(claim).into_iter().map(|(name, point)| (name.to_owned(), point)).collect();
        let of_event = known.len();
        let mut constant = |name: &str, point: AffinePoint| known.push((name.to_owned(), point.into()));
        constant("G", params::GENERATOR);
        constant("2G", params::GENERATOR.double());
        constant("H = G/2", params::HALF_GENERATOR);
        let corrections = match table {
            "verify" => params::VERIFY_CORRECTIONS,
            "scalar_mul" => params::SCALAR_MUL_CORRECTIONS,
            _ => params::HALF_CORRECTIONS,
        };
        let pairs = [("B", params::OFFSETS), ("C", corrections), ("Q", params::GENERATOR_OFFSETS)];
        for (name, points) in pairs {
            points.into_iter().enumerate().for_each(|(j, point)| constant(&format!("{name}_{j}"), point));
        }
        Self { known, of_event }
    }

    /// The event's points.
    pub(super) fn event(&self) -> Vec<PointView> {
        self.known[..self.of_event]
            .iter()
            .map(|(name, point)| self.view(name.clone(), *point, true))
            .collect()
    }

    /// All names of a point, with `=` between them.
    fn of(&self, point: Point, except: &str) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        if point.is_identity() {
            names.push("𝒪".to_owned());
        }
        let signed = |point: Point, sign: &'static str| {
            let same = move |known: &&(String, Point)| known.1 == point && known.0 != except;
            self.known.iter().filter(same).map(move |(name, _)| match name.split_once(" = ") {
                Some((short, _)) if !sign.is_empty() => format!("{sign}{short}"),
                _ => format!("{sign}{name}"),
            })
        };
        names.extend(signed(point, ""));
        if names.is_empty() {
            names.extend(signed(-point, "−"));
        }
        (!names.is_empty()).then(|| names.join(" = "))
    }

    /// A point as it is shown. `in_cells`: all its coordinates are cells.
    pub(super) fn view(&self, name: String, point: Point, in_cells: bool) -> PointView {
        let (x, y) = point.to_canonical().unwrap_or_default();
        let is = self.of(point, &name);
        let on_curve = point.to_affine().is_none_or(|point| point.is_on_curve());
        PointView { name, is, on_curve, fingerprint: fingerprint(&x, &y), x, y, in_cells }
    }

    /// The point with these coordinates; (0, 0) is the identity.
    pub(super) fn coordinates(&self, name: String, x: Fp7, y: Fp7, in_cells: bool) -> PointView {
        let point = if x.is_zero() && y.is_zero() {
            Point::Identity
        } else {
            AffinePoint::new_unchecked(x, y).into()
        };
        self.view(name, point, in_cells)
    }
}

/// Six hexadecimal digits that tell points apart at a glance (FNV-1a of the coefficients).
fn fingerprint(x: &[u32; DEGREE], y: &[u32; DEGREE]) -> String {
    let bytes = x.iter().chain(y).flat_map(|limb| limb.to_le_bytes());
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{:06x}", (hash >> 24) ^ (hash & 0x00ff_ffff))
}

/// The element at the start of these cells.
pub(super) fn element(cells: &[KoalaBear]) -> Fp7 {
    Fp7::from_fn(|i| cells[i])
}

/// A canonical number as an integer.
pub(super) fn integer(cell: KoalaBear) -> u128 {
    canonical(cell).into()
}
