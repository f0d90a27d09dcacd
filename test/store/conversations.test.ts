import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { query } from '../../src/lib/queries.ts';
import { REMEMBERED_CONVERSATIONS_MAX } from '../../src/store/sql/conversations.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';

const open = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-'));
  const opened = openDatabase({ dataDir });
  onTestFinished(() => {
    opened.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return createStore(createSqliteDatabase(opened));
};

const MANY = `
  WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < @count)
  INSERT INTO remembered_conversations SELECT @owner, 'old-' || n, 's', NULL, n FROM counted`;

it("drops the owner's oldest beyond its limit, never a pinned one, and no other owner's", async () => {
  const { ownerData, conversations: remembered } = open();
  for (const owner of ['ann', 'bob'])
    await ownerData.run(owner, () => query(MANY, { owner, count: REMEMBERED_CONVERSATIONS_MAX }));
  await remembered.pin('ann', 'deleted', 's');
  await remembered.remember('ann', 'new', { session_id: 's', request_key: null, at: 1_000_000 });
  expect(await remembered.recall('ann', 'old-1')).toBeNull();
  expect(await remembered.recall('ann', 'old-2')).not.toBeNull();
  expect(await remembered.recall('ann', 'deleted')).not.toBeNull();
  expect(await remembered.recall('ann', 'new')).not.toBeNull();
  expect(await remembered.recall('bob', 'old-1')).not.toBeNull();
});
