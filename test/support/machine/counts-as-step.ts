/** True for an event that uses budget; `step_count` is the number of these in a task's trace, and nothing else (SPEC 4). */
export const countsAsStep = (event: { type: string }): boolean =>
  event.type === 'thought.made' ||
  event.type === 'thought.rejected' ||
  event.type === 'replan.made' ||
  event.type === 'replan.rejected' ||
  event.type === 'observation.recorded';
