import type { LaneEnd, RerunLane } from '../../../contracts/rerun.ts';
import { formatCost } from '../text/numbers.ts';
import { states } from '../text/states.ts';
import { texts } from './texts.ts';

/** The tokens of all prompts, those that a provider's cache took or gave included. */
export const tokensIn = ({ input_tokens, cache_written_tokens, cache_read_tokens }: RerunLane['usage']): number =>
  input_tokens + cache_written_tokens + cache_read_tokens;

/** The cost of a run, or a dash where a price is not known. */
export const costText = (cost: RerunLane['cost']): string =>
  cost === undefined ? '–' : formatCost(Number(cost.amount), cost.currency);

/** How a run came to its end: by what stopped it, else by its state. */
const endText = ({ state, outcome, ended }: RerunLane): string => {
  if (ended !== null) return texts.value[ended.kind];
  return state === 'done' && outcome === 'failed' ? texts.value.givenUp : states.value[state];
};

/** Whether a run has the outcome of the recording, in words; of the recording itself, and of one that was stopped, its end. */
export const outcomeText = (lane: RerunLane, recorded: RerunLane | undefined): string => {
  const end = endText(lane);
  if (lane.same === null || recorded === undefined) return end;
  if (!lane.same) return `${texts.value.different} · ${end}`;
  return lane.response === recorded.response ? texts.value.same : texts.value.sameReworded;
};

/** The question or reason that ended a run before its task; empty: nothing is said of it. Its call is among those of the run. */
export const endDetail = ({ ended }: RerunLane): string => {
  const { call, nth = 1, text = '' } = ended ?? ({} as Partial<LaneEnd>);
  if (call === undefined) return text;
  return nth > 1 ? texts.value.nth(nth) : '';
};
