import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { SessionEvent } from '../../contracts/event.ts';
import { dueStore } from '../../src/store/sql/due.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import { type ReminderDue, type ReminderSession, reminderStore } from '../../src/tools/reminders.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, tell } from './owner-database.ts';

/** The tools and the reminders of one database. */
const open = (db: Database) => {
  const answer = createStatementRunner(db);
  return {
    todo: answered(todoTool, db),
    schedule: answered(scheduleTool, db),
    nextDue: () => answer(dueStore.nextDue(null)),
    sessionsWithDue: (now: number, limit = LIMIT) => answer(dueStore.sessionsWithDue(null, now, limit)),
    takeDueOf: (session: ReminderSession, now: number) => answer(reminderStore.takeDueOf(session, now, 0)),
    /** All that is due, of one session after another. */
    takeDue: (now: number): ReminderDue[] =>
      answer(dueStore.sessionsWithDue(null, now, LIMIT)).flatMap((session) =>
        answer(reminderStore.takeDueOf(session, now, 0)),
      ),
  };
};

const LIMIT = 100;
let todo: AnsweredTool;
let schedule: AnsweredTool;
let reminders: ReturnType<typeof open>;
beforeEach(() => {
  reminders = open(openOwnerDatabase());
  ({ todo, schedule } = reminders);
});

/** The reminders due when the clock shows a time: text, its own time in UTC, and whether it is late. */
const dueAt = (wall: string) =>
  reminders.takeDue(clock(wall)).map(({ text, due_at, late }) => [text, due_at, late ? 'late' : 'on time']);

test('a todo’s reminder comes once, at its time, to the session that asked', () => {
  tell(todo, 'add Buy milk --remind "tomorrow 2pm"', { owner: 'ada', session_id: 'kitchen' });
  expect(reminders.nextDue()).toBe(clock('2026-11-22T14:00'));
  expect(dueAt('2026-11-22T13:59:59')).toEqual([]);
  const session = { owner: 'ada', session_id: 'kitchen' };
  expect(reminders.sessionsWithDue(clock('2026-11-22T13:59:59'))).toEqual([]);
  expect(reminders.sessionsWithDue(clock('2026-11-22T14:00'))).toEqual([session]);
  const [due] = reminders.takeDueOf(session, clock('2026-11-22T14:00'));
  expect(due).toEqual({
    type: 'reminder.due',
    reminder_id: 1,
    subject: 'todo',
    subject_id: 1,
    text: 'Buy milk',
    due_at: '2026-11-22T13:00:00.000Z',
    late: false,
  });
  expect(SessionEvent.parse(due)).toEqual(due);
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

test('after a restart nothing is lost and nothing comes twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reminders-'));
  try {
    const before = openOwnerDatabase(join(folder, 'db'));
    tell(open(before).todo, 'add taken --remind "tomorrow 1pm"');
    tell(open(before).todo, 'add missed --remind "tomorrow 2pm"');
    expect(open(before).takeDue(clock('2026-11-22T13:00'))).toHaveLength(1);
    before.close();
    const after = openOwnerDatabase(join(folder, 'db'));
    const due = open(after).takeDue(clock('2026-11-23T13:00'));
    expect(due.map(({ text, late }) => [text, late])).toEqual([['missed', true]]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
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

  test('comes once for all the times that were missed, late, and continues with the next', () => {
    expect(dueAt('2026-11-22T14:10:30')).toEqual([['Dentist', '2026-11-22T13:00:00.000Z', 'late']]);
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:20'));
    expect(dueAt('2026-11-22T16:00')).toHaveLength(1);
    expect(reminders.nextDue()).toBeNull();
  });

  test('switched off it comes the first time only; switched on, from its next time', () => {
    tell(schedule, 'repeat 1 off');
    expect(dueAt('2026-11-22T14:00')).toHaveLength(1);
    expect(reminders.nextDue()).toBeNull();
    tell(schedule, 'repeat 1 on', { now: clock('2026-11-22T14:15') });
    expect(reminders.nextDue()).toBe(clock('2026-11-22T14:20'));
  });

  test('without end continues after years, without counting through them', () => {
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

  test('an event that moves takes its reminder along, also one that had come already', () => {
    tell(schedule, 'add tomorrow 3pm Dentist --remind "tomorrow 2pm"');
    expect(dueAt('2026-11-22T14:00')).toHaveLength(1);
    tell(schedule, 'update 1 "2026-11-24 15:00"', { now: clock('2026-11-22T14:30') });
    expect(reminders.nextDue()).toBe(clock('2026-11-24T14:00'));
  });
});
