//! The command line's shape and help.

use std::ffi::OsString;
use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser, ValueParserFactory};
use clap::{Parser, Subcommand, ValueEnum};
use septic_air::curve::schnorr::ChallengeHash;
use septic_air::files::KeyForm;
use septic_air::prover::machine::segments::MAX_SEGMENT;
use septic_air::{ConfigName, Layout};

use crate::inspect::InspectArgs;

/// The help's last part.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0  done, accepted
  1  rejected: a proof, claim or signature is not valid
  2  unusable input, or wrong usage"
    };
}

/// The form of event files.
macro_rules! events_form {
    () => {
        "\
Events are a JSON array, or one object a line:
  {\"op\":\"add\",\"p\":P,\"q\":P}             P + Q
  {\"op\":\"double\",\"p\":P}                2P
  {\"op\":\"scalar_mul\",\"p\":P,\"s\":S}      s·P
  {\"op\":\"verify\",\"a\":P,\"s\":S,\"e\":S}    s·G + e·A
P is {\"x\":[7 numbers],\"y\":[7 numbers]}, canonical, low degree first, or null for the identity.
S is \"0x…\", at most 256 bits. An event may state its result as \"out\":P; claims have to."
    };
}

const MAIN_HELP: &str = concat!(
    "\
Examples:
  septic demo --count 100                       sign, execute, prove and verify 100 orders
  septic execute events.json -o claims.json     compute the results
  septic prove events.json -o proof --claims claims.json
  septic verify proof --claims claims.json
  septic inspect events.json --event 2          one event's trace, row by row
  septic prove long.json --segment 2000 -o proof --claims claims.json
  septic schnorr keygen -o key.json
  septic schnorr sign --key key.json 'ETH/USDC:BUY:1334224:100' -o signed.json
  septic prove --signatures signed.json -o proof --claims claims.json

Everywhere, `-` is standard input or standard output.

",
    exit_codes!()
);

const DEMO_HELP: &str = "\
Examples:
  septic demo
  septic demo --count 100 --config benchmark --json
  septic demo --count 100 --single-chip";

const EXECUTE_HELP: &str = concat!(
    "\
Examples:
  septic execute events.json -o claims.json
  septic execute - < events.json | head

",
    events_form!()
);

const PROVE_HELP: &str = concat!(
    "\
Examples:
  septic prove events.json -o proof --claims claims.json
  septic prove --signatures signed.json -o proof --claims claims.json
  septic prove long.json --segment 2000 -o proof --claims claims.json
  septic prove long.json --segment 2000 -o proof --claims claims.json --resume
  septic prove long.json --segment 2000 -o proof --shard 2/3

Without --segment, one proof holds the whole list: at most 1048576 events, and no more than fit its
tables. With --segment N, each N events have a proof of their own, and memory does not grow with the
list. Finished segments are kept in PROOF.parts until all are there; with --shard I/M in
PROOF.I-of-M.parts, for `septic join`.

",
    events_form!()
);

const JOIN_HELP: &str = "\
Examples:
  septic join proof.*.parts -o proof --claims claims.json
  septic join here.1-of-2.parts there.2-of-2.parts -o proof

The parts stay where they are. Joining does not verify them: `septic verify` does.";

const VERIFY_HELP: &str = concat!(
    "\
Examples:
  septic verify proof --claims claims.json
  septic verify proof --claims claims.json --config benchmark

The proof's form is found in the file: of the machine, in segments, or one proof of each chip.

",
    exit_codes!()
);

const CHECK_HELP: &str = concat!(
    "\
Example:
  septic check claims.json

",
    events_form!()
);

const KEYGEN_HELP: &str = "\
Examples:
  septic schnorr keygen -o key.json
  septic schnorr keygen --format pem -o key.pem";

const PUBLIC_HELP: &str = "\
Example:
  septic schnorr public --key key.pem --format hex";

const SIGN_HELP: &str = "\
Examples:
  septic schnorr sign --key key.json 'ETH/USDC:BUY:1334224:100' 'ETH/USDC:SELL:1334230:5'
  septic schnorr sign --key key.json --messages orders.txt -o signed.json";

const SCHNORR_CHECK_HELP: &str = concat!(
    "\
Example:
  septic schnorr check signed.json

",
    exit_codes!()
);

const COST_HELP: &str = "\
Examples:
  septic cost
  septic cost --format csv > cost.csv
  septic cost --svg cost.svg";

/// Executes, proves and verifies operations on the septic curve.
#[derive(Debug, Parser)]
#[command(name = "septic", version, after_help = MAIN_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print a machine-readable summary (JSON) on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no progress and no messages, only errors and what was asked for
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads; results and verdicts do not depend on it [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Proof configuration, where proofs are made or verified [default: secure]
    #[arg(long, global = true, value_name = "NAME", value_parser = config_parser())]
    pub(crate) config: Option<ConfigName>,
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

fn config_parser() -> impl TypedValueParser<Value = ConfigName> {
    PossibleValuesParser::new(ConfigName::ALL.map(ConfigName::as_str))
        .try_map(|name| name.parse::<ConfigName>())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make signed orders, execute, prove and verify them all
    ///
    /// Makes orders by a pool of traders, signs them, computes s·G + e·A for each, proves all results in one
    /// proof, and verifies it. Prints what every step took; beside the prover's time stands the time of one
    /// commitment to the same main traces under the same configuration.
    Demo(DemoArgs),
    /// Compute the results of events
    ///
    /// Runs events natively and writes them back with `out` filled. A result that an event states is
    /// replaced.
    Execute(ExecuteArgs),
    /// Prove the results of events or the validity of signatures
    ///
    /// Proves all events of a file (operations may be mixed), or s·G + e·A = R for each signature of a file.
    /// The proof is verified before it is written. A wrong result stated by an event, or a signature that is
    /// not valid, is an error.
    ///
    /// Long lists are proven in segments, on one machine or on many; a run that was interrupted goes on where it
    /// was.
    Prove(ProveArgs),
    /// Put the parts of a proof together
    ///
    /// Takes the parts that `prove --shard` left in directories and writes the proof of the whole list and its
    /// claims. Every segment has to be there exactly once, all of one list and proven in one way.
    Join(JoinArgs),
    /// Check a proof against claims
    ///
    /// Accepts (exit code 0) if the proof proves all claims, each exactly once and in their order, under the
    /// given configuration; rejects (exit code 1) otherwise.
    Verify(VerifyArgs),
    /// Check the trace of events row by row, and name violated constraints
    ///
    /// Makes the trace of events and evaluates every constraint on every row, without a proof. Reports each
    /// violated constraint by name, row and event. A stated result that is wrong violates `claims.instance`,
    /// whose number is the column.
    Check(CheckArgs),
    /// Show one event's trace, and explain what it violates
    ///
    /// Shows rows with their columns, points, bits and scalars, and checks every constraint. Each violated one is
    /// explained: its formula, the cells that it reads and what is left over. `--html` writes a page on which to look
    /// around.
    Inspect(InspectArgs),
    /// Make keys, sign messages, check signatures
    ///
    /// Schnorr signatures: R = k·G, e = challenge(R, A, message), s = k − e·a; valid if s·G + e·A = R.
    Schnorr(SchnorrArgs),
    /// Report what each chip costs
    ///
    /// Reports columns, cells, constraints and gas of every chip, computed from the chips, beside published
    /// numbers of other systems.
    Cost(CostArgs),
}

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = DEMO_HELP)]
pub(crate) struct DemoArgs {
    /// Number of orders
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) count: usize,
    /// Seed of keys and orders
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Greatest number of traders, each with a key
    #[arg(long, value_name = "K", default_value = "64")]
    pub(crate) traders: NonZero<usize>,
    #[command(flatten)]
    pub(crate) route: Route,
}

/// How a proof is made.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Route {
    /// How SCALAR_MUL and VERIFY are laid out in the machine [default: with fewer cells for the list]
    #[arg(long, value_name = "NAME", value_parser = layout_parser())]
    pub(crate) layout: Option<Layout>,
    /// Make one proof of each chip that is needed, instead of one of the machine
    #[arg(long, conflicts_with = "layout")]
    pub(crate) single_chip: bool,
}

pub(crate) fn layout_parser() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new(Layout::ALL.iter().map(|layout| layout.as_str()))
        .try_map(|name| name.parse::<Layout>())
}

/// Arguments of `execute`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXECUTE_HELP)]
pub(crate) struct ExecuteArgs {
    /// File of events
    #[arg(value_name = "EVENTS")]
    pub(crate) events: Place,
    /// Where the events with their results go
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    pub(crate) output: Place,
}

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
#[command(after_help = PROVE_HELP)]
pub(crate) struct ProveArgs {
    /// File of events
    #[arg(value_name = "EVENTS", required_unless_present = "signatures", conflicts_with = "signatures")]
    pub(crate) events: Option<Place>,
    /// File of signatures, instead of events
    #[arg(long, value_name = "FILE")]
    pub(crate) signatures: Option<Place>,
    /// Where the proof goes
    #[arg(long, short, value_name = "PROOF")]
    pub(crate) output: Place,
    /// Where the claims go: the events with their results
    #[arg(long, value_name = "CLAIMS")]
    pub(crate) claims: Option<Place>,
    /// Hash function of the signatures' challenges
    #[arg(long, value_name = "HASH", default_value = "sha256", value_enum)]
    pub(crate) challenge: Challenge,
    #[command(flatten)]
    pub(crate) route: Route,
    /// Prove the list in segments of so many events
    #[arg(long, value_name = "N", value_parser = segment, conflicts_with = "single_chip")]
    pub(crate) segment: Option<usize>,
    /// Go on with the segments that an interrupted run has finished, if there are any
    #[arg(long, requires = "segment")]
    pub(crate) resume: bool,
    /// Prove only every M-th segment, beginning with the I-th, and leave the parts for `septic join`
    #[arg(long, value_name = "I/M", requires = "segment", conflicts_with = "claims")]
    pub(crate) shard: Option<Shard>,
}

fn segment(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size @ 1..=MAX_SEGMENT) => Ok(size),
        _ => Err(format!("expected a number from 1 to {MAX_SEGMENT}")),
    }
}

/// Part `index` of `count` of the segments of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl Shard {
    /// Whether a segment belongs to this part.
    pub(crate) const fn has(self, segment: u64) -> bool {
        segment % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text
            .split_once('/')
            .and_then(|(index, count)| Some(Self { index: index.parse().ok()?, count: count.parse().ok()? }));
        parsed
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| "expected I/M with I from 1 to M".to_owned())
    }
}

/// Arguments of `join`.
#[derive(Debug, clap::Args)]
#[command(after_help = JOIN_HELP)]
pub(crate) struct JoinArgs {
    /// Directories of parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,
    /// Where the proof goes
    #[arg(long, short, value_name = "PROOF")]
    pub(crate) output: Place,
    /// Where the claims go: the events with their results
    #[arg(long, value_name = "CLAIMS")]
    pub(crate) claims: Option<Place>,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyArgs {
    /// File of the proof
    #[arg(value_name = "PROOF")]
    pub(crate) proof: Place,
    /// File of claims: events with their results
    #[arg(long, value_name = "CLAIMS")]
    pub(crate) claims: Place,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// File of events
    #[arg(value_name = "EVENTS")]
    pub(crate) events: Place,
}

/// Arguments of `schnorr`.
#[derive(Debug, clap::Args)]
pub(crate) struct SchnorrArgs {
    #[command(subcommand)]
    pub(crate) command: SchnorrCommand,
}

/// What to do with signatures.
#[derive(Debug, Subcommand)]
pub(crate) enum SchnorrCommand {
    /// Make a key
    ///
    /// Makes a secret key from the system's randomness and writes it with its public key. Only the owner can
    /// read the file.
    Keygen(KeygenArgs),
    /// Sign messages
    ///
    /// Signs messages given as arguments, or the lines of a file. The same key and message give the same
    /// signature, unless `--hedged`.
    Sign(SignArgs),
    /// Print the public key of a secret key
    Public(PublicArgs),
    /// Say which signatures of a file are not valid
    ///
    /// Checks every signature of a file and lists those that are not valid. Exit code 1 if there are any.
    Check(SchnorrCheckArgs),
}

/// Arguments of `schnorr keygen`.
#[derive(Debug, clap::Args)]
#[command(after_help = KEYGEN_HELP)]
pub(crate) struct KeygenArgs {
    /// Where the key goes
    #[arg(long, short, value_name = "KEY", default_value = "-")]
    pub(crate) output: Place,
    /// Derive the key from a number. For tests: who guesses the number has the key
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Replace the file if there is one
    #[arg(long)]
    pub(crate) force: bool,
    /// Form of the key
    #[arg(long, value_name = "FORM", default_value = "json", value_enum)]
    pub(crate) format: KeyFormat,
}

/// Arguments of `schnorr public`.
#[derive(Debug, clap::Args)]
#[command(after_help = PUBLIC_HELP)]
pub(crate) struct PublicArgs {
    /// File of the secret key, in any form
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Place,
    /// Form of the public key
    #[arg(long, value_name = "FORM", default_value = "json", value_enum)]
    pub(crate) format: KeyFormat,
    /// Where the public key goes
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: Place,
}

/// Form of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyFormat {
    /// An object of the secret key in hexadecimal and the public key's coordinates
    Json,
    /// PEM: SEPTIC SECRET KEY, 32 bytes; SEPTIC PUBLIC KEY, the 29 bytes of the compressed point
    Pem,
    /// The same bytes in hexadecimal
    Hex,
}

impl From<KeyFormat> for KeyForm {
    fn from(format: KeyFormat) -> Self {
        match format {
            KeyFormat::Json => Self::Json,
            KeyFormat::Pem => Self::Pem,
            KeyFormat::Hex => Self::Hex,
        }
    }
}

/// Arguments of `schnorr sign`.
#[derive(Debug, clap::Args)]
#[command(after_help = SIGN_HELP)]
pub(crate) struct SignArgs {
    /// File of the secret key: JSON, PEM or hexadecimal
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Place,
    /// Messages
    #[arg(value_name = "MESSAGE", required_unless_present = "messages", conflicts_with = "messages")]
    pub(crate) message: Vec<String>,
    /// File of messages, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) messages: Option<Place>,
    /// Where the signatures go
    #[arg(long, short, value_name = "SIGS", default_value = "-")]
    pub(crate) output: Place,
    /// Mix the system's randomness into the nonces
    #[arg(long)]
    pub(crate) hedged: bool,
    /// Hash function of the challenge
    #[arg(long, value_name = "HASH", default_value = "sha256", value_enum)]
    pub(crate) challenge: Challenge,
}

/// Arguments of `schnorr check`.
#[derive(Debug, clap::Args)]
#[command(after_help = SCHNORR_CHECK_HELP)]
pub(crate) struct SchnorrCheckArgs {
    /// File of signatures
    #[arg(value_name = "FILE")]
    pub(crate) file: Place,
    /// Hash function of the challenge
    #[arg(long, value_name = "HASH", default_value = "sha256", value_enum)]
    pub(crate) challenge: Challenge,
}

/// Arguments of `cost`.
#[derive(Debug, clap::Args)]
#[command(after_help = COST_HELP)]
pub(crate) struct CostArgs {
    /// Form of the report [default: table, or json with --json]
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) format: Option<Format>,
    /// Also draw a bar chart of cells per event
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<Place>,
}

/// Form of the cost report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned text
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
}

/// Hash function of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Challenge {
    /// SHA-256 of R.x, A.x and the message's hash
    Sha256,
    /// Poseidon2 over KoalaBear, cheap in a circuit
    Poseidon2,
}

impl From<Challenge> for ChallengeHash {
    fn from(challenge: Challenge) -> Self {
        match challenge {
            Challenge::Sha256 => Self::Sha256,
            Challenge::Poseidon2 => Self::Poseidon2,
        }
    }
}

/// A file, or `-` for standard input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Standard input or output.
    Standard,
    /// A file.
    File(PathBuf),
}

impl From<OsString> for Place {
    fn from(name: OsString) -> Self {
        if name == "-" { Self::Standard } else { Self::File(name.into()) }
    }
}

impl ValueParserFactory for Place {
    type Parser = clap::builder::MapValueParser<OsStringValueParser, fn(OsString) -> Self>;

    fn value_parser() -> Self::Parser {
        OsStringValueParser::new().map(Self::from)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn definition_is_consistent() {
        Args::command().debug_assert();
    }
}
