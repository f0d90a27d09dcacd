import { ThoughtAnswer } from '../../../contracts/thought.ts';
import { type FoundObjects, findObjects } from './find-objects.ts';
import { isRecord } from './known-keys.ts';
import { type Mark, markNamed, readMark } from './marks.ts';
import { parseContract, type Reading, readContract, refused } from './read-contract.ts';

/** A thought, with the mark or control object that stood for it, if one did (SPEC 5). */
export type ReadThought = ThoughtAnswer & { signal?: Mark };

/** Reads a thought; a control object, or a mark in prose, stands for `done`. Never throws. */
export const readThought = (text: string): Reading<ReadThought> => {
  const found = findObjects(text);
  const reading = readContract<ReadThought>(
    ThoughtAnswer,
    found,
    (prose) => {
      const marked = readMark(prose);
      return marked && signalled(marked.mark, { response: marked.rest });
    },
    ({ modelReply }) => modelReply.neitherObjectNorMark,
  );
  return reading.ok ? reading : (readControl(found) ?? reading);
};

/** A control object says by a mark's name that the step is over; `reason` or `summary` says why, and other keys say nothing. */
const readControl = (found: FoundObjects): Reading<ReadThought> | null => {
  const object = found.kind === 'read' && found.objects.length === 1 ? found.objects[0]!.value : null;
  if (!isRecord(object) || !('control' in object)) return null;
  const mark = typeof object['control'] === 'string' ? markNamed(object['control']) : null;
  if (mark === null) return refused(({ modelReply }) => modelReply.unknownControl);
  const { next_action, question } = object;
  const response = ['response', 'reason', 'summary']
    .map((key) => object[key])
    .find((value) => typeof value === 'string');
  return signalled(mark, { next_action, question, response });
};

const signalled = (signal: Mark, thought: Record<string, unknown>): Reading<ReadThought> => {
  const outcome = signal === 'step_done' ? undefined : 'blocked';
  const done = parseContract(ThoughtAnswer, 'signal', { ...thought, status: 'done', outcome });
  return done.ok ? { ...done, answer: { ...done.answer, signal } } : done;
};
