import type { ListTasksRequest } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { listTasks } from '../../src/http/protocols/a2a/list-tasks.ts';
import type { Conversations } from '../../src/http/protocols/port.ts';

/** As many sessions as an owner may have. */
const SESSIONS = 100_000;

const request = { contextId: '', status: 0, pageToken: '' } as ListTasksRequest;

/** Sessions without a task, one a page, and how many were read. */
const emptySessions = () => {
  const read = { sessions: 0 };
  const conversations = {
    sessions: async (_owner: string, { after = '0' }: { after?: string }) => {
      const next = Number(after) + 1;
      read.sessions += 1;
      return { items: [{ session_id: `s${next}` }], next: next < SESSIONS ? String(next) : null };
    },
    tasks: async () => ({ items: [], next: null }),
    countTasks: async () => [],
  } as unknown as Conversations;
  return { read, conversations };
};

it('reads a bounded number of sessions for one page, and goes on from there', async () => {
  const { read, conversations } = emptySessions();
  const page = await listTasks(conversations, 'ann', request);
  expect(page).toMatchObject({ tasks: [], nextPageToken: '1000' });
  expect(read.sessions).toBe(1_000);
  const second = await listTasks(conversations, 'ann', { ...request, pageToken: page.nextPageToken });
  expect(second.nextPageToken).toBe('2000');
});
