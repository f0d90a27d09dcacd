import { AssertionError } from 'node:assert';
import { createReadStream, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseNdjson } from '../../src/history/parse-ndjson.ts';
import { TRACE_BEGIN, TRACE_END } from '../../src/history/saved-page.ts';
import { expectTrace, replayTrace, type TraceSource } from '../../src/testing/testing.ts';
import { goldenFile, goldenLines } from '../support/golden/files.ts';

const file = goldenFile('ask-and-answer', 'jsonl');
const entries = goldenLines('ask-and-answer').length;

const sources: [string, () => TraceSource][] = [
  ['entries', () => goldenLines('ask-and-answer')],
  ['NDJSON text', () => readFileSync(file, 'utf8')],
  ['a path', () => file],
  ['a file URL', () => pathToFileURL(file)],
  [
    'a page of the console',
    () =>
      [
        '<!doctype html><p>',
        TRACE_BEGIN,
        goldenLines('ask-and-answer')
          .map((line) => JSON.stringify(line))
          .join(',\n'),
        TRACE_END,
      ].join('\n'),
  ],
  ['a stream of entries', () => parseNdjson(createReadStream(file))],
];

/** A golden trace whose third entry names another state than it led to. */
const tampered = (): Record<string, unknown>[] =>
  goldenLines('ask-and-answer').map((line, i) => (i === 2 ? { ...line, state: 'done' } : line));

describe('replayTrace', () => {
  it.each(sources)('replays a trace given as %s', async (_, source) => {
    expect(await replayTrace(source())).toEqual({ ok: true, entries, unchained: entries });
  });

  it('refuses anything but a trace, and says if there is no file', async () => {
    await expect(replayTrace('{"v":1')).rejects.toMatchObject({ code: 'TRACE_NOT_READABLE' });
    await expect(replayTrace([])).rejects.toMatchObject({ code: 'TRACE_NOT_READABLE' });
    await expect(replayTrace('/nowhere/trace.ndjson')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('expectTrace(…).toReplay()', () => {
  it('fails with the seq, what was expected and what is there, at the line of the test', async () => {
    const failed = await expectTrace(tampered())
      .toReplay()
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AssertionError);
    expect(failed).toMatchObject({
      message: expect.stringContaining('seq 3: state'),
      actual: 'done',
      expected: expect.any(String),
      operator: 'toReplay',
    });
  });
});
