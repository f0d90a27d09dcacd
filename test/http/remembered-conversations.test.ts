import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  createRememberedConversations,
  REMEMBERED_CONVERSATIONS_MAX,
} from '../../src/http/remembered-conversations.ts';
import { ask, type OwnerData } from '../../src/lib/questions.ts';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';

const open = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-'));
  const { db, close } = openDatabase({ dataDir });
  const answer = answerQuestions(db);
  const ownerData: OwnerData = { run: async (_owner, work) => db.transaction(() => answer(work())).immediate() };
  onTestFinished(() => {
    close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  let time = 1_000_000;
  return { ownerData, remembered: createRememberedConversations(ownerData, () => ++time) };
};

const MANY = `
  WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < @count)
  INSERT INTO remembered_conversations SELECT @owner, 'old-' || n, 's', NULL, n FROM counted`;

it("drops the owner's oldest beyond its limit, what is pinned never, and nobody else's", async () => {
  const { ownerData, remembered } = open();
  for (const owner of ['ann', 'bob'])
    await ownerData.run(owner, () => ask(MANY, { owner, count: REMEMBERED_CONVERSATIONS_MAX }));
  await remembered.pin('ann', 'deleted', 's');
  await remembered.remember('ann', 'new', { session_id: 's', request_key: null });
  expect(await remembered.recall('ann', 'old-1')).toBeNull();
  expect(await remembered.recall('ann', 'old-2')).not.toBeNull();
  expect(await remembered.recall('ann', 'deleted')).not.toBeNull();
  expect(await remembered.recall('ann', 'new')).not.toBeNull();
  expect(await remembered.recall('bob', 'old-1')).not.toBeNull();
});
