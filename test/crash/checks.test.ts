import { describe, expect, it } from 'vitest';
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
    ...{ v: 1, seq: i + 1, at: '2026-01-05T09:00:00.000Z', session_id: 's1', machine: 'm', task_id: 'task_1' },
    ...{ event, state: 'thinking', step_count: 0, effects: [] },
  }));

const opened: TaskOpened = {
  ...{ type: 'task.opened', task_id: 'task_1', session_id: 's1', turn_id: 'turn_1', goal: 's1 t1', language: 'en' },
  ...{
    limits: TaskLimits.parse({}),
    catalogue: { tools: [], executors: [] },
    confirm_plan: false,
    planning: true,
    verifies: false,
    conversation: [],
  },
};
const planned = (effect: number, answer: number): TaskEvent => ({
  ...{ type: 'plan.made', effect, reader: 'strict', status: 'planned', plan: [] },
  usage: { input_tokens: answer, output_tokens: 1 },
});
const observed = (effect: number, tool: string, input: string, result: string): TaskEvent => ({
  ...{ type: 'observation.recorded', effect, tool, input, ok: true, result },
});
const bought = (answer: number, life: number, effect_id: string | null): Purchase => ({
  ...{ answer, life, effect_id, session_id: 's1', goal: 's1 t1', contract: 'plan' },
});
const ran = (run: number, life: number, tool: string): ToolRun => ({ run, life, tool, effect_id: 'task_1.1' });
const rules = (found: { rule: string }[]): string[] => found.map(({ rule }) => rule);

describe('of answers, the crash test', () => {
  it('accepts one that was bought again because a crash came before its commit', () => {
    const purchases = [bought(1, 1, 'task_1.1'), bought(2, 2, 'task_1.1')];
    expect(checkAnswers({ purchases }, trace(opened, planned(1, 2)))).toEqual([]);
  });

  it.each([
    { what: 'was bought after an earlier one was committed', ids: ['task_1.1', 'task_1.1'], answer: 1 },
    { what: 'was bought while nothing was open', ids: ['task_1.1', null], answer: 1 },
  ])('finds one that $what', ({ ids, answer }) => {
    const purchases = ids.map((id, i) => bought(i + 1, i + 1, id));
    expect(rules(checkAnswers({ purchases }, trace(opened, planned(1, answer))))).toEqual(['boughtAfterCommit']);
  });

  it('accepts one that a cancel overtook, and finds none open otherwise', () => {
    const entries = trace(opened, { type: 'task.cancelled', turn_id: null });
    expect(checkAnswers({ purchases: [bought(1, 1, null)] }, entries)).toEqual([]);
  });

  it('finds one that was bought twice by one process', () => {
    const purchases = [bought(1, 1, 'task_1.1'), bought(2, 1, 'task_1.1')];
    expect(rules(checkAnswers({ purchases }, trace(opened, planned(1, 2))))).toEqual(['boughtTwice']);
  });

  it.each([
    { what: 'that was never bought', events: [planned(1, 9)] },
    { what: 'that was bought for another effect', events: [planned(2, 1)] },
    { what: 'that is committed twice', events: [planned(1, 1), planned(1, 1)] },
  ])('finds one $what', ({ events }) => {
    expect(rules(checkAnswers({ purchases: [bought(1, 1, 'task_1.1')] }, trace(opened, ...events)))).toEqual([
      'answerUnknown',
    ]);
  });
});

describe('of tools outside, the crash test', () => {
  it('accepts the idempotent one again after a crash, and finds it again without one', () => {
    const entries = trace(observed(1, 'ledger_again', 'x', 'run 2'));
    expect(checkRuns({ runs: [ran(1, 1, 'ledger_again'), ran(2, 2, 'ledger_again')] }, entries)).toEqual([]);
    const runs = [ran(1, 1, 'ledger_again'), ran(2, 1, 'ledger_again')];
    expect(rules(checkRuns({ runs }, entries))).toEqual(['idempotentNeedless']);
  });

  it('finds the idempotent one again after its commit', () => {
    const runs = [ran(1, 1, 'ledger_again'), ran(2, 2, 'ledger_again')];
    const entries = trace(observed(1, 'ledger_again', 'x', 'run 1'));
    expect(rules(checkRuns({ runs }, entries))).toEqual(['idempotentNeedless']);
  });

  it('finds the at-most-once one twice, crash or not', () => {
    expect(rules(checkRuns({ runs: [ran(1, 1, 'ledger_once'), ran(2, 2, 'ledger_once')] }, []))).toEqual(['onceTwice']);
  });
});

describe('of todos, the crash test', () => {
  const added = observed(1, 'todo', 'add s1-t1-i1', 'Added');

  it.each([
    { what: 'two of one text', todos: { 's1-t1-i1': 2 }, entries: trace(added), rule: 'transactionalTwice' },
    { what: 'one that no observation mentions', todos: { 's1-t1-i1': 1 }, entries: [], rule: 'transactionalApart' },
    { what: 'an observation without its todo', todos: {}, entries: trace(added), rule: 'transactionalApart' },
  ])('finds $what', ({ todos, entries, rule }) => {
    expect(rules(checkTodos(new Map(Object.entries(todos)), entries))).toEqual([rule]);
  });

  it('accepts one with its observation', () => {
    expect(checkTodos(new Map([['s1-t1-i1', 1]]), trace(added))).toEqual([]);
  });
});

describe('of the store after a crash, the crash test', () => {
  const sent: SentTurn = { key: 'k1', session_id: 's1', input: '/todo add x', turn_id: 'turn_1', reply: null };
  const row = { key: 'k1', turn_id: 'turn_1', input: '/todo add x', is_finished: 0 } as const;
  const nothing = { faults: [], gaps: [], callbacks: [], reminders: [], tornFiles: [] };
  const stored: StoredState = { ...nothing, turns: [row], todos: new Map([['x', 1]]) };

  it('accepts an acknowledged turn that is there, and one that was not acknowledged and is missing', () => {
    const unknown = { ...sent, key: 'k2', input: '/todo add y', turn_id: null };
    expect(checkStore({ turns: [sent, unknown], removed: new Map() }, stored)).toEqual([]);
  });

  it.each([
    { what: 'an acknowledged turn that is missing', turns: [], todos: 0, rule: 'turnLost' },
    { what: 'another id under its key', turns: [{ ...row, turn_id: 'turn_2' }], todos: 1, rule: 'turnLost' },
    { what: 'two turns under one key', turns: [row, row], todos: 2, rule: 'turnTwice' },
    { what: 'a command whose todo is not there', turns: [row], todos: 0, rule: 'transactionalApart' },
    { what: 'a command that wrote twice', turns: [row], todos: 2, rule: 'transactionalTwice' },
  ])('finds $what', ({ turns, todos, rule }) => {
    const state = { ...stored, turns, todos: new Map([['x', todos]]) };
    expect(rules(checkStore({ turns: [sent], removed: new Map() }, state))).toContain(rule);
  });

  it('finds a reply that was given and is not stored', () => {
    const reply = { id: 'turn_1' } as SentTurn['reply'];
    expect(rules(checkStore({ turns: [{ ...sent, reply }], removed: new Map() }, stored))).toEqual(['turnLost']);
  });

  it('finds a store that is not whole, a gap in seq and a torn file', () => {
    const state = { ...stored, faults: ['row 1 missing from index'], gaps: ['s1'], tornFiles: ['s1/plan.json'] };
    expect(rules(checkStore({ turns: [sent], removed: new Map() }, state))).toEqual([
      'integrity',
      'seqGap',
      'fileTorn',
    ]);
  });
});

describe('of reminders, the crash test', () => {
  const sent: SentTurn = {
    ...{ key: 'k1', session_id: 's1', input: `/todo add x${REMIND}`, turn_id: 'turn_1', reply: null },
  };
  const due = (seq: number): TraceEntry => ({
    ...{ v: 1, seq, at: '2026-01-05T09:00:00.000Z', session_id: 's1', machine: 'm', task_id: null },
    ...{ state: null, step_count: null, effects: [] },
    event: {
      ...{ type: 'reminder.due', reminder_id: 1, subject: 'todo', subject_id: 1, text: 'x' },
      ...{ due_at: '2026-01-05T09:00:00.000Z', late: false },
    },
  });

  it('accepts one that came once, and one that was not acknowledged', () => {
    expect(checkReminded({ turns: [sent, { ...sent, turn_id: null }] }, [due(1)])).toEqual([]);
  });

  it.each([
    { what: 'that never came', entries: [] },
    { what: 'that came twice', entries: [due(1), due(2)] },
  ])('finds one $what', ({ entries }) => {
    expect(rules(checkReminded({ turns: [sent] }, entries))).toEqual(['reminderLost']);
  });

  it.each([
    { is_over: 1, events: 0 },
    { is_over: 0, events: 1 },
    { is_over: 1, events: 2 },
  ] as const)('finds one with $events events after a crash, where $is_over was to be', ({ is_over, events }) => {
    const state = {
      ...{ faults: [], gaps: [], callbacks: [], tornFiles: [], turns: [], todos: new Map() },
      reminders: [{ text: 'x', is_over, events }],
    };
    expect(rules(checkStore({ turns: [], removed: new Map() }, state))).toEqual(['reminderApart']);
  });
});

describe('of callbacks, the crash test', () => {
  const finished = { key: 'k1', turn_id: 'turn_1', input: '/status', is_finished: 1 } as const;
  const open = { ...finished, key: 'k2', turn_id: 'turn_2', is_finished: 0 } as const;
  const delivered = { id: 'finished-turn_1', state: 'delivered' };
  const post = { id: delivered.id, body: '{}' };

  it('accepts one that was posted again as it was, and one that is still to be posted', () => {
    const state = { turns: [finished, open], callbacks: [delivered] };
    expect(checkCallbacks({ callbacks: [post, post] }, state)).toEqual([]);
    expect(checkCallbacks({ callbacks: [] }, { ...state, callbacks: [{ ...delivered, state: 'pending' }] })).toEqual(
      [],
    );
  });

  it('finds one that nobody received, that changed, or that stands apart from its turn', () => {
    const state = { turns: [finished], callbacks: [delivered] };
    expect(rules(checkCallbacks({ callbacks: [] }, state))).toEqual(['callbackLost']);
    expect(rules(checkCallbacks({ callbacks: [post, { ...post, body: '{"a":1}' }] }, state))).toEqual([
      'callbackChanged',
    ]);
    expect(rules(checkCallbacks({ callbacks: [] }, { turns: [finished], callbacks: [] }))).toEqual(['callbackApart']);
    const early = { id: 'finished-turn_2', state: 'pending' };
    expect(rules(checkCallbacks({ callbacks: [] }, { turns: [open], callbacks: [early] }))).toEqual(['callbackApart']);
  });
});
