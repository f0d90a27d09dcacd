import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { showSessions } from '../../src/cli/sessions.ts';

const AT = '2026-11-21T00:00:00Z';
const SESSION: SessionView = {
  ...{ session_id: 's1', timezone: 'UTC', phase: null, active_task: null, queue: [], last_seq: 1 },
  ...{ created_at: AT, updated_at: AT },
};

it('reads no more than some pages of what waits where they never end, says so, and lists the sessions', async () => {
  let pages = 0;
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/v1/sessions')) response.end(JSON.stringify({ sessions: [SESSION], next: null }));
    else {
      pages += 1;
      response.end(JSON.stringify({ tasks: [], next: '1' }));
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const noted = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void [printed, noted].map((spy) => spy.mockRestore()));
  await showSessions({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect(pages).toBe(200);
  expect(noted.mock.calls.join()).toContain('WAITS FOR is not complete');
  expect(printed.mock.calls.join()).toContain('s1');
});
