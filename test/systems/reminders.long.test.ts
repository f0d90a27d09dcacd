import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { entriesOf, readUntil } from '../support/http/event-stream.ts';
import { send } from '../support/http/send-request.ts';
import { type Service, startService } from '../support/service/service.ts';

const MORNING = Date.parse('2026-03-02T08:00:00Z');
const MINUTE = 60_000;
const UTC = { timezone: 'UTC' };

/** A service whose clock the test sets. */
const startAt = async (start: number, script: Parameters<typeof startService>[0] = []) => {
  let time = start;
  const service = await startService(script, {}, { now: () => time });
  return {
    service,
    /** Sets the clock. The service's own timers run on: it reads the clock when one of them, or a change, wakes it. */
    passes: (ms: number) => {
      time += ms;
    },
  };
};

type Reminded = { text: string; due_at: string; late: boolean };
const remindersOf = (entries: TraceEntry[]): Reminded[] =>
  entries.flatMap(({ event }) =>
    event.type === 'reminder.due' ? [{ text: event.text, due_at: event.due_at, late: event.late }] : [],
  );

/** Follows a session's events from its beginning until the reminder of this text comes. */
const until = async (service: Service, session: string, text: string): Promise<Reminded[]> => {
  const stream = await send(Number(new URL(service.url).port), `/v1/sessions/${session}/events`, {
    headers: { 'last-event-id': '0' },
  });
  const isIt = (entry: TraceEntry) => entry.event.type === 'reminder.due' && entry.event.text === text;
  return remindersOf(entriesOf(await readUntil(stream, (message) => message.event === 'trace' && isIt(message.data))));
};

it('one whose time passed while the service was down comes once at the start, marked late, and never again', async () => {
  const { service, passes } = await startAt(MORNING);
  await service.say('s1', '/todo add Call Ada --remind "in 10 minutes"', UTC);
  passes(120 * MINUTE);
  await service.restart();
  const late = { text: 'Call Ada', due_at: '2026-03-02T08:10:00.000Z', late: true };
  expect(await until(service, 's1', 'Call Ada')).toEqual([late]);

  await service.say('s1', '/todo add Call Bob --remind "in 1 minute"', UTC);
  passes(MINUTE);
  await service.restart();
  const both = await until(service, 's1', 'Call Bob');
  expect(both).toEqual([late, { text: 'Call Bob', due_at: '2026-03-02T10:01:00.000Z', late: false }]);
  expect(remindersOf(await service.trace('s1'))).toEqual(both);
});
