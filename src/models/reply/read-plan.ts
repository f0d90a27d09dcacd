import { PlanAnswer } from '../../../contracts/plan.ts';
import { findObjects } from './find-objects.ts';
import { listSteps } from './list-steps.ts';
import { parseContract, type Reading, readContract } from './read-contract.ts';

/** Reads a plan; prose without an object that keeps the contract may hold it as a list (SPEC 5). Never throws. */
export const readPlan = (text: string): Reading<PlanAnswer> =>
  readContract(PlanAnswer, findObjects(text), readList, ({ modelReply }) => modelReply.neitherObjectNorList);

const readList = (prose: string): Reading<PlanAnswer> | null => {
  const plan = listSteps(prose);
  return plan.length === 0 ? null : parseContract(PlanAnswer, 'signal', { status: 'planned', plan });
};
