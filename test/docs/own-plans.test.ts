import { expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { openLocalService } from '../support/cli/local-service.ts';
import { fencedBlocks } from './fenced-blocks.ts';

const headers = { 'content-type': 'application/json' };

/** Carries out the calls of a block. */
const carriedOut = async (url: string, block: string): Promise<TurnView[]> => {
  const replies: TurnView[] = [];
  for (const [, path, body] of block.matchAll(/8787(\S+)[^']*'[^']*' -d '([^']*)'/g)) {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: String(body) });
    replies.push((await response.json()) as TurnView);
  }
  return replies;
};

it("http-api.md's plan is carried out as it stands", async () => {
  const url = await openLocalService();
  const [block = ''] = fencedBlocks('docs/http-api.md', 'sh').filter((text) => text.includes('"plan"'));
  const [turn] = await carriedOut(url, block);
  const { task, output } = turn!;
  expect(task?.plan).toMatchObject([
    { id: 'list', status: 'completed' },
    { id: 'call', depends_on: ['list'], status: 'completed' },
  ]);
  expect(output).toMatch(/milk[\s\S]*call Ann/);
});

it("http-api.md's named plan runs with its value", async () => {
  const url = await openLocalService();
  const [block = ''] = fencedBlocks('docs/http-api.md', 'sh').filter((text) => text.includes('/plans/party/run'));
  const [, turn] = await carriedOut(url, block);
  expect(turn?.task).toMatchObject({ goal: 'A party for Ann' });
  expect(turn?.output).toMatch(/cake for Ann[\s\S]*call Ann/);
});
