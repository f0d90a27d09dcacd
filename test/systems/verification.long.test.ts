import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { TripactConfig } from '../../src/app/define-config.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { act, answer, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const note = defineTool({
  name: 'note',
  description: 'Writes note.txt.',
  input: z.string(),
  async run(text, { workspace }) {
    writeFileSync(join(workspace, 'note.txt'), text);
    return 'written';
  },
});

/** A command that is content with a note that says "good", and shows its arguments and the note. */
const content = [
  process.execPath,
  '-e',
  `const text = require('node:fs').readFileSync('note.txt', 'utf8');
   console.log(JSON.stringify(process.argv.slice(1)), 'the note says ' + text);
   process.exit(text.includes('good') ? 0 : 1);`,
  'two words; rm -rf "$HOME" && touch hacked | `touch hacked`',
];

const start = (script: Parameters<typeof startService>[0], verify: TripactConfig['verify'] = [content], env = {}) =>
  startService(script, env, { file: { tools: [note], verify } });

const verifications = async (service: Service) =>
  (await service.trace('s1')).flatMap(({ event }) =>
    event.type === 'verification.finished' ? [{ ok: event.ok, output: event.output }] : [],
  );
const writes = (text: string) => [act('note', text), done()];

it('a command that passes lets the answer out, and gets each argument whole, with no shell between', async () => {
  const service = await start([plan('Write'), ...writes('good'), answer('Written.')]);
  expect(await service.say('s1', 'Write a note')).toMatchObject({ status: 'answered', output: 'Written.' });
  const [only, ...more] = await verifications(service);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ ok: true, output: expect.stringContaining(JSON.stringify(content.slice(3))) });
});

it('a function is handed the task and its folder; one that throws, and a program that is not there, have failed', async () => {
  const checks: unknown[] = [];
  const script = [plan('Write'), ...writes('x'), answer('a'), replanned('Again'), ...writes('y'), answer('b')];
  const service = await start(script, [
    async ({ session_id, task_id, workspace }) => {
      checks.push({ session_id, task_id, note: readFileSync(join(workspace, 'note.txt'), 'utf8') });
      if (checks.length === 1) throw new Error('the linter has crashed');
      return { ok: true, output: 'fine' };
    },
    ['/no/such/program', 'x'],
  ]);
  const { task_id } = await service.say('s1', 'Write');
  expect(checks).toEqual(['x', 'y'].map((text) => ({ session_id: 's1', task_id, note: text })));
  expect(await verifications(service)).toEqual([
    { ok: false, output: expect.stringContaining('the linter has crashed') },
    { ok: false, output: expect.stringContaining('/no/such/program x could not be run') },
  ]);
});

it('a command gets no key of the service, whatever it prints', async () => {
  for (const name of [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'TRIPACT_API_KEYS',
  ])
    vi.stubEnv(name, 'me:sk-not-to-be-seen');
  const service = await start(
    [plan('Write'), ...writes('x'), answer('ok')],
    [[process.execPath, '-p', '"PATH" in process.env && JSON.stringify(process.env)']],
  );
  await service.say('s1', 'Write');
  const [{ ok, output } = { ok: false, output: '' }] = await verifications(service);
  expect({ ok, hasPath: output.includes('"PATH"') }).toEqual({ ok: true, hasPath: true });
  expect(output).not.toContain('sk-not-to-be-seen');
});
