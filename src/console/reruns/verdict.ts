import type { LaneSum, RerunLane, RerunReport, RerunTask, RerunView } from '../../../contracts/rerun.ts';
import type { Meaning } from '../design/badge.tsx';
import { formatCost } from '../text/numbers.ts';
import { texts } from './texts.ts';

/** The sum of the runs that a rerun is about: the candidate's, or without one those of the same model again. */
export const triedSum = ({ sums }: RerunReport): LaneSum | undefined =>
  sums.find(({ lane }) => lane === 'candidate') ?? sums.find(({ lane }) => lane === 'again');

/** The run of a task that the rerun is about. */
export const triedLane = ({ lanes }: RerunTask): RerunLane | undefined =>
  lanes.find(({ lane }) => lane === 'candidate') ?? lanes.find(({ lane }) => lane === 'again');

/** The question that a rerun answers, in words. */
export const questionOf = ({ model, tasks, runs }: Pick<RerunView, 'model' | 'tasks' | 'runs'>): string => {
  // As it is written, the name begins with its provider.
  if (model !== null) return texts.value.wouldModel(model.slice(model.indexOf(':') + 1));
  return runs.all > tasks ? texts.value.wouldInstructions : texts.value.wouldAgain;
};

/** The meaning of runs to the user: all as recorded, some of them otherwise, or not known. */
export const meaningOfSum = ({ tasks, same, different }: LaneSum): Meaning => {
  if (same === tasks) return 'done';
  return different > 0 ? 'failed' : 'neutral';
};

/** The answer in a sentence. */
export const answerOfSum = ({ tasks, same, different, unknown }: LaneSum): string => {
  const words = texts.value;
  if (unknown === tasks) return words.notKnown;
  if (same === tasks) return tasks === 1 ? words.yesOne : words.yesAll(tasks);
  if (different === tasks) return tasks === 1 ? words.noOne : words.noAll(tasks);
  return different > 0 ? words.inSome(same, tasks) : words.knownOfSome(same, tasks);
};

/** By how much an amount is smaller or larger than another, in percent and in words. */
const comparedTo = (amount: number, before: number): string => {
  const percent = Math.round((100 * Math.abs(amount - before)) / before);
  if (percent === 0) return texts.value.asMuch;
  return amount < before ? texts.value.less(percent) : texts.value.moreBy(percent);
};

const totalOf = (lanes: readonly (RerunLane | undefined)[]): { amount: number; currency: string } | null => {
  const costs = lanes.flatMap((lane) => lane?.cost ?? []);
  const [first] = costs;
  if (first === undefined || costs.length < lanes.length) return null;
  return { amount: costs.reduce((sum, { amount }) => sum + Number(amount), 0), currency: first.currency };
};

/**
 * The cost of the runs with the recorded outcome, beside that of the recording: one that came out otherwise may have ended
 * early. Null: there is none, or a price is not known.
 */
export const costsBeside = ({ tasks }: RerunReport): string | null => {
  const same = tasks.filter((task) => triedLane(task)?.same === true);
  const cost = totalOf(same.map(triedLane));
  const before = totalOf(same.map(({ lanes }) => lanes.find(({ lane }) => lane === 'recorded')));
  if (cost === null || before === null || cost.currency !== before.currency) return null;
  const said = texts.value.insteadOf(
    formatCost(cost.amount, cost.currency),
    formatCost(before.amount, before.currency),
  );
  const compared = before.amount === 0 ? said : `${said} · ${comparedTo(cost.amount, before.amount)}`;
  return same.length === tasks.length ? compared : texts.value.forTheSame(same.length, compared);
};

/** The candidate's run, judged by the same model's second run; null: it is the only one, or did not run to its end. */
export const againOf = ({ sums }: RerunReport): string | null => {
  const again = sums.find(({ lane }) => lane === 'again');
  const candidate = sums.find(({ lane }) => lane === 'candidate');
  if (again === undefined || candidate === undefined || again.unknown > 0) return null;
  if (again.different > 0) return texts.value.againDiffers(again.different, again.tasks);
  return candidate.different > 0 ? texts.value.againSameEach : texts.value.againSame;
};

/** Tasks in the order in which one looks at them: those that came out otherwise, those not known, then the same. */
export const inOrder = (tasks: RerunReport['tasks']): RerunReport['tasks'] => {
  const place = (task: RerunTask): number => [false, null, true].indexOf(triedLane(task)?.same ?? null);
  return tasks.toSorted((one, other) => place(one) - place(other));
};
