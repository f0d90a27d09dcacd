import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask, dial, say, untilHangup } from '../support/http/send-request.ts';
import { someSession, someTurn, stubEngine } from '../support/http/stub-engine.ts';

const POST = 'POST /v1/sessions/s1/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

describe('a caller', () => {
  it('that sends its headers too slowly gets an error and is cut off', async () => {
    const { port } = await startHttpOn(stubEngine({}), { limits: { headersTimeoutMs: 50 } });
    const reply = await untilHangup(await dial(port, 'GET /healthz HTTP/1.1\r\nHost: loc'));
    expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(reply).toContain('application/problem+json');
  });

  it('that sends its body too slowly gets an error and is cut off, and one that waits for its reply is not', async () => {
    const finished = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const engine = stubEngine({
      submit: async () => ({ turn: someTurn(false), isNew: true }),
      wait: async () => {
        waiting.resolve();
        await finished.promise;
        return someTurn(true);
      },
    });
    const { port } = await startHttpOn(engine, { limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
    const patient = say(port, 's1', 'hello');
    await waiting.promise;
    const reply = await untilHangup(await dial(port, `${POST}Content-Length: 100\r\n\r\n{"inp`));
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    finished.resolve();
    expect((await patient).turn).toMatchObject({ status: 'answered' });
  });

  it('that speaks no HTTP gets a problem and is cut off', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    expect(await untilHangup(await dial(port, 'hello?\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 .*"status":400/s);
  });

  it('that turns to nonsense while it is sent events is cut off in their midst', async () => {
    const engine = stubEngine({
      session: async () => someSession(0),
      follow: async function* (_owner, _session, _after, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const { port } = await startHttpOn(engine);
    const socket = await dial(port, 'GET /v1/sessions/s1/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [first] = await once(socket, 'data');
    socket.write('hello?\r\n\r\n');
    expect(`${first}${await untilHangup(socket)}`.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  it('with endless headers gets a problem and is cut off', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const text = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`;
    expect(await untilHangup(await dial(port, text))).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('is served while 300 others hold idle connections', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const idle: Socket[] = await Promise.all(Array.from({ length: 300 }, () => dial(port, '')));
    expect((await ask(port, '/healthz')).status).toBe(200);
    const last = idle.at(-1)!;
    last.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await untilHangup(last)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of idle) socket.destroy();
  });
});

describe('a reader that never reads its event stream', () => {
  /** More than all buffers between the two ends hold. */
  const ENTRY_CHARS = 100_000;
  const ENTRIES_MAX = 500;

  it('makes the service hold no more than a few entries, and is cut off', async () => {
    let pulled = 0;
    const cut = Promise.withResolvers<void>();
    const engine = stubEngine({
      session: async () => someSession(1_000_000),
      follow: async function* (_owner, _session, after, signal) {
        signal.addEventListener('abort', () => cut.resolve());
        for (let seq = after + 1; ; seq += 1) {
          pulled += 1;
          yield reminder(seq);
        }
      },
    });
    const { port } = await startHttpOn(engine, { limits: { stallMs: 200 } });
    const socket = await dial(port, 'GET /v1/sessions/s1/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await cut.promise;
    expect(pulled).toBeGreaterThan(1);
    expect(pulled).toBeLessThan(ENTRIES_MAX);
    socket.destroy();
  });

  it('is cut off in any other reply too, and not before it has stalled that long', async () => {
    const stallMs = 400;
    const cut = Promise.withResolvers<void>();
    const engine = stubEngine({
      task: () => undefined as never,
      taskTrace: async function* () {
        try {
          for (let seq = 1; ; seq += 1) yield reminder(seq) as never;
        } finally {
          cut.resolve();
        }
      },
    });
    const { port } = await startHttpOn(engine, { limits: { stallMs } });
    const began = performance.now();
    const socket = await dial(port, 'GET /v1/tasks/task_1/trace HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await cut.promise;
    expect(performance.now() - began).toBeGreaterThanOrEqual(stallMs);
    socket.destroy();
  });

  const reminder = (seq: number): TraceEntry => ({
    v: 1,
    seq,
    at: '2026-01-05T09:00:00.000Z',
    session_id: 's1',
    machine: 'tripact-task@1',
    task_id: null,
    event: {
      type: 'reminder.due',
      reminder_id: 1,
      subject: 'todo',
      subject_id: 1,
      text: 'x'.repeat(ENTRY_CHARS),
      due_at: '2026-01-05T09:00:00.000Z',
      late: false,
    },
    state: null,
    step_count: null,
    effects: [],
  });
});
