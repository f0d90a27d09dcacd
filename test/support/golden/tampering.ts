/** A trace line parsed from JSON, open to tampering. */
export type Line = Record<string, unknown>;

/** One kind of tampering with a line. Returns the tampered copy, or null if the line offers nothing for it. */
export type Tampering = (line: Line) => Line | null;

type Json = Record<string, unknown>;

const eventOf = (line: Line): Json => line['event'] as Json;
const effectsOf = (line: Line): Json[] => line['effects'] as Json[];
const isTask = (line: Line): boolean => line['task_id'] !== null;

const withEvent = (line: Line, change: Json): Line => ({ ...line, event: { ...eventOf(line), ...change } });

const withFirstEffect = (line: Line, change: (effect: Json) => Json): Line | null => {
  const [first, ...rest] = effectsOf(line);
  return first === undefined ? null : { ...line, effects: [change(first), ...rest] };
};

const otherValue = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}!`;
  if (Array.isArray(value)) return value.slice(1);
  return 'something';
};

/** Ways to tamper with a single line that always have a consequence, detected at that very line. */
export const tamperings: Record<string, Tampering> = {
  'another state': (line) =>
    isTask(line) ? { ...line, state: line['state'] === 'thinking' ? 'acting' : 'thinking' } : null,
  'another step count': (line) => (isTask(line) ? { ...line, step_count: Number(line['step_count']) + 1 } : null),
  'another machine': (line) => ({ ...line, machine: 'tripact-task@0' }),
  'another effect id': (line) =>
    withFirstEffect(line, (effect) => ({ ...effect, effect: Number(effect['effect']) + 9 })),
  'an effect left out': (line) => withFirstEffect(line, (effect) => effect) && { ...line, effects: [] },
  'an effect added': (line) =>
    isTask(line)
      ? { ...line, effects: [...effectsOf(line), { effect: 99, type: 'model.plan', params: { attempt: 1 } }] }
      : null,
  'an unknown field in an effect': (line) => withFirstEffect(line, (effect) => ({ ...effect, note: 'x' })),
  'another outcome id': (line) =>
    'effect' in eventOf(line) && eventOf(line)['type'] !== 'result.superseded' ? withEvent(line, { effect: 99 }) : null,
  'another tool input': (line) => {
    const action = eventOf(line)['next_action'] as Json | null | undefined;
    // One that waits for approval is compared when it runs.
    const isActing = effectsOf(line).length > 0;
    return action && isActing ? withEvent(line, { next_action: { ...action, input: `${action['input']} now` } }) : null;
  },
  'another observed input': (line) => {
    const { type, observations } = eventOf(line);
    // If there are several, the results are in another order.
    if (Array.isArray(observations)) return withEvent(line, { observations: observations.toReversed() });
    return type === 'observation.recorded' ? withEvent(line, { input: 'something else' }) : null;
  },
  'a done that acts': (line) => {
    const event = eventOf(line);
    const isDone = event['type'] === 'thought.made' && event['status'] === 'done' && event['outcome'] === undefined;
    return isDone ? withEvent(line, { status: 'continue', next_action: { tool: 'todo', input: 'list' } }) : null;
  },
  'an answer that replans': (line) => {
    const event = eventOf(line);
    const ends = event['type'] === 'replan.made' && event['status'] === 'done' && line['state'] !== 'replanning';
    return ends ? withEvent(line, { status: 'replanned', plan: ['Something new'] }) : null;
  },
  'a verification turned round': (line) =>
    eventOf(line)['type'] === 'verification.finished' ? withEvent(line, { ok: !eventOf(line)['ok'] }) : null,
  'another task in task.opened': (line) =>
    eventOf(line)['type'] === 'task.opened' ? withEvent(line, { task_id: 'task_77' }) : null,
};

/** Copies of a line, each with another value in one parameter of its first effect. */
export const withOtherParams = (line: Line): Line[] => {
  const params = (effectsOf(line)[0]?.['params'] ?? {}) as Json;
  return Object.keys(params).map((name) => {
    const changed = { ...params, [name]: otherValue(params[name]) };
    return withFirstEffect(line, (effect) => ({ ...effect, params: changed }))!;
  });
};
