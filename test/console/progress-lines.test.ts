import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../contracts/stream.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { createProgressLines } = await import('../../src/console/chat/progress-lines.ts');

const line = (id: number, text: string): SessionMessage => ({
  event: 'progress',
  id,
  data: { kind: 'action', text, task_id: 't1' },
});

describe('the lines of a turn', () => {
  it('are in the order of their entries, each once, also where the past is read while new ones arrive', () => {
    const { lines, take } = createProgressLines('t1');
    take([line(7, 'g'), line(7, 'G')]);
    take([line(8, 'h')]);
    take([line(1, 'a'), line(2, 'b'), line(7, 'g')]);
    take([line(8, 'h'), line(9, 'i')]);
    take([line(10, 'j')]);
    expect(lines.value.map(({ text }) => text)).toEqual(['a', 'b', 'g', 'G', 'h', 'i', 'j']);
  });

  it('are those of its task', () => {
    const { lines, take } = createProgressLines('t2');
    take([line(1, 'a')]);
    expect(lines.value).toEqual([]);
  });
});
