import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { act, answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const QUESTION = 'Which one of "effect_id":"task_1.1"?';

const script = {
  plan: plan('Look'),
  thought: [act('todo', 'add milk 牛奶 "quoted" \\ \u2028'), ask(QUESTION), done()],
  replan: answer('Chosen'),
};

const text = async (service: Service, path: string): Promise<string> => (await fetch(service.url + path)).text();

/** The session's event stream from its beginning up to the entry of that seq. */
const eventsUpTo = async (service: Service, session: string, seq: number): Promise<string> => {
  const reading = new AbortController();
  const { body } = await fetch(`${service.url}/v1/sessions/${session}/events`, { signal: reading.signal });
  const decoder = new TextDecoder();
  const isWhole = new RegExp(`^id: ${seq}\\n(?:.+\\n)*\\n`, 'm');
  let read = '';
  for await (const chunk of body!) {
    read += decoder.decode(chunk, { stream: true });
    if (isWhole.test(read)) break;
  }
  reading.abort();
  return read;
};

/** All that the service shows of a session's history. */
const shown = async (service: Service, session: string): Promise<Record<string, string>> => {
  const trace = await text(service, `/v1/sessions/${session}/trace`);
  const entries = trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry);
  const task_id = entries[1]!.task_id;
  const replayed = await fetch(`${service.url}/v1/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: trace,
  });
  return {
    trace,
    rest: await text(service, `/v1/sessions/${session}/trace?after=3`),
    taskTrace: await text(service, `/v1/tasks/${task_id}/trace`),
    task: await text(service, `/v1/tasks/${task_id}`),
    preview: await text(service, `/v1/tasks/${task_id}/fork?at=5`),
    events: await eventsUpTo(service, session, entries.at(-1)!.seq),
    replayed: await replayed.text(),
  };
};

it('a fork, and a fork of it, show the same to the byte before and after the original is deleted, and go on', async () => {
  const service = await startService(script);
  const fork = async (task_id: string | null, session_id: string): Promise<TurnView> => {
    const response = await service.post(`/v1/tasks/${task_id}/fork`, { session_id });
    return (await response.json()) as TurnView;
  };
  const second = await fork((await service.say('s1', 'Choose one')).task_id, 's2');
  expect(await fork(second.task_id, 's3')).toMatchObject({ status: 'asking', question: QUESTION });
  const before = { s2: await shown(service, 's2'), s3: await shown(service, 's3') };
  expect(before.s2['replayed']).toMatch(/"ok":true/);
  expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  expect({ s2: await shown(service, 's2'), s3: await shown(service, 's3') }).toEqual(before);
  await service.restart();
  expect((await fetch(`${service.url}/v1/sessions/s2`, { method: 'DELETE' })).status).toBe(204);
  expect(await shown(service, 's3')).toEqual(before.s3);
  expect(await service.say('s3', 'The first')).toMatchObject({ status: 'answered', output: 'Chosen' });
});
