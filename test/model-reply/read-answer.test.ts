import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX, REASON_CHARS_MAX } from '../../contracts/limits.ts';
import { REPLY_CHARS_MAX } from '../../src/models/reply/find-objects.ts';
import { type ReadCase, readPlan, readReplan, readThought } from './read-answer-case.ts';
import { plans, replans } from './read-answer-cases-plan.ts';
import { refusedPlans, refusedReplans, refusedThoughts } from './read-answer-cases-refused.ts';
import { signalledThoughts } from './read-answer-cases-signal.ts';
import { writtenThoughts } from './read-answer-cases-thought.ts';

describe.each([
  ['thought', readThought, [...writtenThoughts, ...signalledThoughts], refusedThoughts],
  ['plan', readPlan, plans, refusedPlans],
  ['replan', readReplan, replans, refusedReplans],
] as const)('a %s', (_contract, read, cases, refused) => {
  test.each<ReadCase<unknown>>(cases)('is read from $reader: $name', ({ text, reader, answer }) => {
    expect(read(text)).toEqual({ ok: true, reader, answer });
  });

  test.each(refused)('is refused that is $name', ({ text, reason }) => {
    expect(read(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});

describe('the reason for a refusal', () => {
  const SECRET = 'hunter2';

  test.each([
    `{"status":"${SECRET}"}`,
    `{"status":"done","next_action":"${SECRET}"}`,
    `{"control":"${SECRET}","${SECRET}":1}`,
    `{"status":"done","a":${SECRET}}`,
    `{"a":"${SECRET}"} {"a":1}`,
    `${SECRET} {"cut": "${SECRET}`,
    `"${SECRET}"`,
    `Sorry: ${SECRET}`,
  ])('never quotes the text: %s', (text) => {
    for (const read of [readPlan, readThought, readReplan]) {
      const reading = read(text);
      expect(reading).toEqual({ ok: false, reason: expect.stringMatching(/\S/) });
      expect(JSON.stringify(reading)).not.toContain(SECRET);
    }
  });

  test('names the first broken fields, counts the rest and stays short', () => {
    const reading = readPlan(JSON.stringify({ status: 'planned', plan: Array(100).fill({ id: [], step: 'x' }) }));
    expect(reading).toEqual({ ok: false, reason: expect.stringMatching(/^plan\.0\.id: .*; and 95 more$/) });
    expect(JSON.stringify(reading).length).toBeLessThan(REASON_CHARS_MAX);
  });
});

describe('an answer at its limits', () => {
  const nested = (levels: number): string => `{"status":"done","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const long = (chars: number): string => `{"status":"done"${' '.repeat(chars - 17)}}`;

  test('is read up to them', () => {
    expect(readThought(nested(JSON_DEPTH_MAX))).toMatchObject({ ok: true, reader: 'strict' });
    expect(readThought(long(REPLY_CHARS_MAX))).toMatchObject({ ok: true, reader: 'strict' });
  });

  test.each([
    ['depth', nested(JSON_DEPTH_MAX + 1), /64 levels/],
    ['length', long(REPLY_CHARS_MAX + 1), /longer/],
    ['open braces', '{'.repeat(99_000), /cut off/],
    ['open objects', '{"a":'.repeat(19_000), /64 levels/],
    ['open lists', '['.repeat(99_000), /neither/],
  ])('is refused above its %s', (_limit, text, reason) => {
    expect(readThought(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});
