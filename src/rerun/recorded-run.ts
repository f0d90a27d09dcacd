import type { ApprovalDecision } from '../../contracts/event.ts';
import type { TurnOptions } from '../../contracts/http.ts';

/** An input with options of its turn, such as `answer_schema`, or with the agent of its session. */
export type RecordedTurn = TurnOptions & { input: string; agent?: string };

/** An input of a user: words, a decision about an action, or an input with options. */
export type RecordedInput = string | ApprovalDecision | RecordedTurn;

/** How a run is compared with its recording. */
export interface RecordedModelOptions {
  /** Tools whose results may differ, by name: a clock, say. Their calls are still compared. */
  ignore?: readonly string[];
}
