//! Every constant of the curve, and the fixed points that arithmetizations of scalar multiplication share.
//!
//! Coordinates are canonical coefficients, low degree first. The tests derive each constant from its definition.

use crypto_bigint::U256;

use crate::{AffinePoint, Fp7};

/// The coefficient a of E: y² = x³ + ax + b, an element of F_p.
pub const CURVE_A: u32 = 45;

/// The coefficient b = 41z³ of E.
pub const CURVE_B: Fp7 = Fp7::from_u32s(residues::CURVE_B);

/// The number r of points of E, identity included: a prime of 217 bits,
/// 199372529839252601278447397890876471698671718266839763841250021879.
pub const ORDER: U256 = U256::from_be_hex("0000000001e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7");

/// Number of bits of [`ORDER`].
pub const ORDER_BITS: u32 = 217;

/// The generator G. The hexadecimal digits of x read √2 = 1.4142135623730950488….
pub const GENERATOR: AffinePoint = point(residues::GENERATOR);

/// The point from which multiset digests start. The hexadecimal digits of x read √3 = 1.7320508….
pub const DIGEST_START: AffinePoint = point([
    [24322128, 134698632, 124949330, 121922369, 84248355, 107561600, 86325264],
    [1095433104, 7540207, 1124564165, 2035506693, 11121645, 102781365, 398772161],
]);

/// A point that fills rows without a meaning. The hexadecimal digits of x read e = 2.718281828…, plus 2²⁴ in c₀.
pub const DUMMY: AffinePoint = point([
    [57770625, 136856976, 72496438, 2651249, 55731748, 158816036, 118044313],
    [1250555984, 1592495468, 656721246, 420301347, 2125819749, 819876460, 17687681],
]);

/// H = ((r + 1)/2)·G, so that 2H = G.
pub const HALF_GENERATOR: AffinePoint = point(residues::HALF_GENERATOR);

/// The offsets B₀, B₁ from which accumulators of a scalar multiplication start: points whose discrete logarithms
/// with respect to G and to each other nobody knows.
///
/// B_j for the tag `septic-offset-j`: for i = 0, 1, …, coefficient k of x is SHA-256 of the text `tag/i/k`, read
/// big-endian and reduced modulo p; the first x that lies on E counts, and y is the root that
/// [`Fp7::try_sqrt`] returns.
pub const OFFSETS: [AffinePoint; 2] = [point(residues::OFFSETS[0]), point(residues::OFFSETS[1])];

/// Number of double-and-add steps behind the corrections below.
pub const CORRECTION_STEPS: u32 = 254;

/// C_j = 2²⁵⁴·B_j: what 254 double-and-add steps from B_j have added to the scalar multiple.
pub const SCALAR_MUL_CORRECTIONS: [AffinePoint; 2] =
    [point(residues::SCALAR_MUL_CORRECTIONS[0]), point(residues::SCALAR_MUL_CORRECTIONS[1])];

/// C_j = 2²⁵⁴·B_j − (2²⁵⁴ − 1)·H: what 254 steps from B_j that also add ±H each have added beyond the
/// combination.
pub const VERIFY_CORRECTIONS: [AffinePoint; 2] =
    [point(residues::VERIFY_CORRECTIONS[0]), point(residues::VERIFY_CORRECTIONS[1])];

/// Number of doubling steps of a scalar multiplication with half-size scalars.
pub const HALF_STEPS: u32 = 109;

/// C_j = 2¹⁰⁹·B_j: what [`HALF_STEPS`] doubling steps have made of B_j.
pub const HALF_CORRECTIONS: [AffinePoint; 2] =
    [point(residues::HALF_CORRECTIONS[0]), point(residues::HALF_CORRECTIONS[1])];

/// Q_j = B_j + Σ 2^(8w)·G for 0 < w < 27: what entries of a table of (d + 1)·2^(8w)·G, starting from B_j + d·G, sum up to
/// beyond the scalar's multiple of G.
pub const GENERATOR_OFFSETS: [AffinePoint; 2] =
    [point(residues::GENERATOR_OFFSETS[0]), point(residues::GENERATOR_OFFSETS[1])];

/// The point with these canonical coefficients.
const fn point([x, y]: residues::PointResidues) -> AffinePoint {
    AffinePoint::new_unchecked(Fp7::from_u32s(x), Fp7::from_u32s(y))
}

/// The points that constraints mention, as canonical residues: `[x, y]`, each low degree first.
///
/// Constraint systems take constants as numbers; the points of the parent module are made from these.
pub mod residues {
    use crate::DEGREE;

    /// x, then y.
    pub type PointResidues = [[u32; DEGREE]; 2];

    /// [`CURVE_B`](super::CURVE_B).
    pub const CURVE_B: [u32; DEGREE] = [0, 0, 0, 41, 0, 0, 0];

    /// [`GENERATOR`](super::GENERATOR).
    pub const GENERATOR: PointResidues = [
        [21053971, 90322736, 156256384, 23627556, 34171264, 126183783, 25645942],
        [2020310104, 1513506566, 1843922297, 2003644209, 805967281, 1882435203, 1623804682],
    ];

    /// [`HALF_GENERATOR`](super::HALF_GENERATOR).
    pub const HALF_GENERATOR: PointResidues = [
        [1337498747, 802691858, 894957809, 177530730, 41537500, 1458471669, 885876719],
        [232221999, 691755675, 1622080528, 1694342300, 609076264, 1167760231, 1214485141],
    ];

    /// [`OFFSETS`](super::OFFSETS).
    pub const OFFSETS: [PointResidues; 2] = [
        [
            [1780118913, 1317421970, 1420823206, 1689014175, 1258016814, 344129996, 1657830229],
            [151179446, 1898208970, 261502773, 340516362, 139284565, 513083666, 460711798],
        ],
        [
            [1860337149, 136243778, 1622648215, 1712149556, 2029017630, 1485075411, 1916064271],
            [372877585, 1588634517, 688393112, 1195082310, 776586881, 2052598691, 1264539862],
        ],
    ];

    /// [`SCALAR_MUL_CORRECTIONS`](super::SCALAR_MUL_CORRECTIONS).
    pub const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = [
        [
            [435757898, 1292053334, 1208372424, 1018735101, 1824331896, 306312439, 1433542648],
            [2001542602, 881233704, 864556661, 503287952, 85499419, 2133480, 1100682612],
        ],
        [
            [346670688, 2106660159, 1542364745, 262980722, 979957539, 219074409, 1746449764],
            [901079832, 288602362, 1609190884, 1828768969, 1099862596, 1063718774, 158822126],
        ],
    ];

    /// [`VERIFY_CORRECTIONS`](super::VERIFY_CORRECTIONS).
    pub const VERIFY_CORRECTIONS: [PointResidues; 2] = [
        [
            [1911009659, 78706748, 111746198, 1871694130, 2065479947, 197170593, 1984275167],
            [1687358878, 1432094186, 878710791, 151078307, 369450051, 86847652, 2076852940],
        ],
        [
            [1704159122, 300717577, 840682786, 1276545576, 1814124793, 920570570, 70977274],
            [576508766, 954266286, 185936885, 160821660, 1545451260, 1956564272, 2122456785],
        ],
    ];

    /// [`HALF_CORRECTIONS`](super::HALF_CORRECTIONS).
    pub const HALF_CORRECTIONS: [PointResidues; 2] = [
        [
            [504158408, 293428242, 1802601351, 466140659, 233990133, 1876063199, 978226815],
            [1676180425, 1273452849, 817146067, 139101157, 1496761391, 1443387594, 328375185],
        ],
        [
            [1276314532, 1094110582, 1198737994, 1879233538, 1523772518, 23117334, 212105493],
            [702548613, 783636497, 1127195362, 1768837868, 1368105314, 1421621659, 1473397353],
        ],
    ];

    /// [`GENERATOR_OFFSETS`](super::GENERATOR_OFFSETS).
    pub const GENERATOR_OFFSETS: [PointResidues; 2] = [
        [
            [1944471182, 1658900544, 820443037, 1974370986, 2039489274, 704976143, 1262017902],
            [779354818, 1401141142, 798767367, 613856773, 108268048, 202997870, 1490131219],
        ],
        [
            [478094511, 1740983105, 206795367, 1616245197, 723582991, 1951340265, 161189482],
            [358587510, 1878726812, 1818552286, 1002787896, 1049017085, 721279067, 1892985753],
        ],
    ];
}
