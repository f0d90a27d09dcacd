import { expect, it } from 'vitest';
import { message } from '../support/anthropic/answers.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

it('tokens that no call can have used count as none, and all that is stored can be read', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const usage = {
    input_tokens: most,
    output_tokens: most,
    cache_creation_input_tokens: most,
    cache_read_input_tokens: 7,
  };
  const { url } = await startService([plan(), done(), answer('Done.')].map((each) => message(each, { usage })));
  const turn = await fetch(`${url}/v1/sessions/s/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Do it' }),
  });
  expect(await turn.json()).toMatchObject({ output: 'Done.' });
  const trace = await fetch(`${url}/v1/sessions/s/trace`);
  const headers = { 'content-type': 'application/x-ndjson' };
  const replayed = await fetch(`${url}/v1/replay`, { method: 'POST', headers, body: await trace.text() });
  expect(await replayed.json()).toMatchObject({ ok: true });
  const { today } = (await (await fetch(`${url}/v1/usage`)).json()) as { today: { usage: object } };
  expect(today.usage).toEqual({ input_tokens: 0, output_tokens: 0, cache_written_tokens: 0, cache_read_tokens: 21 });
});
