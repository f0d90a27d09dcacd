import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileLinks } from '../../src/access/file-links.ts';
import { agUiPage, type Line } from '../support/front-ends/ag-ui-page.ts';
import { clientOf } from '../support/front-ends/openai-service.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const SECRET = 'a secret of the operator of at least 32 characters';
const PUBLIC = 'https://agent.example.com/agent';
const LINKS = { TRIPACT_SECRET_KEY: SECRET, TRIPACT_PUBLIC_URL: PUBLIC };

const KEYS = { TRIPACT_API_KEYS: 'ada:ada-0123456789abcdef,bob:bob-0123456789abcdef' };
const ADA = 'ada-0123456789abcdef';

const writes = (path = 'out/report.md', text = 'Hello') => [
  plan('Write'),
  act('files', `write ${path} ${text}`),
  done(),
  answer('It is written.'),
];

/** The address at the test's own service of a link, which names where browsers reach it. */
const here = ({ url }: Service, link: string): string => link.replace(PUBLIC, url);

const LINK = /\[report\.md\]\((https:[^)]+)\)/;

const linkIn = (text: string | null): string => LINK.exec(text ?? '')?.[1] ?? 'no link';

describe('A reply of Chat Completions', () => {
  it('ends with a link that a browser opens without a key, and the conversation goes on', async () => {
    const service = await startService([...writes(), plan('Say'), done(), answer('Next.')], { ...LINKS, ...KEYS });
    const { chat } = clientOf(service, { apiKey: ADA });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Write a report' }];
    const reply = await chat.completions.create({ model: 'tripact', messages });
    const { content = '' } = reply.choices[0]?.message ?? {};
    expect(content).toMatch(/^It is written\.\n\n- \[report\.md\]\(https:/);
    const got = await fetch(here(service, linkIn(content)));
    expect([got.status, await got.text()]).toEqual([200, 'Hello']);
    expect(got.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''report.md");
    expect(got.headers.get('cache-control')).toBe('private, no-store');

    const further = [...messages, { role: 'assistant' as const, content }, { role: 'user' as const, content: 'And?' }];
    await chat.completions.create({ model: 'tripact', messages: further });
    const headers = { authorization: `Bearer ${ADA}` };
    const sessions = await (await fetch(`${service.url}/v1/sessions`, { headers })).json();
    expect(sessions).toMatchObject({ sessions: [expect.anything()] });
  });

  it('has the link when it is streamed too', async () => {
    const service = await startService(writes(), LINKS);
    const stream = clientOf(service).chat.completions.stream({
      model: 'tripact',
      messages: [{ role: 'user', content: 'Write a report' }],
    });
    const text = await stream.finalContent();
    expect(await (await fetch(here(service, linkIn(text)))).text()).toBe('Hello');
  });

  it.each([
    ['without an address for browsers', { TRIPACT_SECRET_KEY: SECRET }],
    ['without a key to seal links with', { TRIPACT_PUBLIC_URL: PUBLIC }],
  ])('is the reply alone %s', async (_, env) => {
    const service = await startService(writes(), env);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Write a report' }];
    const reply = await clientOf(service).chat.completions.create({ model: 'tripact', messages });
    expect(reply.choices[0]?.message.content).toBe('It is written.');
  });

  it('shows a name as it is, whatever is in it', async () => {
    const service = await startService(writes('[a]_*b*_c.md'), LINKS);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Write a report' }];
    const reply = await clientOf(service).chat.completions.create({ model: 'tripact', messages });
    expect(reply.choices[0]?.message.content).toContain('- [\\[a\\]\\_\\*b\\*\\_c.md](https://agent.example.com/');
  });

  it('keeps to a required format', async () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const script = [...writes().slice(0, -1), answer('{"ok":true}')];
    const service = await startService(script, LINKS);
    const reply = await clientOf(service).chat.completions.create({
      model: 'tripact',
      messages: [{ role: 'user', content: 'Write a report' }],
      response_format: { type: 'json_schema', json_schema: { name: 'made', schema } },
    });
    expect(reply.choices[0]?.message.content ?? '').not.toContain('https:');
  });
});

describe('A response', () => {
  const cited = (file: OpenAI.Responses.ResponseOutputText['annotations'][number] | undefined) => {
    if (file?.type !== 'container_file_citation') throw new Error('no file is cited');
    return file;
  };
  const annotationsOf = ({ output }: OpenAI.Responses.Response) =>
    output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .flatMap((part) => (part.type === 'output_text' ? part.annotations : []));

  it('cites the file, whose bytes the client gets by its key, and nobody else', async () => {
    const service = await startService(writes(), KEYS);
    const client = clientOf(service, { apiKey: ADA });
    const response = await client.responses.create({ model: 'tripact', input: 'Write a report' });
    expect(response.output_text).toBe('It is written.');
    expect(annotationsOf(response)).toHaveLength(1);
    const { container_id, file_id, filename } = cited(annotationsOf(response)[0]);
    expect(filename).toBe('report.md');
    const content = await client.containers.files.content.retrieve(file_id, { container_id });
    expect(await content.text()).toBe('Hello');
    const other = clientOf(service, { apiKey: 'bob-0123456789abcdef' });
    await expect(other.containers.files.content.retrieve(file_id, { container_id })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(client.containers.files.content.retrieve('cfile_x', { container_id })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });

  it('cites it while it is streamed, as a page too where there are links', async () => {
    const service = await startService(writes(), LINKS);
    const stream = clientOf(service).responses.stream({ model: 'tripact', input: 'Write a report' });
    const added: unknown[] = [];
    for await (const event of stream)
      if (event.type === 'response.output_text.annotation.added') added.push(event.annotation);
    const annotations = annotationsOf(await stream.finalResponse());
    expect(added).toEqual(annotations);
    const page = annotations[1];
    if (page?.type !== 'url_citation') throw new Error('no page is cited');
    expect(page).toMatchObject({ title: 'report.md', start_index: 14, end_index: 14 });
    expect(await (await fetch(here(service, page.url))).text()).toBe('Hello');
  });
});

describe.each<Line>(['1.0', '0.0'])('A run of AG-UI %s', (line) => {
  it('ends with the files as an activity, which the next run sends back', async () => {
    const service = await startService([...writes(), plan('Say'), done(), answer('Next.')], LINKS);
    const page = agUiPage(line)(() => service.url)();
    expect(await page.say('Write a report')).toMatchObject({ text: 'It is written.', error: null });
    const activity = page.agent.messages.find(({ role }) => role === 'activity');
    expect(activity).toMatchObject({
      activityType: 'files',
      content: { files: [{ name: 'report.md', mediaType: 'text/markdown', size: 5, url: expect.any(String) }] },
    });
    const { files = [] } = (activity?.content ?? {}) as { files?: { url: string }[] };
    expect(await (await fetch(here(service, files[0]?.url ?? ''))).text()).toBe('Hello');
    expect(await page.say('And?')).toMatchObject({ text: 'Next.', error: null });
  });

  it('names the address that wants a key where there are no links', async () => {
    const service = await startService(writes());
    const page = agUiPage(line)(() => service.url)();
    await page.say('Write a report');
    const url = `/v1/sessions/${page.session}/files/out/report.md`;
    expect(page.agent.messages).toContainEqual(
      expect.objectContaining({ content: { files: [expect.objectContaining({ url })] } }),
    );
  });
});

describe.each(['auto', 'legacy'] as const)('A result of MCP (%s)', (mode) => {
  const connect = async ({ url }: Service, key: string): Promise<Client> => {
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    onTestFinished(() => client.close());
    return client;
  };

  it('links the files as resources, which the host reads by its key', async () => {
    const script = [plan('Write'), act('files', 'write out/näher.md Hello'), done(), answer('It is written.')];
    const service = await startService(script, { ...KEYS, ...LINKS });
    const client = await connect(service, ADA);
    const { content, structuredContent } = await client.callTool({
      name: 'run',
      arguments: { goal: 'Write a report' },
    });
    const { session, written_files: files } = structuredContent as {
      session: string;
      written_files: { uri: string; link: string }[];
    };
    const uri = `tripact://sessions/${session}/files/out/n%C3%A4her.md`;
    expect(content[1]).toEqual({ type: 'resource_link', uri, name: 'näher.md', mimeType: 'text/markdown', size: 5 });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('It is written.\n\n- [näher.md](https:') });
    expect(await (await fetch(here(service, files[0]?.link ?? ''))).text()).toBe('Hello');
    expect(await client.readResource({ uri })).toMatchObject({
      contents: [{ uri, mimeType: 'text/plain', text: 'Hello' }],
    });
    const other = await connect(service, 'bob-0123456789abcdef');
    await expect(other.readResource({ uri })).rejects.toThrow('not found');
    await expect(client.readResource({ uri: `${uri}x` })).rejects.toThrow('not found');
  });
});

describe('A task of A2A', () => {
  it('has the files of all its turns, also when it is got and listed', async () => {
    const script = [
      plan('Write'),
      act('files', 'write first.md One'),
      ask('Which one next?'),
      replanned('Write the other'),
      act('files', 'write second.md Two'),
      done(),
      answer('Both are written.'),
    ];
    const service = await startService(script);
    const client = await new ClientFactory().createFromUrl(service.url);
    const send = async (text: string, taskId = '') => {
      const parts = [{ content: { $case: 'text', value: text } }];
      const message = { messageId: randomUUID(), contextId: 's1', taskId, role: 1, parts };
      return (await client.sendMessage({ message } as unknown as Parameters<typeof client.sendMessage>[0])) as Task;
    };
    const filesOf = ({ artifacts }: Task) =>
      artifacts.filter(({ name }) => name === 'files').map(({ parts }) => parts.map(({ content }) => content?.value));
    const [first, second] = ['first.md', 'second.md'].map((name) => `${service.url}/v1/sessions/s1/files/${name}`);
    const asking = await send('Write two');
    expect(filesOf(asking)).toEqual([[first]]);
    expect(filesOf(await send('Two', asking.id))).toEqual([[first, second]]);
    expect(filesOf(await client.getTask({ tenant: '', id: asking.id }))).toEqual([[first, second]]);
    const listed = async (includeArtifacts: boolean) =>
      client.listTasks({ includeArtifacts } as Parameters<typeof client.listTasks>[0]);
    expect((await listed(true)).tasks.map(filesOf)).toEqual([[[first, second]]]);
    expect((await listed(false)).tasks.map(filesOf)).toEqual([[]]);
  });
});

describe('A link', () => {
  const session = { owner: 'local', session_id: 's1' };
  const DAYS = 24 * 3_600_000;
  const linkTo = (path: string, { secret = SECRET, at = Date.now() } = {}): string =>
    createFileLinks({ secrets: [secret], publicUrl: PUBLIC, now: () => at }).linkTo({ ...session, path });

  it('that is changed, expired, of another key, or whose file is gone opens nothing, and all say the same', async () => {
    const service = await startService(writes(), LINKS);
    await service.say('s1', 'Write a report');
    const good = linkTo('out/report.md');
    const open = async (link: string) => {
      const response = await fetch(here(service, link));
      const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
      return [response.status, problem];
    };
    expect((await fetch(here(service, good))).status).toBe(200);
    expect((await fetch(here(service, linkTo('out/report.md', { at: Date.now() - 6 * DAYS })))).status).toBe(200);
    const answers = await Promise.all([
      open(`${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`),
      open(linkTo('out/report.md', { at: Date.now() - 8 * DAYS })),
      open(linkTo('out/report.md', { secret: 'another secret of at least 32 characters' })),
      open(linkTo('out/other.md')),
      open(linkTo('../../tripact.db')),
      open(`${PUBLIC}/v1/file-links/none`),
    ]);
    expect(answers[0]).toMatchObject([404, { type: expect.stringContaining('file-not-found') }]);
    for (const each of answers) expect(each).toEqual(answers[0]);
    await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' });
    expect(await open(good)).toEqual(answers[0]);
  });

  it('says nothing of whose file it is', () => {
    const sealed = linkTo('out/report.md').split('/').at(-1) ?? '';
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/local|s1|report/);
  });
});
