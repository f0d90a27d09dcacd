import { beforeEach, expect, it } from 'vitest';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { reminderStore } from '../../src/tools/reminders.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, tell } from './owner-database.ts';

/** Epoch milliseconds that no date has, as a program that writes the database by hand may leave: before all dates, and after them. */
const NEVERS = [-9e17, 9e17];

let db: ReturnType<typeof openOwnerDatabase>;
let todo: AnsweredTool;
let schedule: AnsweredTool;
beforeEach(() => {
  db = openOwnerDatabase();
  todo = answered(todoTool, db);
  schedule = answered(scheduleTool, db);
  return () => db.close();
});

it.each(NEVERS)('a todo that is due at %d is listed, found and finished with the others', (never) => {
  for (const text of ['Buy milk', 'Buy bread', 'Buy eggs'])
    tell(todo, `add ${text} --due "tomorrow 3pm" --remind "tomorrow 2pm"`);
  db.prepare('UPDATE todos SET due_at = ? WHERE id = 2').run(never);
  db.prepare('UPDATE todos SET done_at = ? WHERE id = 3').run(never);
  db.prepare('UPDATE reminders SET due_at = ? WHERE subject_id = 2').run(never);
  const year = never < 0 ? '-270554-' : '+274493-';
  expect(tell(todo, 'list')).toContain(`#2 Buy bread  due ${year}`);
  for (const command of ['list --view all', 'search buy', 'search buy bread', 'get 2', 'done 2'])
    expect(tell(todo, command)).toContain('Buy bread');
});

it.each(NEVERS)('an event at %d, and one that repeats since then, are shown', (never) => {
  tell(schedule, 'add tomorrow 3pm Dentist');
  tell(schedule, 'add tomorrow 4pm Tea --interval 1440 --times -1');
  tell(schedule, 'add every Monday 5pm Walk --times -1');
  db.prepare('UPDATE schedule_events SET start_at = ?').run(never);
  for (const command of ['list', 'view month', 'get 1', 'get 2', 'get 3']) expect(tell(schedule, command)).not.toBe('');
});

it('a reminder of a time that no date has comes, and holds no other back', () => {
  for (const text of ['Buy milk', 'Buy bread']) tell(todo, `add ${text} --remind "tomorrow 2pm"`);
  db.prepare('UPDATE reminders SET due_at = -9e17 WHERE subject_id = 1').run();
  const answer = answerQuestions(db);
  const now = clock('2026-11-23T10:00');
  const taken = answer(reminderStore.takeDueOf({ owner: 'local', session_id: 's1' }, now, 0));
  expect(taken.map(({ text, due_at }) => [text, due_at.slice(0, 4)])).toEqual([
    ['Buy milk', '0000'],
    ['Buy bread', '2026'],
  ]);
});
