import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tripact.ts';
import { apiError, calls } from '../support/anthropic/answers.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { RESPONSES_API } from '../support/models/wires.ts';
import { CHAT_API } from '../support/openai/answers.ts';
import { PDF, PNG, pdfOf, sent, sha256 } from '../support/service/sample-files.ts';
import { act, answer, ask, done, plan, startService } from '../support/service/service.ts';

const OK = { plan: plan(), thought: done(), replan: answer('ok') };

/** The content blocks of the user's message in a request. */
const blocksOf = (raw: unknown): Record<string, unknown>[] => {
  const body = raw as { messages?: { content: never }[]; input?: { role: string; content: never }[] };
  return (body.messages ?? body.input ?? []).at(-1)!.content;
};

/** Those of them that are no text. */
const media = (raw: unknown): unknown[] =>
  blocksOf(raw).filter(({ type }) => !['text', 'input_text'].includes(String(type)));

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } };
const document = {
  type: 'document',
  title: 'bill.pdf',
  source: { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') },
};

const withModel = (env: Record<string, string> = {}, script: Parameters<typeof startService>[0] = OK) =>
  startService(script, { TRIPACT_MODEL: 'anthropic:claude-test', ...env });

describe('a model that takes images and PDFs', () => {
  it('gets their bytes at each call, in the same place, and in the next task of the session', async () => {
    const service = await withModel({}, [plan('Look'), act('files', 'list'), done('red'), answer('Red.')]);
    await service.say('s1', 'What is it?', { files: [sent('photo.png', PNG), sent('bill.pdf', PDF)] });
    const raws = service.model.raw;
    expect(raws).toHaveLength(4);
    for (const raw of raws) expect(media(raw)).toMatchObject([image, document]);
    const [first, last] = [blocksOf(raws[0]), blocksOf(raws[3])];
    const stable = first.slice(0, -1).map(({ cache_control: _, ...block }) => block);
    expect(last.slice(0, stable.length).map(({ cache_control: _, ...block }) => block)).toEqual(stable);
    expect(first.filter((block) => 'cache_control' in block).map(({ type }) => type)).toContain('document');
    service.model.answer(OK);
    const next = await service.say('s1', 'And its colour?');
    expect(media(raws.at(-1))).toMatchObject([image, document]);
    expect(next.output).toBe('ok');
    const calls = await (await fetch(`${service.url}/v1/tasks/${next.task.id}/calls`)).text();
    const trace = JSON.stringify(await service.trace('s1'));
    for (const kept of [calls, trace]) expect(kept).not.toContain(PNG.toString('base64'));
    expect(trace).toContain('files/photo.png');
  });

  it('is told of one that is gone, or that somebody changed, and gets the others', async () => {
    const dataDir = temporaryFolder();
    const service = await withModel({ TRIPACT_DATA_DIR: dataDir });
    const folder = join(dataDir, 'workspace', '.sessions', 's1', 'files');
    await service.say('s1', 'Keep', { files: [sent('a.png', PNG), sent('b.pdf', PDF), sent('c.txt', 'see')] });
    rmSync(join(folder, 'a.png'));
    writeFileSync(join(folder, 'b.pdf'), 'other');
    await service.say('s1', 'Look');
    const { content } = service.model.requests.at(-1)!.body.messages.at(-1)!;
    expect(media(service.model.raw.at(-1))).toEqual([]);
    expect(content).toMatch(/a\.png: image\/png, 69 bytes, stored as files\/a\.png\nIt is no longer stored\./);
    expect(content).toMatch(/b\.pdf: .*\nIt is no longer stored\./);
    expect(content).toMatch(/c\.txt: .*\nIts text:\n<given of="c\.txt">\nsee\n<\/given>/);
  });

  it('is asked again without them where its server refuses them, and the reply says so', async () => {
    const refuses = apiError(400, { type: 'invalid_request_error', text: 'this model does not support image input' });
    const service = await withModel({}, [refuses, plan(), done(), answer('ok')]);
    const turn = await service.say('s1', 'Look', { files: [sent('photo.png', PNG)] });
    expect(turn.output).toBe('I could not look at photo.png: the model in use reads no files of this type.\n\nok');
    expect(service.model.raw.map((raw) => media(raw).length)).toEqual([1, 0, 0, 0]);
  });
});

it.each([
  [
    'openai:gpt-6',
    RESPONSES_API,
    [
      { type: 'input_image', image_url: `data:image/png;base64,${PNG.toString('base64')}` },
      { type: 'input_file', filename: 'bill.pdf', file_data: `data:application/pdf;base64,${PDF.toString('base64')}` },
    ],
  ],
  [
    'vllm:qwen-vl',
    CHAT_API,
    [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
      { type: 'file', file: { file_data: `data:application/pdf;base64,${PDF.toString('base64')}` } },
    ],
  ],
] as const)('%s gets images and PDFs by its own API', async (model, api, blocks) => {
  const server = await startMessagesServer(OK, api);
  const service = await startService(OK, {
    TRIPACT_MODEL: model,
    TRIPACT_OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: 'sk-test',
    TRIPACT_MODEL_FILES: 'vllm:*=image+pdf',
  });
  const turn = await service.say('s1', 'Look', { files: [sent('photo.png', PNG), sent('bill.pdf', PDF)] });
  expect(turn.output).toBe('ok');
  for (const raw of server.raw) expect(media(raw)).toMatchObject(blocks);
  await server.close();
});

describe('a model that takes none', () => {
  it('gets the text of PDFs and the beginning of long texts, names what it cannot see, and the reply says it once', async () => {
    const service = await withModel({ TRIPACT_MODEL_FILES: 'none' });
    const long = Array.from({ length: 20_000 }, (_, i) => `line ${i}`).join('\n');
    const files = [sent('photo.png', PNG), sent('bill.pdf', PDF), sent('long.csv', long)];
    const turn = await service.say('s1', '看看', { files });
    expect(turn.output).toBe('我无法查看 photo.png：所用的模型不读取这类文件。\n\nok');
    const { content } = service.model.requests.at(-1)!.body.messages.at(-1)!;
    expect(content).toMatch(/photo\.png: image\/png, 69 bytes, .*\nYou can't look at it/);
    expect(content).toMatch(/<given of="bill\.pdf">\n\[page 1\]\nTotal: 19\.90 EUR\n<\/given>/);
    expect(content).toContain('line 0\nline 1\n');
    expect(content).not.toContain('line 1000\n');
    expect(media(service.model.raw.at(-1))).toEqual([]);
    expect((await service.say('s1', '还有吗')).output).toBe('ok');
  });

  it('reads on in the text of a PDF and of a text file from where the prompt ends, as far as it goes', async () => {
    const lines = Array.from({ length: 4_000 }, (_, i) => `line ${String(i).padStart(4, '0')}`);
    const reading = (id: string, from: number) => calls([['read_result', { id, from }]]);
    const service = await withModel({ TRIPACT_MODEL_FILES: 'none', TRIPACT_FAILURE_LIMIT: '9' }, [
      ...[reading('files/long.csv', 6_000), reading('files/long.csv', 39_990), reading('files/long.csv', 50_000)],
      ...[reading('files/bill.pdf', 6_000), reading('files/other.csv', 0)],
      calls([['finish', { response: 'Read.' }]]),
    ]);
    const files = [sent('long.csv', lines.join('\n')), sent('bill.pdf', pdfOf(...lines))];
    expect((await service.say('s1', 'Read them', { files })).output).toBe('Read.');
    const { content } = service.model.requests[0]!.body.messages.at(-1)!;
    for (const path of ['files/long.csv', 'files/bill.pdf'])
      expect(content).toContain(
        `Only its first 6000 characters are shown: read_result with the id "${path}" and from 6000 reads on.`,
      );
    const [middle, end, behind, ofPdf, other] = (await service.trace('s1')).flatMap(({ event }) =>
      event.type === 'observation.recorded' ? [event] : [],
    );
    expect(middle?.result).toBe(
      `${lines.join('\n').slice(6_000, 15_500)}\n[characters 6000 to 15499]\n[from 15500 reads on]`,
    );
    expect(end?.result).toBe('line 3999\n[characters 39990 to 39998]');
    expect(behind).toMatchObject({ ok: false, result: 'The text of files/long.csv ends before character 50000.' });
    expect(ofPdf).toMatchObject({ ok: true, result: expect.stringMatching(/line 0700.*\[from 15500 reads on\]$/s) });
    expect(other).toMatchObject({ ok: false });
  });

  it('gets texts in UTF-16 and GB 18030 as text, and reads on in them', async () => {
    const service = await withModel({}, [
      calls([['read_result', { id: 'files/b.csv', from: 6_000 }]]),
      answer('Read.'),
    ]);
    const utf16 = Buffer.from('\ufeff名称\t价格\n苹果\t3.50\n', 'utf16le');
    const gbk = Buffer.from('c3fbb3c62cbcdbb8f10ac6bbb9fb2c332e35300a', 'hex');
    const long = Buffer.concat(Array.from({ length: 2_000 }, () => gbk));
    await service.say('s1', '读一下', {
      files: [sent('a.csv', utf16), sent('b.csv', long), sent('c.csv', Buffer.from(utf16).swap16())],
    });
    const { content } = service.model.requests[0]!.body.messages.at(-1)!;
    for (const name of ['a', 'c'])
      expect(content).toContain(`<given of="${name}.csv">\n名称\t价格\n苹果\t3.50\n\n</given>`);
    expect(content).toContain('<given of="b.csv">\n名称,价格\n苹果,3.50\n名称');
    expect(JSON.stringify(await service.trace('s1'))).toContain('苹果,3.50\\n名称,价格\\n苹果');
    expect((await service.say('s1', '/files read files/a.csv')).output).toContain('苹果\t3.50');
  });
});

it('the offline model says that it did not look at a file', async () => {
  const service = await startService([], { TRIPACT_MODEL: 'offline' });
  const turn = await service.say('s1', 'Add a todo to buy milk', { files: [sent('photo.png', PNG)] });
  expect(turn.output).toMatch(
    /^Done: .*\nI stored photo\.png and did not look inside: the offline model reads no files\./s,
  );
});

it('an image of a tool is stored, named in its observation, and shown to the model behind its result', async () => {
  const server = await serveSample({}, () => {
    const mcp = new McpServer({ name: 'camera', version: '1.0.0' });
    mcp.registerTool('shoot', { annotations: { readOnlyHint: true } }, () => ({
      content: [
        { type: 'text', text: 'Here it is' },
        { type: 'image', data: PNG.toString('base64'), mimeType: 'image/jpeg' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///tmp/bill.pdf', blob: PDF.toString('base64') } },
      ],
    }));
    return mcp;
  });
  const service = await startService(
    [plan('Look'), act('cam_shoot', '{}'), done('red'), answer('Red.')],
    { TRIPACT_MODEL: 'anthropic:claude-test' },
    { file: { mcpServers: { cam: { url: server.url } } } },
  );
  expect((await service.say('s1', 'What is there?')).output).toBe('Red.');
  const observed = (await service.trace('s1')).flatMap(({ event }) =>
    event.type === 'observation.recorded' ? [event] : [],
  );
  expect(observed).toMatchObject([
    {
      result: expect.stringMatching(/^Here it is.*was not stored: "image" /s),
      files: [{ path: 'files/image.png' }, { path: 'files/bill.pdf' }],
    },
  ]);
  expect(media(service.model.raw.at(-1))).toMatchObject([image, document]);
});

it('a fork has the files of its history, also when the original is removed, and its trace replays without them', async () => {
  const service = await withModel({}, [plan('Look'), ask('Which?'), answer('The red one.')]);
  const turn = await service.say('s1', 'Look', { files: [sent('photo.png', PNG)] });
  const fork = await service.post(`/v1/tasks/${turn.task.id}/fork`, { session_id: 's2', input: 'the red one' });
  expect(fork.status).toBe(201);
  await service.model.asked(3);
  expect(media(service.model.raw.at(-1))).toMatchObject([image]);
  await service.say('s1', '/cancel');
  expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  service.model.answer(OK);
  await service.say('s2', 'And now?');
  expect(media(service.model.raw.at(-1))).toMatchObject([image]);
  const trace = await (await fetch(`${service.url}/v1/sessions/s2/trace`)).text();
  const headers = { 'content-type': 'application/x-ndjson' };
  const replayed = await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace });
  expect(await replayed.json()).toMatchObject({ ok: true });
});

it('the files of a tool of one’s own are stored, named in the observation, seen by the model, and offered', async () => {
  const draw = defineTool({
    name: 'draw',
    description: 'Draws a chart.',
    input: z.object({ of: z.string() }),
    run: ({ of }) => ({
      ok: true,
      result: `A chart of ${of}`,
      files: [
        { name: 'chart.png', bytes: PNG },
        { name: '../values', media_type: 'text/csv', bytes: new TextEncoder().encode('month,sum') },
        { name: 'all.zip', bytes: Buffer.from('504b0304140000000800', 'hex') },
      ],
    }),
  });
  const script = [plan('Draw'), act('draw', '{"of":"sales"}'), done(), answer('Drawn.')];
  const settings = { TRIPACT_MODEL: 'anthropic:claude-test' };
  const service = await startService(script, settings, { file: { tools: [draw] } });
  await service.say('s1', 'Draw the sales');
  const observed = (await service.trace('s1'))
    .map(({ event }) => event)
    .find(({ type }) => type === 'observation.recorded');
  expect(observed).toMatchObject({
    ok: true,
    result: expect.stringMatching(/^A chart of sales\n.*all\.zip/),
    files: [
      { path: 'files/chart.png', sha256: sha256(PNG), media_type: 'image/png', bytes: PNG.length },
      { path: 'files/values.csv', media_type: 'text/csv', bytes: 9 },
    ],
  });
  expect(media(service.model.raw.at(-1))).toMatchObject([image]);
  const got = await fetch(`${service.url}/v1/sessions/s1/files/files/values.csv`);
  expect(await got.text()).toBe('month,sum');
});
