//! `serde` forms: strict when read, the same for human-readable and binary formats but for scalars.

use alloc::string::String;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{AffinePoint, DEGREE, Point, Scalar, Scalar256};

/// `{"x": [7 numbers], "y": [7 numbers]}`: canonical coefficients, low degree first.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Coordinates {
    x: [u32; DEGREE],
    y: [u32; DEGREE],
}

impl Coordinates {
    fn new((x, y): ([u32; DEGREE], [u32; DEGREE])) -> Self {
        Self { x, y }
    }
}

impl Serialize for AffinePoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Coordinates::new(self.to_canonical()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AffinePoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Coordinates { x, y } = Coordinates::deserialize(deserializer)?;
        Self::from_canonical(x, y).map_err(D::Error::custom)
    }
}

/// The identity is `null`, any other point as [`AffinePoint`].
impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_canonical().map(Coordinates::new).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let coordinates = Option::<Coordinates>::deserialize(deserializer)?;
        Self::from_canonical(coordinates.map(|Coordinates { x, y }| (x, y))).map_err(D::Error::custom)
    }
}

/// A string as [`Scalar256::to_hex`] in human-readable formats, eight 32-bit limbs, low limb first, in others.
impl Serialize for Scalar256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.to_le_limbs().serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Scalar256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            Self::from_hex(&String::deserialize(deserializer)?).map_err(D::Error::custom)
        } else {
            Deserialize::deserialize(deserializer).map(Self::from_le_limbs)
        }
    }
}

/// As the [`Scalar256`] of the representative. Writes the value out: for a scalar that is a secret, where it goes is the caller's
/// care.
impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Scalar256::from(*self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Scalar256::deserialize(deserializer)?.to_uint();
        Self::from_canonical(number)
            .ok_or_else(|| D::Error::custom("a scalar is below the order of the curve"))
    }
}
