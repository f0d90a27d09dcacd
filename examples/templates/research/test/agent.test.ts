import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it } from 'vitest';
import { findPassages } from '../library.ts';
import config from '../tripact.config.ts';

const find = [{ name: 'find', input: { words: 'exported tea' } }];
const write = (text: string) => [{ name: 'files', input: { command: 'write', path: 'report.md', text } }];
const finish = [{ name: 'finish', input: { response: 'Kenya; the report is in report.md.' } }];

it('finds passages with their file and line', async () => {
  expect(await findPassages('KENYA tea')).toMatchObject([{ file: 'tea.md', line: 3 }]);
  expect(await findPassages('xylophone')).toEqual([]);
});

it('writes a report with its sources', async () => {
  const model = scriptedModel([find, write('Kenya exports the most tea [tea.md:3].'), finish]);
  const { turns, trace } = await recordTrace({ config, model, inputs: ['Who exports the most tea?'] });
  expect(turns).toMatchObject([{ status: 'answered', output: 'Kenya; the report is in report.md.' }]);
  await expectTrace(trace).toReplay();
});

it('gives no answer before a wrong source is mended', async () => {
  const model = scriptedModel([
    find,
    write('Kenya exports the most tea [tea.md:99].'),
    finish,
    write('Kenya exports the most tea [tea.md:3].'),
    finish,
  ]);
  const { turns, trace } = await recordTrace({ config, model, inputs: ['Who exports the most tea?'] });
  expect(turns).toMatchObject([{ status: 'answered' }]);
  expect(JSON.stringify(trace)).toContain('The library has no tea.md:99');
});
