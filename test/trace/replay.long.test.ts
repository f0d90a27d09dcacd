import { expect, it } from 'vitest';
import { parseNdjson } from '../../src/engine/replay/parse-ndjson.ts';
import { replay } from '../../src/engine/replay/replay.ts';
import { BLOCKED_MS_MAX } from '../expressions/blocked-for.ts';
import { goldenLines } from '../support/golden/files.ts';
import { longestBlock } from '../support/longest-block.ts';

it('replay of a long trace lets other work in between', async () => {
  const one = goldenLines('straight-answer').map((line) => JSON.stringify(line));
  const lines = function* (): Generator<string> {
    for (let i = 0; i < 1_000; i++)
      yield `${one.map((line) => line.replaceAll('task_1', `task_${i}`).replaceAll(/"session_id":"[^"]+"/g, `"session_id":"s${i}"`)).join('\n')}\n`;
  };
  await replay(parseNdjson(lines()));
  expect(await longestBlock(() => replay(parseNdjson(lines())))).toBeLessThan(BLOCKED_MS_MAX);
});
