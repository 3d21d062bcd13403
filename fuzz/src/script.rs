//! Scripts of changes to a valid proof, read from the fuzzer's bytes.

use septic_prover::config::{Challenge, Val};
use septic_prover::septic_trace::septic_curve::p3_field::PrimeCharacteristicRing;

use crate::wire::{HEADER, WireBundle, WireProof};

/// No list is made longer than this.
const MAX_LIST: usize = 1 << 12;

/// What is left of the fuzzer's bytes. Methods return `None` at their end, and where a change is not possible.
#[derive(Debug)]
pub(crate) struct Script<'a>(pub(crate) &'a [u8]);

impl Script<'_> {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number below `bound`, or 0 if that is 0.
    fn below(&mut self, bound: usize) -> Option<usize> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(usize::from(u16::from_le_bytes(*bytes)) % bound.max(1))
    }

    /// A number below `bound`, which is at most 256.
    fn choose(&mut self, bound: usize) -> Option<usize> {
        Some(usize::from(self.byte()?) % bound)
    }

    /// Applies one change to the encoding. `other` is another valid proof to take bytes from.
    pub(crate) fn change_bytes(&mut self, bytes: &mut Vec<u8>, other: &[u8]) -> Option<()> {
        let kind = self.choose(10)?;
        let at = HEADER + self.below(bytes.len().saturating_sub(HEADER))?;
        let end = |len: usize| (at + 1 + len).min(bytes.len());
        match kind {
            0 => *bytes.get_mut(at)? = self.byte()?,
            1 => *bytes.get_mut(at)? ^= 1 << self.choose(8)?,
            2 => bytes.insert(at, self.byte()?),
            3 => {
                let end = end(self.choose(256)?);
                drop(bytes.drain(at..end));
            }
            4 => {
                // A piece twice.
                let piece = bytes.get(at..end(self.choose(256)?))?.to_vec();
                drop(bytes.splice(at..at, piece));
            }
            5 => {
                // A piece over another place.
                let piece = bytes.get(at..end(self.choose(256)?))?.to_vec();
                let to = HEADER + self.below(bytes.len() - HEADER - piece.len())?;
                bytes[to..to + piece.len()].copy_from_slice(&piece);
            }
            6 => {
                // The same place of the other proof.
                let end = end(self.choose(256)?).min(other.len());
                bytes.get_mut(at..end)?.copy_from_slice(other.get(at..end)?);
            }
            7 => {
                // A number in one byte more than it needs.
                *bytes.get_mut(at)? |= 0x80;
                bytes.insert(at + 1, 0);
            }
            8 => {
                // The largest length.
                let max = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
                drop(bytes.splice(at..end(0), max));
            }
            _ => {
                // A number near the one that stands there, as field elements are written.
                let cell: &mut [u8; 4] = bytes.get_mut(at..at + 4)?.try_into().ok()?;
                let delta = i32::from(self.byte()?.cast_signed());
                *cell = u32::from_le_bytes(*cell).wrapping_add_signed(delta).to_le_bytes();
            }
        }
        Some(())
    }

    /// Applies one change to the fields.
    pub(crate) fn change_fields(&mut self, wire: &mut WireBundle) -> Option<()> {
        let (place, kind) = (self.choose(4)?, self.choose(20)?);
        match kind {
            0 => wire.parts.swap(place, self.choose(4)?),
            1 => wire.parts[place] = None,
            2 => wire.parts[self.choose(4)?] = wire.parts[place].as_ref().map(WireProof::copy),
            _ => self.change_proof(kind, wire.parts[place].as_mut()?)?,
        }
        Some(())
    }

    fn change_proof(&mut self, kind: usize, part: &mut WireProof) -> Option<()> {
        let WireProof { parameters, second_offsets, stark } = part;
        let (commitments, opened, fri) =
            (&mut stark.commitments, &mut stark.opened_values, &mut stark.opening_proof);
        match kind {
            3 => self.change_list(parameters, Self::change_val),
            4 => self.change_list(second_offsets, Self::change_number),
            5 => self.change_list(&mut opened.trace_local, Self::change_challenge),
            6 => match &mut opened.trace_next {
                Some(row) => self.change_list(row, Self::change_challenge),
                none => {
                    *none = Some(opened.trace_local.clone());
                    Some(())
                }
            },
            7 => {
                opened.trace_next = None;
                Some(())
            }
            8 => self.change_list(&mut opened.quotient_chunks, |script, chunk| {
                script.change_list(chunk, Self::change_challenge)
            }),
            9 => {
                opened.random = Some(opened.trace_local.clone());
                Some(())
            }
            10 => {
                commitments.random = Some(commitments.trace.clone());
                Some(())
            }
            11 => {
                std::mem::swap(&mut commitments.trace, &mut commitments.quotient_chunks);
                Some(())
            }
            12 => self.change_val(&mut stark.ood_pow_witness),
            13 => self.change_val(&mut fri.batch_pow_witness),
            14 => self.change_val(&mut fri.query_pow_witness),
            15 => self.change_list(&mut fri.commit_pow_witnesses, Self::change_val),
            16 => self.change_list(&mut fri.commit_phase_commits, |_, _| None),
            17 => self.change_list(&mut fri.final_poly, Self::change_challenge),
            18 => self.change_list(&mut fri.input_openings, |script, batch| match script.choose(2)? {
                0 => script.change_list(&mut batch.opening_proof.sibling_hashes, Self::change_digest),
                _ => script.change_list(&mut batch.opened_values, |script, query| {
                    script.change_list(query, |script, row| script.change_list(row, Self::change_val))
                }),
            }),
            _ => {
                self.change_list(&mut fri.commit_phase_openings, |script, round| match script.choose(2)? {
                    0 => script.change_list(&mut round.opening_proof.sibling_hashes, Self::change_digest),
                    _ => script.change_list(&mut round.sibling_values, |script, query| {
                        script.change_list(query, Self::change_challenge)
                    }),
                })
            }
        }
    }

    /// Changes a list: its length, its order, or one element with `element`.
    fn change_list<T: Clone>(
        &mut self,
        list: &mut Vec<T>,
        element: impl FnOnce(&mut Self, &mut T) -> Option<()>,
    ) -> Option<()> {
        let (kind, at) = (self.choose(16)?, self.below(list.len())?);
        match kind {
            0 => drop(list.pop()),
            1 => list.push(list.get(at)?.clone()),
            2 if at < list.len() => drop(list.remove(at)),
            3 => list.truncate(at),
            4 => list.clear(),
            5 => {
                let copy = list.get(at)?.clone();
                list.resize((2 * list.len() + 1).min(MAX_LIST), copy);
            }
            6 | 7 if !list.is_empty() => {
                let to = self.below(list.len())?;
                list.swap(at, to);
            }
            _ => element(self, list.get_mut(at)?)?,
        }
        Some(())
    }

    fn change_val(&mut self, value: &mut Val) -> Option<()> {
        match self.byte()? {
            0 => *value = Val::ZERO,
            delta => *value += Val::from_u8(delta),
        }
        Some(())
    }

    fn change_challenge(&mut self, value: &mut Challenge) -> Option<()> {
        let delta = self.byte()?;
        match delta {
            0 => *value = Challenge::ZERO,
            1 => *value *= Challenge::NEG_ONE,
            _ => *value += Challenge::from_u8(delta),
        }
        Some(())
    }

    fn change_digest(&mut self, digest: &mut [Val; 8]) -> Option<()> {
        let at = self.choose(8)?;
        self.change_val(&mut digest[at])
    }

    fn change_number(&mut self, number: &mut usize) -> Option<()> {
        *number = match self.byte()? {
            255 => usize::MAX,
            254 => 1 << 32,
            small => small.into(),
        };
        Some(())
    }
}
