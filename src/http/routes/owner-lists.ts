import type { Page, PageRequest } from '../../lib/page.ts';
import type { OwnerData, Queries } from '../../lib/queries.ts';
import { goalStore, goalView } from '../../tools/schedule/goals.ts';
import { eventView, scheduleStore } from '../../tools/schedule/schedule-store.ts';
import { todoStore, todoView } from '../../tools/todo/todo-store.ts';
import type { OwnerLists } from './port.ts';

/** Reads an owner's todos, schedule and goals by page, in the order of their creation. Changes nothing. */
export const createOwnerLists = (ownerData: OwnerData): OwnerLists => {
  const pages =
    <Item extends { id: number }, View>(
      after: (owner: string, id: number, limit: number) => Queries<Item[]>,
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
