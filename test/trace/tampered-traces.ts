import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';
import { type Line, tamperings, withOtherParams } from '../support/golden/tampering.ts';

const seqOf = (line: Line | undefined): unknown => line?.['seq'];

/** Each golden trace with each of its lines, by place. */
const everyLine = goldenNames.flatMap((name) => {
  const lines = goldenLines(name);
  return lines.map((line, place) => ({ name, lines, line, place }));
});

/** Tests that a replay finds whatever was tampered with, in each `nth` line that it is possible in. */
export const tamperedTraces = (nth: number): void => {
  const someLines = everyLine.filter((_, i) => i % nth === 0);

  describe.each(Object.entries(tamperings))('a golden trace with %s', (_what, tamper) => {
    it('fails at the line that was tampered with, wherever that is', async () => {
      let tried = 0;
      for (const { name, lines, line, place } of everyLine) {
        const tampered = tamper(line);
        if (tampered === null) continue;
        tried += 1;
        if (tried % nth !== 0) continue;
        const result = await replay(lines.with(place, tampered));
        expect({ name, place, result }).toMatchObject({ result: { ok: false, seq: seqOf(line) } });
      }
      expect(tried).toBeGreaterThanOrEqual(nth);
    });
  });

  describe('a golden trace', () => {
    it('with any parameter of any effect changed fails at that line', async () => {
      for (const { name, lines, line, place } of someLines)
        for (const tampered of withOtherParams(line)) {
          const outcome = await replay(lines.with(place, tampered)).catch((error: unknown) => error);
          const isNamed = { name, outcome };
          if (outcome instanceof Error) expect(isNamed).toMatchObject({ outcome: { code: 'TRACE_NOT_READABLE' } });
          else expect(isNamed).toMatchObject({ outcome: { ok: false, seq: seqOf(line) } });
        }
    });

    it('with any line but the last left out fails', async () => {
      for (const { name, lines, place } of someLines) {
        if (place === lines.length - 1) continue;
        const result = await replay(lines.toSpliced(place, 1));
        expect({ name, place, result }).toMatchObject({ result: { ok: false } });
      }
    });

    it('known to be a whole session fails at the very line that follows the one left out', async () => {
      for (const { name, lines, place } of someLines) {
        if (place === lines.length - 1) continue;
        const result = await replay(lines.toSpliced(place, 1), { gapless: true });
        expect({ name, place, result }).toMatchObject({ result: { ok: false, seq: seqOf(lines[place + 1]) } });
      }
    });

    it('with any two lines in a row swapped fails at the one that came too early', async () => {
      for (const { name, lines, line, place } of someLines) {
        const next = lines[place + 1];
        if (next === undefined) continue;
        const result = await replay(lines.with(place, next).with(place + 1, line));
        expect({ name, place, result }).toMatchObject({ result: { ok: false, seq: seqOf(next) } });
      }
    });

    it('with any line written twice fails at its repetition', async () => {
      for (const { name, lines, line, place } of someLines) {
        const result = await replay(lines.toSpliced(place, 0, line));
        expect({ name, place, result }).toMatchObject({ result: { ok: false, seq: seqOf(line) } });
      }
    });
  });
};
