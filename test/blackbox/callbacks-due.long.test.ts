import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { longestBlock } from '../support/longest-block.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';
import { startService } from '../support/service/service.ts';

it('has no more than a few posts open at once with thousands due at a start, and serves requests meanwhile', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-callbacks-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const pending: ServerResponse[] = [];
  let isAccepting = false;
  const receiver = await startReceiver(
    Array.from({ length: 10_000 }, () => (response) => {
      if (isAccepting) response.writeHead(204).end();
      else pending.push(response);
    }),
  );
  const service = await startService([], { ...LOCAL_RECEIVER, TRIPACT_DATA_DIR: dataDir });
  const { id } = await service.say('s1', '/todo list');
  const other = new Database(join(dataDir, 'tripact.db'));
  other
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
       INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, state, due_at, created_at)
       SELECT turn_id || n, owner, owner, session, 'turn.finished', ?, turn_id, 'pending', n, created_at
       FROM turns, numbers WHERE turn_id = ?`,
    )
    .run(receiver.url, id);
  other.close();
  await service.restart();
  await expect.poll(() => pending.length).toBe(16);
  const longest = await longestBlock(async () => {
    for (let i = 0; i < 50; i += 1) expect(await service.say(`s${i}`, '/status')).toMatchObject({ status: 'ran' });
  });
  expect(longest).toBeLessThan(50);
  expect(pending).toHaveLength(16);
  isAccepting = true;
  for (const response of pending) response.writeHead(204).end();
  // The next ones follow as soon as these are settled, in the order in which they are due.
  const keys = (await receiver.posts(200)).map(({ id }) => id);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(keys.slice(0, 16))).toEqual(new Set(Array.from({ length: 16 }, (_, n) => `${id}${n + 1}`)));
});
