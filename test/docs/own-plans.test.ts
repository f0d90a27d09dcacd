import { expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { openLocalService } from '../support/cli/local-service.ts';
import { fencedBlocks } from './fenced-blocks.ts';

it("http-api.md's plan is carried out as it stands", async () => {
  const url = await openLocalService();
  const [block = ''] = fencedBlocks('docs/http-api.md', 'sh').filter((text) => text.includes('"plan"'));
  const [, path = ''] = /8787(\S+)/.exec(block) ?? [];
  const [, body = ''] = /-d '([^']*)'/.exec(block) ?? [];
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const { task, output } = (await response.json()) as TurnView;
  expect(task?.plan).toMatchObject([
    { id: 'list', status: 'completed' },
    { id: 'call', depends_on: ['list'], status: 'completed' },
  ]);
  expect(output).toMatch(/milk[\s\S]*call Ann/);
});
