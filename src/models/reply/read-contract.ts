import type { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import type { Reader } from '../../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX } from '../../../contracts/limits.ts';
import { contractReason } from './contract-reason.ts';
import { type FoundObjects, jsonKind } from './find-objects.ts';
import { isContractAttempt, isRecord } from './known-keys.ts';
import { PROSE_CHARS_MAX } from './limits.ts';
import type { Reason } from './reason.ts';
import { AMBIGUOUS } from './scan-reply.ts';

/** The result of reading a model's text: the contract and which reader read it, or why it is refused, in short. */
export type Reading<Answer> = { ok: true; reader: Reader; answer: Answer } | { ok: false; reason: Reason };

export const refused = (reason: Reason): { ok: false; reason: Reason } => ({ ok: false, reason });

/** Checks an object against its contract. A plan too long is refused before its items are looked at: each costs time. */
export const parseContract = <Answer>(
  contract: z.ZodType<Answer>,
  reader: Reader,
  object: unknown,
): Reading<Answer> => {
  if (!isRecord(object)) return refused(({ modelReply }) => modelReply.notAnObject(jsonKind(object)));
  if (Array.isArray(object['plan']) && object['plan'].length > PLAN_ITEMS_READ_MAX)
    return refused(({ modelReply }) => modelReply.planTooLong(PLAN_ITEMS_READ_MAX));
  const parsed = checked(contract, object);
  return parsed.success ? { ok: true, reader, answer: parsed.data } : refused(contractReason(parsed.error));
};

/**
 * Reads the one object of a text by its contract; where none keeps it, `readProse` may find that marks or a list stand for the answer. They
 * never stand for one beside an object that was meant as a contract. `missing` says what a text of prose alone should have contained.
 */
export const readContract = <Answer>(
  contract: z.ZodType<Answer>,
  found: FoundObjects,
  readProse: (prose: string) => Reading<Answer> | null,
  missing: Reason,
): Reading<Answer> => {
  if (found.kind === 'refused') return refused(found.reason);
  const { objects, prose } = found;
  const [object] = objects;
  const reading = objects.length === 1 ? parseContract(contract, object!.reader, object!.value) : null;
  if (reading?.ok) return reading;
  const mayHoldMarks = prose.length <= PROSE_CHARS_MAX && !objects.some(({ value }) => isContractAttempt(value));
  const signalled = mayHoldMarks ? readProse(prose) : null;
  return signalled ?? reading ?? refused(objects.length > 1 ? AMBIGUOUS : missing);
};
