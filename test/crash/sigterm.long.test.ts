import { expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { delayed } from '../support/anthropic/answers.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';
import { startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { answer, done, plan } from '../support/service/service.ts';

const startModel = async (script: MessagesScript): Promise<MessagesServer> => {
  const model = await startMessagesServer(script);
  onTestFinished(() => model.close());
  return model;
};

const startOn = (cwd: string, model: MessagesServer) =>
  startServe({
    cwd,
    env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url, TRIPACT_LOG_LEVEL: 'info' },
  });

/** Sends a turn under a key, so that it is the same turn after a restart. */
const send = (url: string, session: string, key: string, prefer = 'respond-async'): Promise<Response> =>
  fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, prefer },
    body: JSON.stringify({ input: 'Put the kettle on' }),
  });

it('by SIGTERM in mid-turn the service refuses new turns, keeps the answer in flight, and continues after the restart', async () => {
  const gate = Promise.withResolvers<void>();
  const model = await startModel({ plan: delayed(gate.promise, plan()) });
  const cwd = temporaryFolder();
  const serve = await startOn(cwd, model);
  const taken = (await (await send(serve.url, 's1', 'k1')).json()) as TurnView;
  const waiting = send(serve.url, 's1', 'k1', 'wait');
  await model.asked(1);
  serve.child.kill('SIGTERM');

  const replied = await waiting;
  expect({ status: replied.status, location: replied.headers.get('location') }).toEqual({
    status: 503,
    location: `/v1/turns/${taken.id}`,
  });
  const refused = await send(serve.url, 's2', 'k2');
  expect({ status: refused.status, type: refused.headers.get('content-type') }).toEqual({
    status: 503,
    type: expect.stringContaining('application/problem+json'),
  });
  // Whoever balances turns over several services sends no more here, while those that run come to their end.
  expect((await fetch(`${serve.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${serve.url}/healthz`)).status).toBe(200);
  gate.resolve();
  // Within 10 s: past that the exit code is another.
  expect(await serve.ended).toMatchObject({ code: 0, signal: null });

  model.answer({ thought: done(), replan: answer('The kettle is on.') });
  const next = await startOn(cwd, model);
  const turn = await (await send(next.url, 's1', 'k1', 'wait')).json();
  expect(turn).toMatchObject({ id: taken.id, status: 'answered', output: 'The kettle is on.' });
  expect(model.requests.map(({ contract }) => contract)).toEqual(['plan', 'thought', 'replan']);
  expect((await fetch(`${next.url}/v1/sessions/s2`)).status).toBe(404);
});
