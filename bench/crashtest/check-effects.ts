import type { TaskEvent } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { isModelEvent } from '../../machines/pending-calls.ts';
import type { Ledger, Violation } from './ledger.ts';

/** The outcome of an effect, with the id under which it was performed. */
type Outcome = Extract<TaskEvent, { effect: number }> & { effect_id: string };
type Observation = Extract<Outcome, { type: 'observation.recorded' }>;

const outcomesIn = (entries: TraceEntry[]): Outcome[] =>
  entries.flatMap(({ task_id, event }) =>
    task_id !== null && 'effect' in event && event.type !== 'result.superseded'
      ? [{ ...event, effect_id: effectId(task_id, event.effect) }]
      : [],
  );

/** The bought answer behind an outcome; null if there is none, as for an abandoned effect. */
const answerIn = (event: Outcome): number | null => ('usage' in event ? (event.usage?.input_tokens ?? null) : null);

/** True for an outcome from an earlier message: no model was asked for it. */
export const isSaid = (event: TraceEntry['event']): boolean =>
  isModelEvent(event) && event.call !== undefined && event.message === undefined;

/**
 * Compares the bought answers with those that the traces say were committed. The last answer bought for an effect must
 * be the committed one, and nothing may be bought while no effect is open, so none after its commit.
 */
export const checkAnswers = ({ purchases }: Pick<Ledger, 'purchases'>, entries: TraceEntry[]): Violation[] => {
  const found: Violation[] = [];
  const cancelled = new Set(
    entries.filter(({ event }) => event.type === 'task.cancelled').map(({ task_id }) => task_id),
  );
  const goals = new Map<string, string | null>();
  for (const { event, task_id } of entries) if (event.type === 'task.opened') goals.set(event.goal, task_id);

  const lastFor = new Map<string, number>();
  const lives = new Set<string>();
  for (const { answer, effect_id, life, goal, contract } of purchases) {
    const what = `answer ${answer}, a ${contract} for "${goal}" in life ${life}`;
    if (effect_id === null) {
      // A cancel may be committed while the request is in flight.
      if (!cancelled.has(goals.get(goal) ?? null))
        found.push({ rule: 'boughtAfterCommit', detail: `${what}: nothing was open` });
      continue;
    }
    if (lives.has(`${effect_id} ${life}`)) found.push({ rule: 'boughtTwice', detail: `${what}, effect ${effect_id}` });
    lives.add(`${effect_id} ${life}`);
    lastFor.set(effect_id, answer);
  }

  const committed = new Set<number>();
  for (const event of outcomesIn(entries)) {
    const answer = answerIn(event);
    const { effect_id } = event;
    const last = lastFor.get(effect_id);
    if (isSaid(event) && last !== undefined)
      found.push({
        rule: 'boughtAfterCommit',
        detail: `answer ${last} of ${effect_id}, which a message before it had said`,
      });
    if (answer === null) continue;
    const isBought = purchases[answer - 1]?.effect_id === effect_id;
    if (!isBought || committed.has(answer))
      found.push({ rule: 'answerUnknown', detail: `answer ${answer} of ${effect_id}` });
    else if (last !== answer)
      found.push({
        rule: 'boughtAfterCommit',
        detail: `answer ${last} after answer ${answer} of ${effect_id} was committed`,
      });
    committed.add(answer);
  }
  return found;
};

/**
 * Actions cut off by a crash, in the middle of a message with more calls: outcomes left unknown, and effects that ran
 * again.
 */
export const cutWithinMessages = ({ runs }: Pick<Ledger, 'runs'>, entries: TraceEntry[]): number => {
  const again = [...Map.groupBy(runs, (run) => run.effect_id)].flatMap(([id, those]) => (those.length > 1 ? [id] : []));
  const unknown = outcomesIn(entries).flatMap((event) =>
    event.type === 'observation.recorded' && event.result.startsWith('outcome unknown') ? [event.effect_id] : [],
  );
  const cut = new Set([...again, ...unknown]);
  const messages = new Map<string | null, number>();
  let found = 0;
  for (const { task_id, event, effects } of entries) {
    if (!isModelEvent(event) || event.call === undefined) continue;
    if (event.message !== undefined) messages.set(task_id, event.message.calls.length);
    const isLast = event.call.at + 1 >= (messages.get(task_id) ?? 0);
    if (!isLast && effects.some(({ effect }) => cut.has(effectId(task_id ?? '', effect)))) found += 1;
  }
  return found;
};

/**
 * Compares the runs of the outside tools with the observations: at most one run, or only crashes between runs and none
 * after the commit.
 */
export const checkRuns = ({ runs }: Pick<Ledger, 'runs'>, entries: TraceEntry[]): Violation[] => {
  const found: Violation[] = [];
  for (const [effect_id, those] of Map.groupBy(runs, (run) => run.effect_id)) {
    const what = `${those[0]?.tool} of ${effect_id}, runs ${those.map(({ run, life }) => `${run} in life ${life}`).join(', ')}`;
    const isOnce = those[0]?.tool !== 'ledger_again';
    if (isOnce && those.length > 1) found.push({ rule: 'onceTwice', detail: what });
    if (!isOnce && new Set(those.map(({ life }) => life)).size < those.length)
      found.push({ rule: 'idempotentNeedless', detail: what });
  }
  const lastRun = new Map(runs.map(({ effect_id, run }) => [effect_id, run]));
  for (const event of outcomesIn(entries)) {
    if (event.type !== 'observation.recorded' || !event.ok || !event.tool.startsWith('ledger_')) continue;
    const run = Number(/^"?run (\d+)"?$/.exec(event.result)?.[1]);
    if (lastRun.get(event.effect_id) !== run)
      found.push({
        rule: 'idempotentNeedless',
        detail: `${event.effect_id} committed "${event.result}", not its last run`,
      });
  }
  return found;
};

/**
 * Compares the todos with the observations of the tool that wrote them: each change exactly once, and never without its
 * observation.
 */
export const checkTodos = (todos: Map<string, number>, entries: TraceEntry[]): Violation[] => {
  const found: Violation[] = [];
  const isAdded = (event: Outcome): event is Observation =>
    event.type === 'observation.recorded' && event.tool === 'todo' && event.ok;
  const added = Map.groupBy(outcomesIn(entries).filter(isAdded), ({ input }) => input.replace('add ', ''));
  for (const text of new Set([...added.keys(), ...[...todos.keys()].filter((each) => /-i\d+$/.test(each))])) {
    const rows = todos.get(text) ?? 0;
    const observed = added.get(text)?.length ?? 0;
    if (rows > 1 || observed > 1)
      found.push({ rule: 'transactionalTwice', detail: `"${text}": ${rows} todos, ${observed} observations` });
    else if (rows !== observed)
      found.push({ rule: 'transactionalApart', detail: `"${text}": ${rows} todos, ${observed} observations` });
  }
  return found;
};
