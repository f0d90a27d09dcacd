import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThoughtAnswer } from '../../contracts/answer.ts';
import { respell } from '../../src/models/reply/respell.ts';
import { losslessDamages } from './damage/lossless.ts';
import { JSON_STYLE, print, type Style } from './damage/odd-print.ts';
import { readPlan, readReplan, readThought } from './read-answer-case.ts';

/** Pieces that a reader could take for structure; within a string all of them are text. */
const temptation = fc.constantFrom(
  '```',
  '```json\n',
  '<think>',
  '</think>',
  '{"status":"done"}',
  '"',
  "'",
  '\\',
  '}',
  '{',
  '[Done]',
  '\n',
  '“',
  '//',
  '/*',
  '...',
);
const text = fc
  .array(fc.oneof(temptation, fc.string({ unit: 'binary', maxLength: 12 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((joined) => joined.trim() !== '');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const tool = fc.stringMatching(/^[a-z_]{1,20}$/);
const nothing = { current_step: null, next_action: null, question: null, response: null };

const thought: fc.Arbitrary<ThoughtAnswer> = fc.oneof(
  fc.record({ current_step: text, tool, input: text }).map(({ current_step, ...next_action }) => ({
    ...nothing,
    status: 'continue' as const,
    current_step,
    next_action,
  })),
  fc
    .record({ current_step: text, question: text })
    .map((asked) => ({ ...nothing, status: 'ask_user' as const, ...asked })),
  fc
    .record({ current_step: maybe(text), response: maybe(text) })
    .map((said) => ({ ...nothing, status: 'done' as const, ...said })),
);

const PYTHON = { true: 'True', false: 'False', null: 'None' };
const styles: Partial<Style>[] = [
  { quotes: ["'", "'"], words: PYTHON, gap: ' ' },
  { bareKeys: true, objectCommas: 'trailing', gap: '\n' },
  { quotes: ['“', '”'], comma: '，', colon: '：' },
  { objectCommas: 'none after closers', listCommas: 'none after closers' },
  { objectCommas: 'trailing', gap: ' /* x */ ' },
  { listCommas: 'trailing', gap: '\u200B' },
];

/** Prose without anything that opens a value, a fence or a think block. */
const prose = fc.stringMatching(/^[\p{L} .,:;!?'"()\n，。：“”-]{0,60}$/u);

describe('any thought', () => {
  test('in any odd spelling is read as it is, or refused', () => {
    fc.assert(
      fc.property(thought, fc.constantFrom(...losslessDamages), (given, [, damage]) => {
        const spelled = damage(given);
        const reading = spelled === null ? null : readThought(spelled);
        if (reading?.ok) expect(reading.answer).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same to every reader that takes it', () => {
    fc.assert(
      fc.property(thought, fc.constantFrom(...styles), (given, style) => {
        const spelled = print(given, { ...JSON_STYLE, ...style });
        const readings = [spelled, `\`\`\`\n${spelled}\n\`\`\``, `So:\n${spelled}`, `<think>no</think>${spelled}`].map(
          readThought,
        );
        for (const reading of readings) if (reading.ok) expect(reading.answer).toEqual(given);
        expect(new Set(readings.map(({ ok }) => ok)).size).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  test('cut anywhere before its end is never accepted', () => {
    fc.assert(
      fc.property(thought, fc.constantFrom({}, ...styles), (given, style) => {
        const whole = print(given, { ...JSON_STYLE, ...style });
        for (let length = 0; length < whole.length; length += 1)
          for (const read of [readThought, readPlan, readReplan])
            expect(read(whole.slice(0, length)).ok, whole.slice(0, length)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  // A mark at the end of a line says done where no object is.
  test('without marks that lost a sign of its structure is never read as another', () => {
    fc.assert(
      fc.property(thought, fc.nat(), (given, at) => {
        const whole = JSON.stringify(given);
        fc.pre(!whole.includes('[Done]'));
        const signs = [...whole.replaceAll(/"(?:[^"\\]|\\.)*"/g, (all) => `"${'x'.repeat(all.length - 2)}"`)];
        const places = signs.flatMap((sign, i) => ('"{}[]:'.includes(sign) ? [i] : []));
        const from = places[at % places.length]!;
        const reading = readThought(whole.slice(0, from) + whole.slice(from + 1));
        if (reading.ok) expect(reading.answer).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });

  test('beside a different one is never accepted', () => {
    fc.assert(
      fc.property(thought, thought, prose, (one, other, between) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(readThought(`${JSON.stringify(one)}${between}${JSON.stringify(other)}`).ok).toBe(false);
      }),
    );
  });
});

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (object, space) => {
      const json = JSON.stringify(object, null, space);
      fc.pre(!/__proto__|constructor|prototype/.test(json));
      expect(respell(json, 0)).toEqual({ value: JSON.parse(json), end: json.length, isJson: true });
    }),
    { numRuns: 500 },
  );
});

test('any text is read or refused without an exception, and what is read keeps the contract', () => {
  const piece = fc.oneof(temptation, fc.constantFrom('"status":', '"done"', ',', ':', ']', '[', ' ', 'x'), fc.string());
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const reading = readThought(pieces.join(''));
      if (reading.ok) expect(ThoughtAnswer.safeParse(reading.answer).success).toBe(true);
      else expect(reading.reason).not.toBe('');
    }),
    { numRuns: 2_000 },
  );
});
