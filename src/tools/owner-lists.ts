import type { ScheduleEventView, TodoView } from '../../contracts/http.ts';
import { iso, isoOrNull } from '../lib/iso-time.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { Asking, OwnerData } from '../lib/questions.ts';
import { isRepeating } from '../when/series.ts';
import { goalStore, goalView } from './schedule/goals.ts';
import { type ScheduleEvent, scheduleStore } from './schedule/schedule-store.ts';
import { type Todo, todoStore } from './todo/todo-store.ts';

const MINUTE_MS = 60_000;

const todoView = ({ id, text, done_at, due_at, due_date, priority, tags }: Todo): TodoView => ({
  ...{ id, text, done: done_at !== null, done_at: isoOrNull(done_at) },
  ...{ due_at: isoOrNull(due_at), due_date, priority, tags },
});

const eventView = ({ id, title, series, duration_minutes, repeats }: ScheduleEvent): ScheduleEventView => {
  const { first_at, timezone, rrule, interval_minutes, times } = series;
  return {
    ...{ id, title, start: iso(first_at), end: iso(first_at + duration_minutes * MINUTE_MS), timezone },
    ...{ rule: rrule, interval_minutes, times: times === -1 ? null : times },
    repeats: repeats && isRepeating(series),
  };
};

/** Reads an owner's todos, schedule and goals by page, in the order of their creation. Changes nothing. */
export const createOwnerLists = (ownerData: OwnerData) => {
  const pages =
    <Item extends { id: number }, View>(
      after: (owner: string, id: number, limit: number) => Asking<Item[]>,
      view: (item: Item) => View,
    ) =>
    async (owner: string, { limit, after: cursor = '0' }: PageRequest): Promise<Page<View>> => {
      const items = await ownerData.run(null, () => after(owner, Math.trunc(Number(cursor)), limit));
      return { items: items.map(view), next: items.length < limit ? null : String(items.at(-1)!.id) };
    };
  return {
    todos: pages(todoStore.after, todoView),
    schedule: pages(scheduleStore.after, eventView),
    goals: pages(goalStore.after, goalView),
  };
};
