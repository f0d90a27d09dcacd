import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { entryTexts, storedTexts } from '../../src/store/sql/entries.ts';
import { pack, unpack } from '../../src/store/sql/frames.ts';
import { goldenLines } from '../support/golden/files.ts';

const traces = readdirSync(new URL('../traces', import.meta.url)).filter((file) => file.endsWith('.jsonl'));
const entries = traces.flatMap((file) => goldenLines(file.replace('.jsonl', '')) as TraceEntry[]);

const stored = (event: object, effects: unknown): ReturnType<typeof storedTexts> =>
  storedTexts(event, { event: JSON.stringify(event), effects: JSON.stringify(effects) });

describe('What is stored of an entry', () => {
  it('is read again to the letter', () => {
    for (const { event, effects } of entries)
      expect(entryTexts(stored(event, effects))).toEqual({
        event: JSON.stringify(event),
        effects: effects.length === 0 ? null : JSON.stringify(effects),
      });
  });

  it('is smaller by its fixed words, and by what its effect says again', () => {
    const input = 'x'.repeat(1_000);
    const thought = { status: 'continue', current_step: 'Dig', next_action: { tool: 'dig', input } };
    const event = { type: 'thought.made', effect: 2, reader: 'strict', usage: { input_tokens: 1 }, ...thought };
    const params = { tool: 'dig', input, item_id: '1', executor: 'default' };
    const kept = stored(event, [{ effect: 3, type: 'tool.call', params }]);
    expect(kept.event.length).toBeLessThan(1_060);
    expect(kept.effects!.length).toBeLessThan(20);
    expect(JSON.parse(entryTexts(kept).effects!)).toEqual([{ effect: 3, type: 'tool.call', params }]);
  });

  it('is read by later versions too: a frame may be added, none changed', () => {
    const frames = Array.from({ length: 9 }, (_, number) => unpack(`${number}${'\u0001|'.repeat(100)}`));
    expect(frames.map((frame) => hash('sha256', frame).slice(0, 12))).toEqual([
      '357eae2dda63',
      'd8a97713290e',
      'dcea18b6c091',
      '33c929e5d91f',
      'b45ead210293',
      'd4d3064a8c2a',
      'c9384752433f',
      'fa5d7a31b788',
      '459798bad1af',
    ]);
  });

  it('is as it was where no version has a frame for it', () => {
    for (const text of ['{"type":"reminder.due"}', '[]', '{}']) expect(unpack(pack(text))).toBe(text);
  });

  it('is not mistaken where texts of users look like a frame', () => {
    const event = {
      type: 'thought.made',
      effect: 1,
      current_step: '\u0001\u0002","next_action":{"tool":"',
      next_action: null,
    };
    expect(entryTexts(stored(event, [])).event).toBe(JSON.stringify(event));
  });
});
