import { expect, it, onTestFinished } from 'vitest';
import { MESSAGES_API, startMessagesServer } from '../support/anthropic/server.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { MEASURED_AGAIN } from '../support/longest-block.ts';
import { CHAT_API } from '../support/openai/answers.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { answer, done, plan } from '../support/service/service.ts';
import { startWatchedService } from '../support/service/watched-service.ts';

const anthropic = {
  wire: MESSAGES_API,
  script: [plan('Do it'), done(), answer('Done.')],
  env: (url: string) => ({ TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: url }),
};
const openAi = {
  wire: CHAT_API,
  script: [...anthropic.script],
  env: (url: string) => ({ TRIPACT_MODEL: 'openai-compatible:m', TRIPACT_OPENAI_BASE_URL: `${url}/v1` }),
};

it.each([
  ['Anthropic', anthropic],
  ['/chat/completions', openAi],
])(
  'a turn that comes as the service starts loads what it asks a model of %s with in pieces',
  MEASURED_AGAIN,
  async (_name, { wire, script, env }) => {
    const model = await startMessagesServer(script, wire);
    onTestFinished(() => model.close());
    const { url, blockedSince } = await startWatchedService({ cwd: temporaryFolder(), env: env(model.url) });
    // The start itself takes longer, before it listens; it is over once two requests are answered.
    for (let i = 0; i < 2; i += 1) await (await fetch(`${url}/healthz`)).text();
    const began = Date.now();
    expect(await (await sendTurn(url, 's1', 'Go')).finished()).toMatchObject({ output: 'Done.' });
    const blocks = blockedSince(began).map(({ cpuMs }) => cpuMs);
    expect(Math.max(0, ...blocks), `${blocks} ms`).toBeLessThan(80);
  },
);
