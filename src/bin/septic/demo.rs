//! `septic demo`.

use std::time::Instant;

use p3_maybe_rayon::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use septic_air::curve::schnorr::{ChallengeHash, SigningKey};
use septic_air::files::{Item, SignedMessage};
use septic_air::{Claim, ConfigName, Event, MixedClaim, ProveError, TraceChip, VerifyChip};
use serde::Serialize;

use crate::args::DemoArgs;
use crate::console::Console;
use crate::execute::execute;
use crate::failure::{Failure, Outcome};
use crate::machine::Prover;
use crate::measure::{Summary, aligned, grouped, milliseconds, prove, seconds};
use crate::schnorr::{next_key, signed_message};

/// What is traded.
const MARKETS: [&str; 3] = ["BTC/USDC", "ETH/USDC", "SOL/USDC"];

/// The summary of the prover, and what came before.
#[derive(Debug, Serialize)]
struct DemoSummary {
    seed: u64,
    traders: usize,
    orders_ms: f64,
    execute_ms: f64,
    #[serde(flatten)]
    proof: Summary,
}

pub(crate) fn run(args: &DemoArgs, config: ConfigName, console: &Console) -> Result<Outcome, Failure> {
    let mut prover = Prover::new(config, args.route.layout, console).with_commits();
    let size = match args.route.single_chip {
        true => VerifyChip::height(args.count).map(drop).map_err(ProveError::from),
        false => prover.machine().table_heights([0, 0, 0, args.count]).map(drop),
    };
    size.map_err(|error| Failure::unusable(format!("--count: {error}")))?;

    let clock = Instant::now();
    let (traders, orders) = orders(args, console);
    let claims: Vec<MixedClaim> = orders
        .iter()
        .enumerate()
        .map(|(i, order)| {
            order.claim(ChallengeHash::Sha256).map_err(|fault| fault.at("orders", Item::Signature, i))
        })
        .collect::<Result<_, _>>()?;
    let orders_ms = milliseconds(clock.elapsed());

    let clock = Instant::now();
    let events: Vec<Event> = claims.iter().map(|claim| claim.event).collect();
    let results = execute(&events, &console.bar("execute", events.len()));
    let execute_ms = milliseconds(clock.elapsed());
    if let Some(i) = (0..events.len()).find(|&i| results[i] != claims[i].out) {
        return Err(Failure::unusable(format!("internal error: the signature of order {i} is not valid")));
    }

    let known = |i: usize| claims.get(i).map(|Claim { out, .. }| *out);
    let proof = if args.route.single_chip {
        prove("orders", config, &events, known, true, console)?.summary
    } else {
        prover.prove("orders", 0, &events, known)?;
        prover.summary(None)
    };
    let summary = DemoSummary { seed: args.seed, traders, orders_ms, execute_ms, proof };
    console.summary(&summary)?;
    let of = |text: &str| text.to_owned();
    let mut lines = vec![
        (
            of("orders"),
            format!("{} signed by {traders} traders in {}", grouped(orders.len()), seconds(orders_ms)),
        ),
        (of("execute"), seconds(execute_ms)),
    ];
    lines.extend(summary.proof.lines());
    lines.push((of("result"), format!("all {} signatures proven and verified", grouped(orders.len()))));
    console.result(aligned(&lines))?;
    Ok(Outcome::Done)
}

/// Orders by a pool of traders, whose size is returned too.
fn orders(args: &DemoArgs, console: &Console) -> (usize, Vec<SignedMessage>) {
    let mut rng = StdRng::seed_from_u64(args.seed);
    let traders: Vec<SigningKey> =
        (0..args.count.min(args.traders.get())).map(|_| next_key(&mut rng)).collect();
    let messages: Vec<(usize, String)> = (0..args.count)
        .map(|_| {
            let trader = rng.random_range(0..traders.len());
            let market = MARKETS[rng.random_range(0..MARKETS.len())];
            let side = if rng.random() { "BUY" } else { "SELL" };
            let (price, quantity) = (rng.random_range(100_000..5_000_000), rng.random_range(1..1000));
            (trader, format!("{market}:{side}:{price}:{quantity}"))
        })
        .collect();

    let bar = console.bar("make orders", messages.len());
    let orders = messages
        .into_par_iter()
        .map(|(trader, message)| {
            let order = signed_message(&traders[trader], ChallengeHash::Sha256, message, None);
            bar.inc(1);
            order
        })
        .collect();
    bar.finish_and_clear();
    (traders.len(), orders)
}
