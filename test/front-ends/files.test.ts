import { describe, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { PDF, PNG, sha256 } from '../support/service/sample-files.ts';
import { act, answer, done, plan, type Service, startService } from '../support/service/service.ts';

const OK = { plan: plan(), thought: done(), replan: answer('ok') };

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const HEADERS = { 'a2a-version': '1.0', accept: 'application/json, text/event-stream' };

const urlOf = (bytes: Buffer, type = 'application/pdf'): string => `data:${type};base64,${bytes.toString('base64')}`;

const user = (content: unknown) => [{ id: 'm1', role: 'user', content }];
const chat = (part: object) => ({ messages: user([part]) });
const agUi = (part: object) => ({ threadId: 's1', runId: 'r1', messages: user([part]) });
const a2a = (part: object) =>
  rpc('SendMessage', { message: { messageId: 'm1', contextId: 's1', role: 'ROLE_USER', parts: [part] } });
const run = (goal: string, file: object) =>
  rpc('tools/call', { name: 'run', arguments: { goal, session: 's1', files: [file] } });

const data = PDF.toString('base64');
const pdf = { filename: 'bill.pdf', file_data: urlOf(PDF) };

/** A PDF without words, as each protocol may write it. */
const documents: [string, string, object][] = [
  ['Chat Completions, as a data URL', '/v1/chat/completions', chat({ type: 'file', file: pdf })],
  [
    'Chat Completions, in base64 alone',
    '/v1/chat/completions',
    chat({ type: 'file', file: { ...pdf, file_data: data } }),
  ],
  ['Responses', '/v1/responses', { input: user([{ type: 'input_file', ...pdf }]), conversation: 's1' }],
  [
    'the AI SDK',
    '/api/chat',
    {
      id: 's1',
      messages: [
        {
          id: 'm1',
          role: 'user',
          parts: [{ type: 'file', mediaType: 'application/pdf', filename: 'bill.pdf', url: urlOf(PDF) }],
        },
      ],
    },
  ],
  [
    'AG-UI',
    '/agui',
    agUi({ type: 'document', source: { type: 'url', value: urlOf(PDF) }, metadata: { filename: 'bill.pdf' } }),
  ],
  ['AG-UI before 1.0', '/agui', agUi({ type: 'binary', url: urlOf(PDF), filename: 'bill.pdf' })],
  ['A2A', '/a2a', a2a({ url: urlOf(PDF), filename: 'bill.pdf', mediaType: 'application/pdf' })],
  ['MCP', '/mcp', run('File: bill.pdf', { type: 'resource', resource: { uri: 'file:///home/bill.pdf', blob: data } })],
];

/** The newest turn of the only session. */
const lastTurn = async ({ get }: Service): Promise<TurnView | undefined> => {
  const { sessions } = await get<{ sessions: { session_id: string }[] }>('/v1/sessions');
  const [turn] = (await get<{ turns: TurnView[] }>(`/v1/sessions/${sessions[0]?.session_id}/turns`)).turns;
  return turn;
};

describe('a document without words', () => {
  it.each(documents)('is a turn by its name: %s', async (_, path, body) => {
    const service = await startService(OK);
    const response = await service.post(path, body, HEADERS);
    expect(await response.text()).toContain('ok');
    expect(await lastTurn(service)).toMatchObject({
      input: 'File: bill.pdf',
      files: [{ path: 'files/bill.pdf', sha256: sha256(PDF), media_type: 'application/pdf' }],
    });
  });
});

it('a photo of 5 MB comes through, and one that is larger is refused with what may be sent', async () => {
  const service = await startService(OK);
  const image = (bytes: number) =>
    chat({
      type: 'image_url',
      image_url: { url: urlOf(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]), 'image/png') },
    });
  const taken = await service.post('/v1/chat/completions', image(5 * 1024 * 1024));
  expect(taken.status).toBe(200);
  const refused = await service.post('/v1/chat/completions', image(5 * 1024 * 1024 + 1));
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { message: expect.stringContaining('5 MB'), param: 'messages' } },
  ]);
});

it('a file of another type is refused with what may be sent, by the code of A2A for it', async () => {
  const service = await startService(OK);
  const zip = Buffer.from('504b0304140000000800', 'hex').toString('base64');
  const response = await service.post('/a2a', a2a({ raw: zip, filename: 'a.zip' }), HEADERS);
  expect(await response.json()).toMatchObject({
    error: { code: -32_005, message: expect.stringContaining('images (PNG') },
  });
});

it('audio is refused by a sentence', async () => {
  const service = await startService(OK);
  const part = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
  for (const [path, body] of [
    ['/v1/chat/completions', chat(part)],
    ['/v1/responses', { input: user([part]) }],
    ['/agui', agUi({ type: 'audio', source: { type: 'data', value: 'AAAA', mimeType: 'audio/wav' } })],
  ] as const) {
    const refused = await service.post(path, body);
    expect([path, refused.status, await refused.text()]).toEqual([
      path,
      400,
      expect.stringContaining('Only text, images and documents are supported'),
    ]);
  }
});

describe('a file that a task wrote', () => {
  const script = [plan('Write'), act('files', 'write out/report.md Hello'), done(), answer('It is written.')];
  const address = '/v1/sessions/s1/files/out/report.md';

  it('is a file part of the message of the AI SDK, beside none of what the user sent', async () => {
    const service = await startService(script);
    const image = { type: 'file', mediaType: 'image/png', filename: 'a.png', url: urlOf(PNG, 'image/png') };
    const parts = [{ type: 'text', text: 'Write a report' }, image];
    const body = { id: 's1', messages: [{ id: 'm1', role: 'user', parts }] };
    const chunks = (await (await service.post('/api/chat', body)).text()).split('\n\n');
    const files = chunks.filter((chunk) => chunk.includes('"type":"file"')).map((chunk) => chunk.replace('data: ', ''));
    expect(files.map((file) => JSON.parse(file))).toEqual([{ type: 'file', url: address, mediaType: 'text/markdown' }]);
    expect(await (await fetch(service.url + address)).text()).toBe('Hello');
  });

  it('is an artifact of the task of A2A, by its address', async () => {
    const service = await startService(script);
    const response = await service.post('/a2a', a2a({ text: 'Write a report' }), HEADERS);
    const { result } = (await response.json()) as { result: { task: { artifacts: object[] } } };
    const url = service.url + address;
    expect(result.task.artifacts[1]).toMatchObject({
      name: 'files',
      parts: [{ url, filename: 'report.md', mediaType: 'text/markdown' }],
    });
  });
});
