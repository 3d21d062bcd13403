//! Rows by themselves, without what the buses say: what each constraint stops.

use septic_chips::check::CheckField;
use septic_chips::half::VerifyControl;
use septic_chips::params::{CurveParams, HalfParams, PointResidues, Residues, Septic as SepticParams};

use super::machine::Part;
use super::*;
use crate::VerifyEvent;

type Sm = HalfScalarMul;
type Vf = HalfVerify;

fn scalar_mul() -> Machine<Sm> {
    let p = times(Scalar::from(11), Point::GENERATOR);
    Machine::honest(&[ScalarMulEvent { p, s: Scalar256::MAX }])
}

fn verify() -> Machine<Vf> {
    let a = times(Scalar::from(11), Point::GENERATOR);
    Machine::honest(&[VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::from(0x1234_5678_9abc_def0) }])
}

/// The labels that fail on row 0 of a table, without the table's name.
fn failing<O: Fill>(machine: &Machine<O>, part: Part) -> BTreeSet<&'static str> {
    machine.failures_on(part, 0).into_iter().map(|label| label.split_once('.').unwrap().1).collect()
}

fn assert_alone<O: Fill>(machine: &Machine<O>, part: Part, label: &'static str) {
    assert_eq!(failing(machine, part), [label].into());
}

/// N, M and E of a control row replaced by points that satisfy all constraints but one. `labels` are those of line, x and y
/// of N, of M, and of y of E.
fn sums_and_end<O: Fill>(honest: &Machine<O>, base: &str, labels: [&'static str; 7], c: Point) {
    let [n_line, n_x, n_y, m_line, m_x, m_y, end_y] = labels;
    let part = Part::Control;
    let change = |label, change: &dyn Fn(&mut Machine<O>)| {
        let mut machine = honest.clone();
        change(&mut machine);
        assert_alone(&machine, part, label);
    };
    let mut row = honest.clone();
    let [p, n, m] = [base, "x_n", "x_m"].map(|name| Point::from(row.point(part, 0, name)));
    let [lambda_n, lambda_m] = ["lambda_n", "lambda_m"].map(|name| row.element(part, 0, name, 0));
    let set_n = |machine: &mut Machine<O>, point: Point, lambda| {
        machine.set_point(0, "x_n", point);
        machine.set_element(part, 0, "lambda_n", 0, lambda);
        machine.set_end(0, c);
    };
    let set_m = |machine: &mut Machine<O>, point: Point, lambda| {
        machine.set_point(0, "x_m", point);
        machine.set_element(part, 0, "lambda_m", 0, lambda);
    };
    // The difference for the sum; another point of the chord; the wrong sign.
    change(n_line, &|machine| set_n(machine, m, lambda_m));
    change(n_x, &|machine| set_n(machine, -p, lambda_n));
    change(n_y, &|machine| set_n(machine, -n, lambda_n));
    change(m_line, &|machine| set_m(machine, n, lambda_n));
    change(m_x, &|machine| set_m(machine, p, lambda_m));
    change(m_y, &|machine| set_m(machine, -m, lambda_m));
    // E + N = −C.
    change(end_y, &|machine| machine.set_end(0, -c));
}

#[test]
fn sums_of_scalar_mul() {
    let labels = ["C12.n_line", "C13.n_x", "C14.n_y", "C15.m_line", "C16.m_x", "C17.m_y", "C21.end_y"];
    sums_and_end(&scalar_mul(), "x_p", labels, params::HALF_SCALAR_MUL_CORRECTIONS[0].into());
}

#[test]
fn sums_of_verify() {
    let labels = ["C14.n_line", "C15.n_x", "C16.n_y", "C17.m_line", "C18.m_x", "C19.m_y", "C23.end_y"];
    let c = Point::from(params::HALF_VERIFY_CORRECTIONS[0]);
    sums_and_end(&verify(), "x_a", labels, c);
    // S = R + kG: another point of the chord, and the wrong sign.
    let part = Part::Control;
    let mut honest = verify();
    let s = Point::from(honest.point(part, 0, "x_s"));
    let a = honest.point(part, 0, "x_a");
    let k = (0..4).find(|&k| *honest.cell(part, 0, "multiple", k) == KoalaBear::ONE).unwrap();
    let k = Point::from(params::GENERATOR_MULTIPLES[k]);
    for (label, wrong) in [("C10.s_x", -k), ("C11.s_y", -s)] {
        let mut machine = honest.clone();
        let sums = Sums::new(wrong.to_affine().unwrap(), a).unwrap();
        machine.set_point(0, "x_s", wrong);
        machine.set_point(0, "x_n", sums.n.into());
        machine.set_point(0, "x_m", sums.m.into());
        machine.set_element(part, 0, "lambda_n", 0, sums.lambda_n);
        machine.set_element(part, 0, "lambda_m", 0, sums.lambda_m);
        machine.set_end(0, c);
        assert_alone(&machine, part, label);
    }
}

/// VERIFY with the corrections of SCALAR_MUL, for which 3·x(C_0) is a square.
#[derive(Clone, Copy, Debug, Default)]
struct Twin;

impl CurveParams for Twin {
    const A: u32 = SepticParams::A;
    const B: Residues = SepticParams::B;
    const OFFSETS: [PointResidues; 2] = SepticParams::OFFSETS;
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = SepticParams::SCALAR_MUL_CORRECTIONS;
    const VERIFY_CORRECTIONS: [PointResidues; 2] = SepticParams::VERIFY_CORRECTIONS;
    const HALF_GENERATOR: PointResidues = SepticParams::HALF_GENERATOR;
}

impl HalfParams for Twin {
    const HALF_SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = SepticParams::HALF_SCALAR_MUL_CORRECTIONS;
    const HALF_VERIFY_CORRECTIONS: [PointResidues; 2] = SepticParams::HALF_SCALAR_MUL_CORRECTIONS;
    const GENERATOR_SUMS: [PointResidues; 2] = SepticParams::GENERATOR_SUMS;
    const GENERATOR_MULTIPLES: [PointResidues; 4] = SepticParams::GENERATOR_MULTIPLES;
}

/// E = N = −C: see the forgery of SCALAR_MUL's C19.
#[test]
fn end_tangent_of_verify() {
    let c = Point::from(params::HALF_SCALAR_MUL_CORRECTIONS[0]);
    let a = times(Scalar::from(11), Point::GENERATOR);
    let event = VerifyEvent { a, s: 7u64.into(), e: 9u64.into() };
    let mut machine = Machine::<Vf>::forged(&[event], |event, _| {
        let plan = Vf::plan(event, -c - a - Point::GENERATOR);
        assert_eq!(plan.multiple, 0);
        plan
    });
    let lambda = c.to_affine().unwrap().x().tripled().try_sqrt().unwrap();
    machine.set_point(0, "x_e", -c);
    machine.set_element(Part::Control, 0, "lambda_e", 0, lambda);
    let width = <VerifyControl>::WIDTH;
    let cells = &machine.trace.control.values;
    let place = Place { is_first: KoalaBear::from_residue(1), is_transition: KoalaBear::from_residue(1) };
    let failures = check_table_row::<VerifyControl<Twin>, KoalaBear>(
        &cells[..width],
        &cells[width..2 * width],
        &[],
        &place,
        &[machine.trace.parameter],
    );
    let failures: BTreeSet<_> = failures.into_iter().map(|failure| failure.label.0).collect();
    assert_eq!(failures, ["verify_control.C21.end_tangent"].into());
}

/// The last step of row 0 with other digits or slopes, everything after them computed anew.
struct LastStep<'a, O> {
    machine: &'a mut Machine<O>,
    k: usize,
}

impl<O: Fill> LastStep<'_, O> {
    fn digit(&mut self, name: &str) -> KoalaBear {
        *self.machine.cell(Part::Steps, 0, name, self.k)
    }

    fn set_digit(&mut self, name: &str, x: KoalaBear) {
        *self.machine.cell(Part::Steps, 0, name, self.k) = x;
    }

    fn slope(&mut self, name: &str) -> Fp7 {
        self.machine.element(Part::Steps, 0, name, self.k)
    }

    fn set_slope(&mut self, name: &str, x: Fp7) {
        self.machine.set_element(Part::Steps, 0, name, self.k, x);
    }

    /// acc before the last step, N and M.
    fn inputs(&mut self) -> [AffinePoint; 3] {
        let [n, m] = ["x_n", "x_m"].map(|name| self.machine.point(Part::Steps, 0, name));
        let x = self.machine.element(Part::Steps, 0, "x_out", self.k - 1);
        let (x_t, y_t) = self.t(n, m);
        let lambda_1 = self.slope("lambda_1");
        [AffinePoint::new_unchecked(x, y_t - lambda_1.dot_mul(&(x_t - x))), n, m]
    }

    fn t(&mut self, n: AffinePoint, m: AffinePoint) -> (Fp7, Fp7) {
        let (sign, swap) = (self.digit("sign"), self.digit("swap"));
        let sigma = sign.double() - KoalaBear::ONE;
        let between = |n: Fp7, m: Fp7| n + (m - n).scale_const(swap);
        (between(n.x(), m.x()), between(n.y(), m.y()).scale_const(sigma))
    }

    /// Changes the row and computes slopes, witnesses, x_out, y_out and limbs for it, except for the slope `kept`.
    fn change(&mut self, change: impl Fn(&mut Self), kept: &str) {
        let [acc, n, m] = self.inputs();
        change(self);
        let t = self.machine.trace.parameter;
        let (x_t, y_t) = self.t(n, m);
        if kept != "lambda_1" {
            self.set_slope("lambda_1", (y_t - acc.y()).dot_mul(&(x_t - acc.x()).inverse()));
        }
        let lambda_1 = self.slope("lambda_1");
        self.set_digit("witness", evaluate(&(x_t - acc.x()), &t).inverse());
        let gap = acc.x().doubled() + x_t - lambda_1.dot_square();
        if kept != "lambda_2" {
            self.set_slope("lambda_2", acc.y().doubled().dot_mul(&gap.inverse()) - lambda_1);
        }
        let lambda_2 = self.slope("lambda_2");
        let mut x = lambda_2.dot_square() - lambda_1.dot_square() + x_t;
        let mut y = lambda_2.dot_mul(&(acc.x() - x)) - acc.y();
        if O::STEP.generator.is_some() {
            let (sign, swap) = (self.digit("sign_g"), self.digit("swap_g"));
            let tau = sign.double() - KoalaBear::ONE;
            let [sum, difference] = params::GENERATOR_SUMS;
            let between = |n: Fp7, m: Fp7| n + (m - n).scale_const(swap);
            let x_f = between(sum.x(), difference.x());
            let y_f = between(sum.y(), difference.y()).scale_const(tau);
            self.set_digit("witness_g", evaluate(&(x - x_f), &t).inverse());
            if kept != "lambda_3" {
                self.set_slope("lambda_3", (y - y_f).dot_mul(&(x - x_f).inverse()));
            }
            let lambda_3 = self.slope("lambda_3");
            x = lambda_3.dot_square() - x - x_f;
            y = -y_f - lambda_3.dot_mul(&(x - x_f));
        }
        self.set_slope("x_out", x);
        self.machine.set_element(Part::Steps, 0, "y_out", 0, y);
        let limbs: &[[&str; 3]] = match O::STEP.generator {
            None => &[["w", "sign", "swap"]],
            Some(_) => &[["w", "sign", "swap"], ["g_high", "sign_g", "swap_g"]],
        };
        for [limb, sign, swap] in limbs {
            let number = (0..=self.k).fold(KoalaBear::ZERO, |sum, a| {
                let [a, b] = [sign, swap].map(|name| *self.machine.cell(Part::Steps, 0, name, a));
                sum.double() + a + b - (a * b).double()
            });
            *self.machine.cell(Part::Steps, 0, limb, 0) = number;
        }
    }
}

/// Each constraint of a step alone: a slope that is another, a digit that is no bit.
fn steps<O: Fill>(honest: &Machine<O>, cases: &[(&'static str, &'static str)]) {
    let k = O::STEP.steps - 1;
    for &(label, name) in cases {
        let mut machine = honest.clone();
        LastStep { machine: &mut machine, k }.change(|_| (), "");
        assert_eq!(failing(&machine, Part::Steps), BTreeSet::new());
        let mut step = LastStep { machine: &mut machine, k };
        if name.starts_with("lambda") {
            step.change(|step| step.set_slope(name, Fp7::from_u32s([3, 1, 4, 1, 5, 9, 2])), name);
        } else {
            step.change(|step| step.set_digit(name, KoalaBear::from_u32(2)), "");
        }
        assert_alone(&machine, Part::Steps, label);
    }
}

#[test]
fn steps_of_scalar_mul() {
    let cases =
        [("C2.slope_1", "lambda_1"), ("C3.slope_2", "lambda_2"), ("C5.sign", "sign"), ("C6.swap", "swap")];
    steps(&scalar_mul(), &cases);
}

#[test]
fn steps_of_verify() {
    let cases = [
        ("C2.slope_1", "lambda_1"),
        ("C3.slope_2", "lambda_2"),
        ("C5.sign", "sign"),
        ("C6.swap", "swap"),
        ("C7.line", "lambda_3"),
        ("C13.sign_g", "sign_g"),
        ("C14.swap_g", "swap_g"),
    ];
    steps(&verify(), &cases);
}

/// Flags that are none, and a point off the curve: other constraints fail besides.
#[test]
fn flags() {
    fn check<O: Fill>(honest: &Machine<O>, part: Part, name: &str, delta: u32, label: &str) {
        let mut machine = honest.clone();
        *machine.cell(part, 0, name, 0) += KoalaBear::from_u32(delta);
        assert!(failing(&machine, part).contains(label), "{label}");
    }
    let (sm, vf) = (scalar_mul(), verify());
    check(&sm, Part::Control, "real", 1, "C6.real");
    check(&sm, Part::Control, "r_base", 2, "C7.flags");
    check(&sm, Part::Control, "offset", 2, "C8.offset");
    check(&sm, Part::Steps, "real", 1, "C1.real");
    check(&vf, Part::Control, "x_a", 1, "C1.a_curve");
    check(&vf, Part::Control, "real", 1, "C4.real");
    check(&vf, Part::Control, "offset", 2, "C5.offset");
    check(&vf, Part::Control, "multiple", 1, "C6.multiple");
    check(&vf, Part::Steps, "real", 1, "C1.real");
}

/// A row whose cell i is i, and its messages as lists of numbers.
fn numbered<T: Table>() -> Vec<(&'static str, Bus, Vec<u32>)> {
    let cells: Vec<_> = (0..T::WIDTH).map(count).collect();
    row_messages::<T, KoalaBear>(&cells)
        .into_iter()
        .map(|message| {
            let fields = message.fields.iter().map(|x| x.as_canonical_u32()).collect();
            (message.label.0.split_once('.').unwrap().1, message.bus, fields)
        })
        .collect()
}

/// The columns of fields, in order.
fn columns<T: Table>(names: &[&str]) -> Vec<u32> {
    let fields = <T::Cols<u32> as ColumnSet<u32>>::FIELDS;
    names
        .iter()
        .flat_map(|name| {
            let field = fields.iter().find(|field| field.name == *name).unwrap();
            field.offset..field.offset + field.width
        })
        .map(|column| u32::try_from(column).unwrap())
        .collect()
}

/// Which columns the messages of an operation's tables hold.
fn messages<O: Fill>(quotients: &[&str], carries: &[[&str; 2]], limbs: &[&str]) {
    // Steps: id, index, acc, N, M.
    let steps = numbered::<O::Steps>();
    let points = columns::<O::Steps>(&["x_n", "y_n", "x_m", "y_m"]);
    let [id, index] = [0, 1];
    assert_eq!(steps[0].2[..2], [id, index]);
    assert_eq!(steps[0].2[2..16], columns::<O::Steps>(&["x_in", "y_in"]));
    assert_eq!(steps[0].2[16..], points);
    assert_eq!(steps[1].2[..2], [id, index + 1]);
    let x_out = columns::<O::Steps>(&["x_out"]);
    assert_eq!(steps[1].2[2..9], x_out[x_out.len() - 7..]);
    assert_eq!(steps[1].2[9..16], columns::<O::Steps>(&["y_out"]));
    assert_eq!(steps[1].2[16..], points);
    // Digits: two bytes of U, low first, and limbs.
    let number = |bits: &[u32]| bits.iter().fold(0, |sum, bit| 2 * sum + bit);
    let sign = columns::<O::Steps>(&["sign"]);
    let mut digits = std::vec![id, index, number(&sign[8..]), number(&sign[..8])];
    digits.extend(columns::<O::Steps>(&["w"]));
    if O::STEP.generator.is_some() {
        digits.push(number(&columns::<O::Steps>(&["sign_g"])));
        digits.extend(columns::<O::Steps>(&["g_high"]));
    }
    assert_eq!(steps[2].2, digits);

    let control = numbered::<O::Control>();
    let [id] = columns::<O::Control>(&["id"])[..] else { panic!("one column") };
    let points = columns::<O::Control>(&["x_n", "y_n", "x_m", "y_m"]);
    assert_eq!(control[0].2[..2], [id, 0]);
    assert_eq!(control[0].2[16..], points);
    assert_eq!(control[1].2[..2], [id, 7]);
    assert_eq!(control[1].2[2..16], columns::<O::Control>(&["x_e", "y_e"]));
    assert_eq!(control[1].2[16..], points);
    // Row i holds the limbs from the highest on.
    let u = columns::<O::Control>(&["u"]);
    for (i, (label, _, fields)) in control[2..9].iter().enumerate() {
        assert_eq!(*label, "M3.digits");
        let mut expected = std::vec![id, u32::try_from(i).unwrap(), u[12 - 2 * i], u[13 - 2 * i]];
        expected.extend(limbs.iter().map(|name| columns::<O::Control>(&[name])[6 - i]));
        assert_eq!(*fields, expected);
    }
    // Every byte of quotients and carries is looked up once.
    let mut bytes = columns::<O::Control>(quotients);
    if !bytes.len().is_multiple_of(2) {
        bytes.push(0);
    }
    for [low, high] in carries {
        let [low, high] = [low, high].map(|name| columns::<O::Control>(&[name]));
        bytes.extend(low.into_iter().zip(high).flat_map(|(low, high)| [low, high]));
    }
    let lookups = &control[9..];
    assert!(lookups.iter().all(|(_, bus, fields)| *bus == Bus::BytePair && fields.len() == 2));
    assert_eq!(lookups.iter().flat_map(|(_, _, fields)| fields.clone()).collect::<Vec<_>>(), bytes);
}

#[test]
fn messages_hold_the_columns() {
    messages::<Sm>(&["quotient"], &[["carry_low", "carry_high"]], &["w"]);
    messages::<Vf>(
        &["quotient_e", "quotient_s"],
        &[["carry_low_e", "carry_high_e"], ["carry_low_s", "carry_high_s"]],
        &["w", "g_low", "g_high"],
    );
}
