import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfigFile } from '../../src/app/config-file.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { answer, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const CONFIG = `
  import { defineConfig, defineTool } from 'tripact';
  import { z } from 'zod';
  const recall = defineTool({
    name: 'recall',
    description: 'Recalls facts.',
    input: z.string(),
    writes: false,
    run: async (text) => 'recalled ' + text,
  });
  export default defineConfig({
    tools: [recall],
    executors: [
      { name: 'researcher', description: 'Looks things up.', tools: ['recall'], prompt: 'Cite where each fact is from.' },
      { name: 'writer', description: 'Writes well.', prompt: 'Write in short sentences.', model: 'anthropic:big-model' },
    ],
  });
`;

const start = async (
  script: Parameters<typeof startService>[0],
  env: Record<string, string> = {},
): Promise<Service> => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tripact.config.ts'), CONFIG);
  const file = await loadConfigFile(folder);
  return startService(script, { TRIPACT_MODEL: 'anthropic:small-model', ...env }, { file });
};

/** The requests so far: the contract, the model, and the name and text of the role if it had one. */
const asked = (service: Service) =>
  service.model.requests.map(({ contract, body }) => {
    const [, role = null] = /Your role on this item: (.+)/.exec(String(body.messages[0]?.content)) ?? [];
    return { contract, model: body.model, role };
  });
const small = (contract: string) => ({ contract, model: 'small-model', role: null });
const researcher = 'Cite where each fact is from.';
const writer = 'Write in short sentences.';

it('a step goes to the executor that its tag or its "executor" names, with that one’s prompt and model', async () => {
  const service = await start([
    plan('[Researcher] Find facts', { id: 'w', step: 'Write them down', executor: 'writer' }, 'Send it'),
    done('facts'),
    replanned({ id: 'w', step: 'Write them down', executor: 'WRITER' }, 'Send it'),
    done('written'),
    replanned('Send it'),
    done('sent'),
    answer('All done.'),
  ]);
  expect(await service.say('s1', 'Write a report')).toMatchObject({ status: 'answered' });
  expect(asked(service)).toEqual([
    small('plan'),
    { ...small('thought'), role: researcher },
    small('replan'),
    { contract: 'thought', model: 'big-model', role: writer },
    small('replan'),
    small('thought'),
    small('replan'),
  ]);
});
