import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog, type LogOptions } from '../src/lib/log.ts';

const SECRET = 'sk-ant-"quoted"-0123456789';

/** A log whose written text can be read. */
const logInto = (options: Partial<LogOptions> = {}) => {
  const written: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      written.push(String(line));
      done();
    },
  });
  return { log: createLog({ level: 'info', pretty: false, destination, ...options }), text: () => written.join('') };
};

/** A process that logs two lines and exits, once it is written to. */
const PROGRAM = `
  import { createLog } from ${JSON.stringify(new URL('../src/lib/log.ts', import.meta.url).href)};
  const log = createLog({ level: 'info' });
  process.stdin.once('data', () => { log.info('one'); setTimeout(() => { log.info('two'); log.info('three'); process.exit(7); }, 20); });
  console.log('ready');
`;

/** Runs it with this as its standard error. */
const runProgram = async (stderr: 'pipe' | number) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['pipe', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout!, 'data');
  child.stderr?.destroy();
  child.stdin!.end('go');
  return ended;
};

describe('the log', () => {
  it('cuts out what headers and settings keep secret', () => {
    const { log, text } = logInto();
    const headers = { authorization: 'Bearer hidden', 'x-api-key': 'hidden', cookie: 'hidden', accept: 'shown' };
    log.info({ headers, req: { headers }, ...headers, config: { apiKey: 'hidden', apiKeys: ['hidden'] } });
    log.child({ apiKey: 'hidden' }).info({ said: 'what "authorization": is for' });
    expect(text()).not.toContain('hidden');
    expect(JSON.parse(text().split('\n')[1] ?? '')).toMatchObject({ said: 'what "authorization": is for' });
    expect(text().match(/shown/g)).toHaveLength(3);
  });

  it('shows no part of a secret where an error is cut', () => {
    const { log, text } = logInto({ secrets: [SECRET] });
    const long = `${'x'.repeat(15_990)}${SECRET}${'y'.repeat(10_000)}`;
    for (const err of [long, { message: long, body: long }, new Error(long)]) log.warn({ err }, 'failed');
    expect(text()).not.toContain('sk-');
    expect(text()).not.toContain('yyy');
  });

  it('cuts a configured secret out of any text, also in its JSON form', () => {
    const { log, text } = logInto({ secrets: [SECRET, ''] });
    log.info({ body: { said: `my key is ${SECRET}` } }, `the key ${SECRET} was refused`);
    const line = JSON.parse(text());
    expect([line.body.said, line.msg]).toEqual(['my key is [redacted]', 'the key [redacted] was refused']);
  });

  it.each([true, false])('shows a terminal nothing that could steer it (for people: %s)', (pretty) => {
    const { log, text } = logInto({ pretty, secrets: [SECRET] });
    const steers = '\u001b]0;title\u0007\u001b[2J\u009b1A\u202e\u2028';
    log.warn(
      { err: new Error(`no file ${steers}a`), name: `${steers}b` },
      `${steers}c ${SECRET.slice(0, 9)}\u0007${SECRET.slice(9)}`,
    );
    const shown = text().replaceAll(/\u001b\[\d+m/g, '');
    expect(shown).toMatch(/^[\n\x20-\x7e]+$/);
    expect(shown).toContain('no file');
    if (pretty) expect(shown).toContain('c [redacted]');
    else expect(JSON.parse(shown)).toMatchObject({ name: `${steers}b` });
  });

  it('logs what an error is and why, without the fields that an SDK hangs on it', () => {
    const { log, text } = logInto();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    log.error(
      Object.assign(new Error('call failed', { cause }), { status: 500, body: 'hidden', headers: { a: 'hidden' } }),
    );
    expect(JSON.parse(text()).err).toMatchObject({
      type: 'Error',
      message: 'call failed',
      status: 500,
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    });
    expect(text()).not.toContain('hidden');
  });

  it('keeps no process from going on and ending, where its reader has gone or its disk is full', async () => {
    const ends = await Promise.all([runProgram('pipe'), runProgram(openSync('/dev/full', 'w'))]);
    expect(ends).toEqual([
      [7, null],
      [7, null],
    ]);
  });
});
