import { expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { MEASURED_AGAIN } from '../support/longest-block.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { answer, done, plan } from '../support/service/service.ts';
import { startWatchedService } from '../support/service/watched-service.ts';

it('a turn that comes as the service starts loads what it asks the model with in pieces', MEASURED_AGAIN, async () => {
  const model = await startMessagesServer([plan('Do it'), done(), answer('Done.')]);
  onTestFinished(() => model.close());
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url };
  const { url, blockedSince } = await startWatchedService({ cwd: temporaryFolder(), env });
  // The start itself takes longer, before it listens; it is over once two requests are answered.
  for (let i = 0; i < 2; i += 1) await (await fetch(`${url}/healthz`)).text();
  const began = Date.now();
  expect(await (await sendTurn(url, 's1', 'Go')).finished()).toMatchObject({ output: 'Done.' });
  const blocks = blockedSince(began).map(({ cpuMs }) => cpuMs);
  expect(Math.max(0, ...blocks), `${blocks} ms`).toBeLessThan(80);
});
