import { beforeEach, describe, expect, it } from 'vitest';
import { SCHEDULE_EVENTS_MAX, TODOS_MAX } from '../../contracts/limits.ts';
import { IDS_MAX } from '../../src/tools/command-line.ts';
import { REMINDERS_MAX } from '../../src/tools/reminders.ts';
import { REPEATING_EVENTS_MAX } from '../../src/tools/schedule/change-schedule.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { SEARCH_CHARS_MAX, SEARCH_WORDS_MAX, todoTool } from '../../src/tools/todo/todo-tool.ts';
import { type AnsweredTool, answered, clock, openOwnerDatabase, refused, tell } from './owner-database.ts';

let db: ReturnType<typeof openOwnerDatabase>;
let todo: AnsweredTool;
let schedule: AnsweredTool;
beforeEach(() => {
  db = openOwnerDatabase();
  todo = answered(todoTool, db);
  schedule = answered(scheduleTool, db);
  return () => db.close();
});

it(`a command takes at most ${IDS_MAX} ids, and says so`, () => {
  tell(todo, 'add one');
  tell(schedule, 'add tomorrow 3pm one');
  const ids = (count: number): string => '1 '.repeat(count).trim();
  const tooMany = `A command takes at most ${IDS_MAX} ids: give the rest in another command.`;
  expect(tell(todo, `done ${ids(IDS_MAX)}`)).toContain('Done #1');
  for (const name of ['done', 'delete']) expect(refused(todo, `${name} ${ids(IDS_MAX + 1)}`)).toBe(tooMany);
  expect(refused(schedule, `delete ${ids(IDS_MAX + 1)}`)).toBe(tooMany);
  expect(refused(todo, `done ${ids(IDS_MAX + 1)}`, { language: 'zh' })).toBe(
    `一条命令最多写 ${IDS_MAX} 个编号，其余的请另写一条。`,
  );
});

describe('a search', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'a').join(' ');

  it(`has at most ${SEARCH_WORDS_MAX} words and ${SEARCH_CHARS_MAX} characters, and says so`, () => {
    tell(todo, `add ${'a'.repeat(SEARCH_CHARS_MAX)}`);
    const tooLong = `A search has at most ${SEARCH_WORDS_MAX} words and ${SEARCH_CHARS_MAX} characters.`;
    expect(tell(todo, `search ${words(SEARCH_WORDS_MAX)}`)).toContain('(1)');
    expect(refused(todo, `search ${words(SEARCH_WORDS_MAX + 1)}`)).toBe(tooLong);
    expect(tell(todo, `search ${'a'.repeat(SEARCH_CHARS_MAX)}`)).toContain('(1)');
    expect(refused(todo, `search ${'a'.repeat(SEARCH_CHARS_MAX + 1)}`)).toBe(tooLong);
    expect(refused(todo, `search ${words(SEARCH_WORDS_MAX + 1)}`, { language: 'zh' })).toBe(
      `搜索最多 ${SEARCH_WORDS_MAX} 个词、${SEARCH_CHARS_MAX} 个字符。`,
    );
  });
});

const fillTodos = (count: number): void => {
  const add = db.prepare(
    `INSERT INTO todos (owner, id, text, search_text, priority, created_at) VALUES ('local', ?, ?, ?, 0, 0)`,
  );
  const text = 'a'.repeat(1_000);
  db.transaction(() => {
    for (let id = 1; id <= count; id++) add.run(id, text, text);
  })();
  db.prepare("INSERT INTO owner_counters VALUES ('local', 'todo', ?)").run(count);
};

const fillSchedule = (count: number, interval: number | null, rrule: string | null = null): void => {
  const add = db.prepare(
    `INSERT INTO schedule_events (owner, id, title, start_at, duration_minutes, interval_minutes, rrule, timezone, times, repeats, created_at)
     VALUES ('local', ?, 'event', ?, 1, ?, ?, 'Europe/Berlin', -1, 1, 0)`,
  );
  db.transaction(() => {
    for (let id = 1; id <= count; id++) add.run(id, clock('2026-11-01T00:00') + id * 60_000, interval, rrule);
  })();
  db.prepare("INSERT INTO owner_counters VALUES ('local', 'schedule', ?)").run(count);
};

describe('an owner who has as many as may be', () => {
  it(`gets no more than ${TODOS_MAX} todos, reads what to do, and may add again after a delete; others have theirs`, () => {
    fillTodos(TODOS_MAX);
    expect(refused(todo, 'add one more')).toBe(
      `There are ${TODOS_MAX} todos already: delete some first, such as those that are done.`,
    );
    expect(refused(todo, 'add 再一个', { language: 'zh' })).toContain(`待办已有 ${TODOS_MAX} 条`);
    expect(tell(todo, 'add mine', { owner: 'other' })).toBe('Added #1 mine');
    tell(todo, 'update 7 still mine to change');
    tell(todo, 'delete 7');
    expect(tell(todo, 'add one more')).toBe(`Added #${TODOS_MAX + 1} one more`);
  });

  it(`gets no more than ${SCHEDULE_EVENTS_MAX} events`, () => {
    fillSchedule(SCHEDULE_EVENTS_MAX, null);
    expect(refused(schedule, 'add tomorrow 3pm one more')).toBe(
      `There are ${SCHEDULE_EVENTS_MAX} events already: delete some first, such as those that are past.`,
    );
    tell(schedule, 'update 7 tomorrow 3pm');
    tell(schedule, 'delete 7');
    expect(tell(schedule, 'add tomorrow 5pm one more')).toContain(`#${SCHEDULE_EVENTS_MAX + 1} one more`);
  });

  it(`gets no more than ${REPEATING_EVENTS_MAX} events that repeat, by whatever command, and may change those`, () => {
    fillSchedule(REPEATING_EVENTS_MAX, 60);
    const full = `There are ${REPEATING_EVENTS_MAX} repeating events already: delete one first, or switch its repetition off.`;
    expect(refused(schedule, 'add every day 9am one more')).toBe(full);
    const single = REPEATING_EVENTS_MAX + 1;
    expect(tell(schedule, 'add tomorrow 3pm single')).toContain(`#${single} single`);
    expect(refused(schedule, `update ${single} --interval 600`)).toBe(full);
    tell(schedule, 'update 7 --interval 600');
    tell(schedule, 'repeat 7 off');
    tell(schedule, `update ${single} --interval 600`);
    expect(refused(schedule, 'repeat 7 on')).toBe(full);
  });

  it(`gets no more than ${REMINDERS_MAX} reminders that are to come`, () => {
    tell(todo, 'add one --remind "tomorrow 2pm"');
    const columns = 'owner, session_id, subject, text, nags, first_at, timezone, times, repeats, lead_ms, due_at';
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${REMINDERS_MAX})
      INSERT INTO reminders (${columns}, subject_id) SELECT ${columns}, 10000 + i FROM reminders, n`);
    const full = `There are ${REMINDERS_MAX} reminders already: remove some first, with --remind none.`;
    expect(refused(todo, 'add more --remind "tomorrow 2pm"')).toBe(full);
    expect(refused(schedule, 'add tomorrow 3pm more --remind "tomorrow 2pm"')).toBe(full);
    tell(todo, 'update 1 --remind "tomorrow 3pm"');
    tell(todo, 'update 1 --remind none');
    tell(schedule, 'add tomorrow 3pm more --remind "tomorrow 2pm"');
  });
});
