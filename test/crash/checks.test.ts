import { expect, it } from 'vitest';
import { checkCallbacks } from '../../bench/crashtest/check-callbacks.ts';
import { checkAnswers, checkRuns, checkTodos } from '../../bench/crashtest/check-effects.ts';
import { checkReminded, REMIND } from '../../bench/crashtest/check-reminders.ts';
import { checkStore } from '../../bench/crashtest/check-store.ts';
import type { Purchase, SentTurn, ToolRun } from '../../bench/crashtest/ledger.ts';
import type { StoredState } from '../../bench/crashtest/stored-state.ts';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { TaskLimits } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';

const trace = (...events: (TaskEvent | TaskOpened)[]): TraceEntry[] =>
  events.map((event, i) => ({
    v: 1,
    seq: i + 1,
    at: '2026-01-05T09:00:00.000Z',
    session_id: 's1',
    machine: 'm',
    task_id: 'task_1',
    event,
    state: 'thinking',
    step_count: 0,
    effects: [],
  }));

const opened: TaskOpened = {
  type: 'task.opened',
  task_id: 'task_1',
  session_id: 's1',
  turn_id: 'turn_1',
  goal: 's1 t1',
  language: 'en',
  limits: TaskLimits.parse({}),
  catalogue: { tools: [], executors: [] },
  confirm_plan: false,
  planning: true,
  verifies: false,
  conversation: [],
};
const planned = (effect: number, answer: number): TaskEvent => ({
  type: 'plan.made',
  effect,
  reader: 'strict',
  status: 'planned',
  plan: [],
  usage: { input_tokens: answer, output_tokens: 1 },
});
const observed = (effect: number, tool: string, input: string, result: string): TaskEvent => ({
  type: 'observation.recorded',
  effect,
  tool,
  input,
  ok: true,
  result,
});
const bought = (answer: number, life: number, effect_id: string | null): Purchase => ({
  answer,
  life,
  effect_id,
  session_id: 's1',
  goal: 's1 t1',
  contract: 'plan',
});
const ran = (run: number, life: number, tool: string): ToolRun => ({ run, life, tool, effect_id: 'task_1.1' });
/** A store in which nothing is, and nothing is wrong. */
const whole: StoredState = {
  faults: [],
  gaps: [],
  callbacks: [],
  reminders: [],
  tornFiles: [],
  turns: [],
  todos: new Map(),
};

const finds = (found: { rule: string }[], ...expected: string[]): void =>
  expect(found.map(({ rule }) => rule)).toEqual(expected);

it('the crash test finds an answer that was bought needlessly, and accepts one bought again after a crash', () => {
  const twice = { purchases: [bought(1, 1, 'task_1.1'), bought(2, 2, 'task_1.1')] };
  finds(checkAnswers(twice, trace(opened, planned(1, 2))));
  finds(checkAnswers(twice, trace(opened, planned(1, 1))), 'boughtAfterCommit');
  const inOneLife = { purchases: [bought(1, 1, 'task_1.1'), bought(2, 1, 'task_1.1')] };
  finds(checkAnswers(inOneLife, trace(opened, planned(1, 2))), 'boughtTwice');
  const once = { purchases: [bought(1, 1, 'task_1.1')] };
  for (const events of [[planned(1, 9)], [planned(2, 1)], [planned(1, 1), planned(1, 1)]])
    finds(checkAnswers(once, trace(opened, ...events)), 'answerUnknown');
  const said: TaskEvent = {
    type: 'replan.made',
    effect: 1,
    reader: 'strict',
    status: 'done',
    plan: [],
    response: 'Done',
    call: { at: 1 },
  };
  finds(checkAnswers(once, trace(opened, said)), 'boughtAfterCommit');
  finds(checkAnswers({ purchases: [] }, trace(opened, said)));
  const overtaken = trace(opened, { type: 'task.cancelled', turn_id: null });
  finds(checkAnswers({ purchases: [bought(1, 1, null)] }, overtaken));
});

it('the crash test finds a tool that ran needlessly, and accepts an idempotent one again after a crash', () => {
  const committed = (n: number) => trace(observed(1, 'ledger_again', 'x', `run ${n}`));
  const again = { runs: [ran(1, 1, 'ledger_again'), ran(2, 2, 'ledger_again')] };
  finds(checkRuns(again, committed(2)));
  finds(checkRuns(again, committed(1)), 'idempotentNeedless');
  finds(
    checkRuns({ runs: [ran(1, 1, 'ledger_again'), ran(2, 1, 'ledger_again')] }, committed(2)),
    'idempotentNeedless',
  );
  finds(checkRuns({ runs: [ran(1, 1, 'ledger_once'), ran(2, 2, 'ledger_once')] }, []), 'onceTwice');
});

it('the crash test finds a todo that contradicts its observation', () => {
  const added = trace(observed(1, 'todo', 'add s1-t1-i1', 'Added'));
  const todos = (count: number) => new Map(count === 0 ? [] : [['s1-t1-i1', count]]);
  finds(checkTodos(todos(1), added));
  finds(checkTodos(todos(2), added), 'transactionalTwice');
  finds(checkTodos(todos(1), []), 'transactionalApart');
  finds(checkTodos(todos(0), added), 'transactionalApart');
});

it('the crash test finds missing parts of an acknowledged turn, and an incomplete store', () => {
  const sent: SentTurn = { key: 'k1', session_id: 's1', input: '/todo add x', turn_id: 'turn_1', reply: null };
  const row = { key: 'k1', turn_id: 'turn_1', input: '/todo add x', is_finished: 0 } as const;
  const found = (state: Partial<StoredState>, turns = [sent]) =>
    checkStore({ turns, removed: new Map() }, { ...whole, turns: [row], todos: new Map([['x', 1]]), ...state });
  finds(found({}, [sent, { ...sent, key: 'k2', input: '/todo add y', turn_id: null }]));
  finds(found({}, [{ ...sent, reply: { id: 'turn_1' } as SentTurn['reply'] }]), 'turnLost');
  expect(found({ turns: [] }).map(({ rule }) => rule)).toContain('turnLost');
  expect(found({ turns: [{ ...row, turn_id: 'turn_2' }] }).map(({ rule }) => rule)).toContain('turnLost');
  expect(found({ turns: [row, row] }).map(({ rule }) => rule)).toContain('turnTwice');
  finds(found({ todos: new Map([['x', 0]]) }), 'transactionalApart');
  finds(found({ todos: new Map([['x', 2]]) }), 'transactionalTwice');
  const broken = { faults: ['row 1 missing from index'], gaps: ['s1'], tornFiles: ['s1/plan.json'] };
  finds(found(broken), 'integrity', 'seqGap', 'fileTorn');
});

it('the crash test finds a reminder that never came, or came twice', () => {
  const sent: SentTurn = {
    key: 'k1',
    session_id: 's1',
    input: `/todo add x${REMIND}`,
    turn_id: 'turn_1',
    reply: null,
  };
  const due = (seq: number): TraceEntry => ({
    v: 1,
    seq,
    at: '2026-01-05T09:00:00.000Z',
    session_id: 's1',
    machine: 'm',
    task_id: null,
    state: null,
    step_count: null,
    effects: [],
    event: {
      type: 'reminder.due',
      reminder_id: 1,
      subject: 'todo',
      subject_id: 1,
      text: 'x',
      due_at: '2026-01-05T09:00:00.000Z',
      late: false,
    },
  });
  finds(checkReminded({ turns: [sent, { ...sent, turn_id: null }] }, [due(1)]));
  finds(checkReminded({ turns: [sent] }, []), 'reminderLost');
  finds(checkReminded({ turns: [sent] }, [due(1), due(2)]), 'reminderLost');
  const stored = [
    { is_over: 1, events: 0 },
    { is_over: 0, events: 1 },
    { is_over: 1, events: 2 },
  ] as const;
  for (const each of stored) {
    const state = { ...whole, reminders: [{ text: 'x', ...each }] };
    finds(checkStore({ turns: [], removed: new Map() }, state), 'reminderApart');
  }
});

it('the crash test finds a callback that was not received, that changed, or that contradicts its turn', () => {
  const finished = { key: 'k1', turn_id: 'turn_1', input: '/status', is_finished: 1 } as const;
  const open = { ...finished, key: 'k2', turn_id: 'turn_2', is_finished: 0 } as const;
  const delivered = { id: 'finished-turn_1', state: 'delivered' };
  const post = { id: delivered.id, body: '{}' };
  const stored = { turns: [finished, open], callbacks: [delivered] };
  finds(checkCallbacks({ callbacks: [post, post] }, stored));
  finds(checkCallbacks({ callbacks: [] }, { ...stored, callbacks: [{ ...delivered, state: 'pending' }] }));
  finds(checkCallbacks({ callbacks: [] }, stored), 'callbackLost');
  finds(checkCallbacks({ callbacks: [post, { ...post, body: '{"a":1}' }] }, stored), 'callbackChanged');
  finds(checkCallbacks({ callbacks: [] }, { turns: [finished], callbacks: [] }), 'callbackApart');
  const early = { id: 'finished-turn_2', state: 'pending' };
  finds(checkCallbacks({ callbacks: [] }, { turns: [open], callbacks: [early] }), 'callbackApart');
});
