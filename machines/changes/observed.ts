import { OBSERVATION_CHARS_MAX, OBSERVATIONS_KEPT } from '../../contracts/limits.ts';
import type { Observation } from '../../contracts/observation.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { cutText } from '../cut-text.ts';

/** The task's observations with one more, cut to its limit; the oldest goes when there are too many (SPEC 7). */
export const observed = (context: TaskContext, observation: Observation): Observation[] =>
  [...context.observations, { ...observation, result: cutText(observation.result, OBSERVATION_CHARS_MAX) }].slice(
    -OBSERVATIONS_KEPT,
  );
