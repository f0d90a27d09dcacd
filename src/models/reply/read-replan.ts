import { ReplanAnswer } from '../../../contracts/replan.ts';
import { findObjects } from './find-objects.ts';
import { listSteps } from './list-steps.ts';
import { readMark } from './marks.ts';
import { parseContract, type Reading, readContract } from './read-contract.ts';

/** Reads a replan; in prose without an object that keeps the contract, a list is work still to do, and a mark ends the task. Never throws. */
export const readReplan = (text: string): Reading<ReplanAnswer> =>
  readContract(ReplanAnswer, findObjects(text), readProse, ({ modelReply }) => modelReply.neitherObjectNorListNorMark);

/** With both a mark and a list behind it the text says two things. */
const readProse = (prose: string): Reading<ReplanAnswer> | null => {
  const plan = listSteps(prose);
  const marked = readMark(prose);
  if (marked === null)
    return plan.length === 0 ? null : parseContract(ReplanAnswer, 'signal', { status: 'replanned', plan });
  if (marked.mark === 'replan' || plan.length > 0 || listSteps(marked.rest).length > 0) return null;
  const outcome = marked.mark === 'blocked' ? 'failed' : undefined;
  return parseContract(ReplanAnswer, 'signal', { status: 'done', response: marked.rest, outcome });
};
