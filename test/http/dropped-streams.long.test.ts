import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { readMessages } from '../support/http/event-stream.ts';
import { startHttp } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { say, send } from '../support/http/send-request.ts';
import { seedsOf } from '../support/seeds/seeds.ts';

/** Connections that are lost before the last event. */
const DROPS = 200;

/** Turns that run meanwhile, so that some of the events are there already and others come later. */
const TURNS = 60;

/** Most messages that one connection brings before it is lost. */
const MESSAGES_MAX = 6;

it(`a reader whose connection is lost ${DROPS} times at random gets each event once and in order`, async () => {
  const { first: seed } = seedsOf('DROPS_SEED', 1);
  const lengths = fc.array(fc.integer({ min: 1, max: MESSAGES_MAX }), { minLength: DROPS, maxLength: DROPS });
  const [taken = []] = fc.sample(lengths, { seed, numRuns: 1 });
  const { port, engine } = await startHttp(simpleTask(TURNS));
  await say(port, 's1', 'Put milk on the list');
  const others = (async () => {
    for (let turn = 1; turn < TURNS; turn++) await say(port, 's1', 'Put milk on the list');
  })();

  const entries: TraceEntry[] = [];
  let last = '0';
  for (const messages of taken) {
    const stream = await send(port, '/v1/sessions/s1/events', { headers: { 'last-event-id': last } });
    let left = messages;
    for await (const message of readMessages(stream)) {
      if (message.event === 'trace') entries.push(message.data);
      if ('id' in message) last = message.id;
      left -= 1;
      // To leave the loop is to close the connection.
      if (left === 0) break;
    }
  }
  await others;
  const all = await Array.fromAsync(engine.sessionTrace('local', 's1'));
  const rest = await send(port, '/v1/sessions/s1/events', { headers: { 'last-event-id': last } });
  for await (const message of readMessages(rest)) {
    if (message.event === 'trace') entries.push(message.data);
    if (entries.length >= all.length) break;
  }
  expect(entries).toEqual(all);
});
