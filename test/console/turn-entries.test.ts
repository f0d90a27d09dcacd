import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../contracts/stream.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { createTurnEntries } = await import('../../src/console/chat/turn-entries.ts');

const entry = (id: number): SessionMessage =>
  ({ event: 'trace', id, data: { seq: id, task_id: 't1' } }) as unknown as SessionMessage;

describe('the entries of a turn', () => {
  it('are in order, each once, also where the past is read while new ones arrive', () => {
    const { entries, take } = createTurnEntries('t1');
    take([entry(7)]);
    take([entry(8)]);
    take([entry(1), entry(2), entry(7)]);
    take([entry(8), entry(9)]);
    take([entry(10)]);
    expect(entries.value.map(({ seq }) => seq)).toEqual([1, 2, 7, 8, 9, 10]);
  });

  it('are those of its task', () => {
    const { entries, take } = createTurnEntries('t2');
    take([entry(1)]);
    expect(entries.value).toEqual([]);
  });
});
