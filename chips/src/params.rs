//! Constants of the curve that constraints mention, as canonical residues.


/// A septic element as seven canonical residues, low degree first.
pub type Residues = [u32; 7];

/// An affine point: x, then y.
pub type PointResidues = [Residues; 2];

/// The constants of a curve y² = x³ + A·x + B and of the fixed points that the chips use.
///
/// The chips are instantiated with [`Septic`]; tests instantiate them with toy curves whose elements use the
/// coefficient of degree 0 alone.
pub trait CurveParams: Copy + core::fmt::Debug + Default + Send + Sync + 'static {
    /// The coefficient of x, an element of the base field.
    const A: u32;
    /// The constant coefficient.
    const B: Residues;
    /// B_0, B_1: where an accumulator starts. Nobody knows their discrete logarithms.
    const OFFSETS: [PointResidues; 2];
    /// What an offset has become at the end of SCALAR_MUL: 2^254·B_j.
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2];
    /// What an offset has become at the end of VERIFY: 2^254·B_j − (2^254 − 1)·H.
    const VERIFY_CORRECTIONS: [PointResidues; 2];
    /// H = G/2, the point that VERIFY adds on every row.
    const HALF_GENERATOR: PointResidues;
}

/// The septic curve y² = x³ + 45x + 41z³.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Septic;

impl CurveParams for Septic {
    const A: u32 = 45;
    const B: Residues = residues::CURVE_B;
    const OFFSETS: [PointResidues; 2] = residues::OFFSETS;
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = residues::SCALAR_MUL_CORRECTIONS;
    const VERIFY_CORRECTIONS: [PointResidues; 2] = residues::VERIFY_CORRECTIONS;
    const HALF_GENERATOR: PointResidues = residues::HALF_GENERATOR;
}

mod residues {
 pub const CURVE_B:[u32;7]=[0,0,0,41,0,0,0];
 pub const OFFSETS: [super::PointResidues;2]=[[[1780118913, 1317421970, 1420823206, 1689014175, 1258016814, 344129996, 1657830229],[151179446, 1898208970, 261502773, 340516362, 139284565, 513083666, 460711798]],[[1860337149, 136243778, 1622648215, 1712149556, 2029017630, 1485075411, 1916064271],[372877585, 1588634517, 688393112, 1195082310, 776586881, 2052598691, 1264539862]]];
 pub const SCALAR_MUL_CORRECTIONS: [super::PointResidues;2]=[[[435757898, 1292053334, 1208372424, 1018735101, 1824331896, 306312439, 1433542648],[2001542602, 881233704, 864556661, 503287952, 85499419, 2133480, 1100682612]],[[346670688, 2106660159, 1542364745, 262980722, 979957539, 219074409, 1746449764],[901079832, 288602362, 1609190884, 1828768969, 1099862596, 1063718774, 158822126]]];
 pub const VERIFY_CORRECTIONS: [super::PointResidues;2]=[[[1911009659, 78706748, 111746198, 1871694130, 2065479947, 197170593, 1984275167],[1687358878, 1432094186, 878710791, 151078307, 369450051, 86847652, 2076852940]],[[1704159122, 300717577, 840682786, 1276545576, 1814124793, 920570570, 70977274],[576508766, 954266286, 185936885, 160821660, 1545451260, 1956564272, 2122456785]]];
 pub const HALF_GENERATOR: super::PointResidues=[[1337498747, 802691858, 894957809, 177530730, 41537500, 1458471669, 885876719],[232221999, 691755675, 1622080528, 1694342300, 609076264, 1167760231, 1214485141]];
}
