import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { narrateSessionEntry } from '../../src/history/narration.ts';
import { entriesOf, type ReadMessage, readBlocks, readUntil } from '../support/http/event-stream.ts';
import { startHttp, startHttpOn } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { dial, say, send } from '../support/http/send-request.ts';
import { someSession, stubEngine } from '../support/http/stub-engine.ts';

/** Trace entries of a simple task. */
const LAST = 6;

const EVENTS = '/v1/sessions/s1/events';

const isAfter = (seq: number) => (message: ReadMessage) => message.event === 'progress' && message.id === `${seq}`;

/** A running HTTP app whose session has one simple task. */
const openFilled = async () => {
  const running = await startHttp(simpleTask(2));
  await say(running.port, 's1', 'Put milk on the list');
  return running;
};

const readFrom = async (port: number, path: string, headers = {}): Promise<ReadMessage[]> =>
  readUntil(await send(port, path, { headers }), isAfter(LAST));

describe("a session's events", () => {
  it('are its trace from the beginning, each entry directly followed by its progress under the same id', async () => {
    const { port, engine } = await openFilled();
    const messages = await readFrom(port, EVENTS);
    expect(entriesOf(messages)).toEqual(await Array.fromAsync(engine.sessionTrace('local', 's1')));
    let entry: TraceEntry | undefined;
    for (const message of messages) {
      if (message.event === 'trace') entry = message.data;
      expect(message).toMatchObject({ id: `${entry?.seq}` });
      if (message.event === 'progress') expect(message.data.task_id).toBe(entry?.task_id);
    }
    expect(messages).toContainEqual({
      event: 'progress',
      id: '3',
      data: { kind: 'action', text: expect.stringContaining('todo -> add milk'), task_id: entry?.task_id },
    });
  });

  it('resume at every place without gap or repeat, and with the progress that was left', async () => {
    const { port } = await openFilled();
    const whole = await readFrom(port, EVENTS);
    for (let seq = 1; seq < LAST; seq += 1) {
      const rest = whole.filter((message) => 'id' in message && Number(message.id) > seq);
      expect(await readFrom(port, EVENTS, { 'last-event-id': `${seq}` })).toEqual(rest);
      expect(await readFrom(port, `${EVENTS}?after=${seq}`)).toEqual(rest);
    }
    const both = await readFrom(port, `${EVENTS}?after=1`, { 'last-event-id': '4' });
    expect(entriesOf(both).map(({ seq }) => seq)).toEqual([5, 6]);
  });
});

describe('an event stream', () => {
  const silent = () => {
    const ended = Promise.withResolvers<void>();
    const engine = stubEngine({
      session: async () => someSession(0),
      followLive: async function* (_owner, _session, _after, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended.resolve();
      },
    });
    return { engine, ended: ended.promise };
  };

  it('says that it lives while nothing happens', async () => {
    const { port } = await startHttpOn(silent().engine, { limits: { heartbeatMs: 5 } });
    const blocks: string[] = [];
    for await (const block of readBlocks(await send(port, EVENTS))) if (blocks.push(block) === 4) break;
    expect(blocks).toEqual(['retry: 2000', ': heartbeat', ': heartbeat', ': heartbeat']);
  });

  it('is given up when its reader goes', async () => {
    const { engine, ended } = silent();
    const { port } = await startHttpOn(engine);
    (await send(port, EVENTS)).destroy();
    await ended;
  });

  it('ends without a trace of success when its entries cannot be read', async () => {
    const engine = stubEngine({
      session: async () => someSession(0),
      // biome-ignore lint/correctness/useYield: it fails before
      followLive: async function* () {
        throw new Error('disk on fire');
      },
    });
    const { port, logged } = await startHttpOn(engine);
    await expect(send(port, EVENTS).then((stream) => readUntil(stream, () => false))).rejects.toThrow();
    expect(logged()).toContainEqual(
      expect.objectContaining({ msg: 'event stream failed', session_id: 's1', level: 50 }),
    );
  });

  it('whose reader never reads makes the service keep only a few entries, and is cut off', async () => {
    const at = '2026-01-05T09:00:00.000Z';
    const reminder = {
      type: 'reminder.due',
      reminder_id: 1,
      subject: 'todo',
      subject_id: 1,
      due_at: at,
      late: false,
    } as const;
    let pulled = 0;
    const cut = Promise.withResolvers<void>();
    const engine = stubEngine({
      session: async () => someSession(1_000_000),
      followLive: async function* (_owner, session_id, after, signal) {
        signal.addEventListener('abort', () => cut.resolve());
        for (let seq = after + 1; ; seq += 1) {
          pulled += 1;
          const event = { ...reminder, text: 'x'.repeat(100_000) };
          yield narrateSessionEntry({
            v: 1,
            seq,
            at,
            session_id,
            machine: 'tripact-task@1',
            event,
            task_id: null,
            state: null,
            step_count: null,
            effects: [],
          });
        }
      },
    });
    const { port } = await startHttpOn(engine, { limits: { stallMs: 200 } });
    const socket = await dial(port, `GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.pause();
    await cut.promise;
    expect(pulled).toBeGreaterThan(1);
    expect(pulled).toBeLessThan(500);
    socket.destroy();
  });
});
