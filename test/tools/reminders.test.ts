import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { SessionEvent } from '../../contracts/event.ts';
import type { TransactionalTool } from '../../src/tools/port.ts';
import { createReminderStore, type ReminderStore } from '../../src/tools/reminders.ts';
import { createScheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { createTodoTool } from '../../src/tools/todo/todo-tool.ts';
import { clock, openOwnerDatabase, tell } from './owner-database.ts';

let todo: TransactionalTool;
let schedule: TransactionalTool;
let reminders: ReminderStore;
beforeEach(() => {
  const db = openOwnerDatabase();
  todo = createTodoTool(db);
  schedule = createScheduleTool(db);
  reminders = createReminderStore(db);
});

const LIMIT = 100;
/** What comes due when the clock shows a time: text, its own time in UTC, and whether it is late. */
const dueAt = (wall: string) =>
  reminders.takeDue(clock(wall), LIMIT).map(({ text, due_at, late }) => [text, due_at, late ? 'late' : 'on time']);

test('a todo’s reminder comes once, at its time, to the session that asked', () => {
  tell(todo, 'add Buy milk --remind "tomorrow 2pm"', { owner: 'ada', session_id: 'kitchen' });
  expect(reminders.nextDue()).toBe(clock('2026-11-22T14:00'));
  expect(dueAt('2026-11-22T13:59:59')).toEqual([]);
  const [due] = reminders.takeDue(clock('2026-11-22T14:00'), LIMIT);
  expect(due).toEqual({
    owner: 'ada',
    session_id: 'kitchen',
    reminder_id: 1,
    subject: 'todo',
    subject_id: 1,
    text: 'Buy milk',
    due_at: '2026-11-22T13:00:00.000Z',
    late: false,
  });
  const { owner: _owner, session_id: _session, ...event } = due!;
  expect(SessionEvent.parse({ type: 'reminder.due', ...event })).toEqual({ type: 'reminder.due', ...event });
  expect(dueAt('2026-11-22T14:00')).toEqual([]);
  expect(reminders.nextDue()).toBeNull();
});

test.each([
  ['2026-11-22T14:00:59', 'on time'],
  ['2026-11-22T14:01:00', 'on time'],
  ['2026-11-22T14:01:01', 'late'],
  ['2026-12-24T00:00:00', 'late'],
])('taken at %s it is %s', (now, how) => {
  tell(todo, 'add Buy milk --remind "tomorrow 2pm"');
  expect(dueAt(now)).toEqual([['Buy milk', '2026-11-22T13:00:00.000Z', how]]);
});

test('reminders come in the order of their times, at most as many as asked for', () => {
  tell(todo, 'add third --remind "tomorrow 3pm"');
  tell(todo, 'add first --remind "tomorrow 1pm"');
  tell(schedule, 'add tomorrow 5pm second --remind "tomorrow 2pm"');
  expect(reminders.takeDue(clock('2026-11-23T00:00'), 2).map(({ text }) => text)).toEqual(['first', 'second']);
  expect(reminders.takeDue(clock('2026-11-23T00:00'), 2).map(({ text }) => text)).toEqual(['third']);
});

test('after a restart nothing is lost and nothing comes twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reminders-'));
  try {
    const before = openOwnerDatabase(join(folder, 'db'));
    tell(createTodoTool(before), 'add taken --remind "tomorrow 1pm"');
    tell(createTodoTool(before), 'add missed --remind "tomorrow 2pm"');
    expect(createReminderStore(before).takeDue(clock('2026-11-22T13:00'), LIMIT)).toHaveLength(1);
    before.close();
    const after = openOwnerDatabase(join(folder, 'db'));
    const due = createReminderStore(after).takeDue(clock('2026-11-23T13:00'), LIMIT);
    expect(due.map(({ text, late }) => [text, late])).toEqual([['missed', true]]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('when the transaction that takes a reminder is undone, the reminder is still due', () => {
  const db = openOwnerDatabase();
  tell(createTodoTool(db), 'add Buy milk --remind "tomorrow 2pm"');
  const store = createReminderStore(db);
  const now = clock('2026-11-22T14:00');
  const crash = db.transaction(() => {
    expect(store.takeDue(now, LIMIT)).toHaveLength(1);
    throw new Error('disk full');
  });
  expect(crash).toThrow('disk full');
  expect(store.takeDue(now, LIMIT)).toHaveLength(1);
});

describe('a reminder that repeats', () => {
  beforeEach(() => {
    tell(schedule, 'add tomorrow 3pm Dentist --remind-start "tomorrow 2pm" --interval 10 --times 4');
  });

  test('comes as often as asked, so far apart', () => {
    expect(dueAt('2026-11-22T14:00')).toEqual([['Dentist', '2026-11-22T13:00:00.000Z', 'on time']]);
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:10'));
    expect(dueAt('2026-11-22T14:10')).toHaveLength(1);
    expect(dueAt('2026-11-22T14:20')).toHaveLength(1);
    expect(dueAt('2026-11-22T14:30')).toHaveLength(1);
    expect(reminders.nextDue()).toBeNull();
  });

  test('comes once for all the times that were missed, late, and goes on with the next', () => {
    expect(dueAt('2026-11-22T14:10:30')).toEqual([['Dentist', '2026-11-22T13:00:00.000Z', 'late']]);
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:20'));
    expect(dueAt('2026-11-22T16:00')).toHaveLength(1);
    expect(reminders.nextDue()).toBeNull();
  });

  test('that missed a time is late, however short the time between', () => {
    tell(schedule, 'update 1 --remind-start "tomorrow 2pm" --interval 1 --times 9');
    expect(dueAt('2026-11-22T14:01')).toEqual([['Dentist', '2026-11-22T13:00:00.000Z', 'late']]);
  });

  test('does not come again when the clock jumps back', () => {
    expect(dueAt('2026-11-22T14:00')).toHaveLength(1);
    expect(dueAt('2026-11-22T13:00')).toEqual([]);
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:10'));
  });

  test('switched off it comes the first time only; switched on, from its next time', () => {
    tell(schedule, 'repeat 1 off');
    expect(dueAt('2026-11-22T14:00')).toHaveLength(1);
    expect(reminders.nextDue()).toBeNull();
    tell(schedule, 'repeat 1 on', { now: clock('2026-11-22T14:15') });
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:20'));
  });

  test('without end goes on after years, without counting through them', () => {
    tell(schedule, 'update 1 --remind-start "tomorrow 2pm" --interval 1 --times -1');
    expect(dueAt('2036-01-01T00:00:30')).toHaveLength(1);
    expect(reminders.nextDue()).toBe(clock('2036-01-01T00:01'));
  });
});

test('the reminder of an event that repeats comes as long before each time, by the clock on the wall', () => {
  tell(schedule, 'add every Sunday 9am Brunch --remind "2026-10-18 08:30"', { now: clock('2026-10-16T12:00') });
  expect(dueAt('2026-10-18T08:30')).toEqual([['Brunch', '2026-10-18T06:30:00.000Z', 'on time']]);
  expect(dueAt('2026-10-25T08:30')).toEqual([['Brunch', '2026-10-25T07:30:00.000Z', 'on time']]);
  expect(reminders.nextDue()).toBe(clock('2026-11-01T08:30'));
});

describe('a reminder follows what it is for', () => {
  test('a todo that is done or deleted reminds of nothing', () => {
    tell(todo, 'add one --remind "tomorrow 2pm"');
    tell(todo, 'add two --remind "tomorrow 2pm"');
    tell(todo, 'done 1');
    tell(todo, 'delete 2');
    expect(reminders.nextDue()).toBeNull();
  });

  test('a deleted event reminds of nothing', () => {
    tell(schedule, 'add tomorrow 3pm Dentist --remind "tomorrow 2pm"');
    tell(schedule, 'delete 1');
    expect(reminders.nextDue()).toBeNull();
  });

  test('a new text or title is what it says, and a reminder that is due by then is not lost', () => {
    tell(todo, 'add one --remind "tomorrow 2pm"');
    tell(schedule, 'add tomorrow 3pm Dentist --remind "tomorrow 2pm"');
    const later = { now: clock('2026-11-22T14:00:01') };
    tell(todo, 'update 1 another', later);
    tell(schedule, 'update 1 --duration 30', later);
    expect(dueAt('2026-11-22T14:00:02').map(([text]) => text)).toEqual(['another', 'Dentist']);
  });

  test('an event that moves takes its reminder along, also one that had come already', () => {
    tell(schedule, 'add tomorrow 3pm Dentist --remind "tomorrow 2pm"');
    expect(dueAt('2026-11-22T14:00')).toHaveLength(1);
    tell(schedule, 'update 1 "2026-11-24 15:00"', { now: clock('2026-11-22T14:30') });
    expect(reminders.nextDue()).toBe(clock('2026-11-24T14:00'));
  });

  test('another owner’s todo of the same id keeps its reminder', () => {
    tell(todo, 'add mine --remind "tomorrow 2pm"');
    tell(todo, 'add theirs --remind "tomorrow 2pm"', { owner: 'other' });
    tell(todo, 'delete 1');
    expect(dueAt('2026-11-22T14:00').map(([text]) => text)).toEqual(['theirs']);
  });
});
