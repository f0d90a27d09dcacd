import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../contracts/http.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { PDF, PNG, pngOf, sent, sha256 } from '../support/service/sample-files.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const STORE_AND_DIE = 'test/support/workspace/store-and-die.ts';

const MIB = 1024 * 1024;

/** Answers any number of tasks. */
const OK = { plan: plan(), thought: done(), replan: answer('ok') };

const withFolder = async (script: Parameters<typeof startService>[0], env: Record<string, string> = {}) => {
  const dataDir = temporaryFolder();
  const service = await startService(script, { TRIPACT_DATA_DIR: dataDir, ...env });
  return { service, root: join(dataDir, 'workspace', '.sessions', 's1') };
};

/** The status and detail of a refused turn with these files. */
const refusal = async (service: Service, files: unknown[], more = {}): Promise<[number, string]> => {
  const response = await service.post('/v1/sessions/s1/turns', { input: 'Look', files, ...more });
  return [response.status, ((await response.json()) as Problem).detail];
};

describe('files of a turn', () => {
  it('are stored under their names before the turn, and named by hash, type and size in the event and the turn', async () => {
    const { service, root } = await withFolder([
      ...[plan(), done(), answer('Red.')],
      ...[plan('compare'), ask('Which one?'), answer('The second.')],
    ]);
    const photo = { path: 'files/photo.png', sha256: sha256(PNG), media_type: 'image/png', bytes: PNG.length };
    const turn = await service.say('s1', 'What colour?', {
      files: [{ ...sent('photo.png', PNG), media_type: 'text/html' }],
    });
    expect(turn.files).toEqual([photo]);
    expect(readFileSync(join(root, photo.path))).toEqual(PNG);
    expect(statSync(join(root, photo.path)).mode & 0o777).toBe(0o600);
    await service.say('s1', 'Compare', { files: [{ path: 'files/photo.png' }] });
    await service.say('s1', 'This', { files: [sent('list.csv', 'a,b\n1,2\n')] });
    const events = (await service.trace('s1')).map(({ event }) => event);
    const brought = events.flatMap((event) => ('files' in event && event.files ? [[event.type, event.files]] : []));
    const list = {
      path: 'files/list.csv',
      media_type: 'text/csv',
      bytes: 8,
      sha256: expect.stringMatching(/^\w{64}$/),
    };
    expect(brought).toEqual([
      ['task.opened', [photo]],
      ['task.opened', [photo]],
      ['answer.received', [list]],
    ]);
    expect(JSON.stringify(events)).not.toContain(PNG.toString('base64').slice(0, 20));
    expect(readdirSync(root).filter((name) => name.startsWith('.files.arr'))).toEqual([]);
  });

  it('keep a name of their own: the same bytes are one file, others get a number, and no name leads anywhere', async () => {
    const { service, root } = await withFolder(OK);
    const outside = temporaryFolder();
    mkdirSync(join(root, 'files'), { recursive: true });
    symlinkSync(join(outside, 'x.txt'), join(root, 'files', 'x.txt'));
    const names = [
      'a.txt',
      'a.txt',
      '../../etc/passwd',
      '/plan.json',
      'C:\\con',
      'x.txt',
      'a\u0000b\u202E.exe',
      '.env',
    ];
    const files = names.map((name, i) => sent(name, i < 2 ? 'same' : `other ${i}`));
    const turn = await service.say('s1', 'Keep them', { files: [...files, sent('a.txt', 'new'), sent('', PNG)] });
    expect(turn.files?.map(({ path }) => path)).toEqual([
      'files/a.txt',
      'files/a.txt',
      'files/passwd.txt',
      'files/plan.json',
      'files/_con.txt',
      'files/x-2.txt',
      'files/a b.exe',
      'files/env.txt',
      'files/a-2.txt',
      'files/file.png',
    ]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('are refused with what can be sent', async () => {
    const { service, root } = await withFolder(OK);
    const cases: [unknown[], number, RegExp][] = [
      [[sent('a.zip', Buffer.from('504b0304140000000800', 'hex'))], 415, /"a\.zip" .*images \(PNG/],
      [[sent('a.csv', Buffer.from([0xc4, 0xe3, 0xff]))], 415, /unknown encoding/],
      [[sent('big.png', pngOf(9_000, 10))], 413, /8000 pixels/],
      [[sent('heavy.png', Buffer.concat([PNG, Buffer.alloc(5 * MIB)]))], 413, /5 MB/],
      [[sent('huge.txt', Buffer.alloc(20 * MIB + 1, 'a'))], 413, /20 MB/],
      [[sent('broken.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'))], 400, /cannot be read as an image/],
      [[sent('empty.txt', '')], 400, /empty/],
      [[{ name: 'x', data: 'a*cd' }], 400, /base64/],
      [[{ path: '../x' }], 400, /no path/],
      [[{ path: 'files/gone.png' }], 400, /does not exist/],
      [Array.from({ length: 11 }, () => sent('a.txt', 'a')), 400, /at most 10 files/],
      [[{ name: 'a' }], 400, /"data" or "path"/],
    ];
    for (const [files, status, detail] of cases)
      expect(await refusal(service, files)).toEqual([status, expect.stringMatching(detail)]);
    expect(() => readdirSync(join(root, 'files'))).toThrow('ENOENT');
    const turn = { input: undefined, decision: { type: 'approve' } };
    expect((await refusal(service, [sent('a.txt', 'a')], turn))[0]).toBe(400);
  });

  it('count in the quota of the session, and are gone again where their turn is refused', async () => {
    const { service, root } = await withFolder(OK);
    const bytes = Buffer.alloc(19 * MIB, 'a');
    for (const name of ['a', 'b', 'c'])
      await service.say('s1', '/help', { files: [sent(name, Buffer.concat([bytes, Buffer.from(name)]))] });
    expect(await refusal(service, [sent('d', bytes)])).toEqual([413, expect.stringMatching(/at most 67108864 bytes/)]);
    expect(await refusal(service, [sent('e', 'e')], { plan: ['x'], input: '/help' })).toEqual([400, expect.anything()]);
    expect(readdirSync(join(root, 'files')).sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('of a turn that was never stored, as its process died, are swept at the next start, and all others stay', async () => {
    const { service, root } = await withFolder(OK);
    await service.say('s1', 'Keep it', { files: [sent('mine.txt', 'mine')] });
    const folder = join(root, '..', '..', '..');
    const died = spawnSync(process.execPath, [STORE_AND_DIE, folder, 's1', 'mine.txt', 'never sent']);
    expect(died.signal).toBe('SIGKILL');
    expect(readdirSync(join(root, 'files'))).toEqual(['mine-2.txt', 'mine.txt']);
    await service.restart();
    await expect.poll(() => readdirSync(join(root, 'files'))).toEqual(['mine.txt']);
    await expect.poll(() => readdirSync(root)).not.toContain('.files.arriving.json');
    spawnSync(process.execPath, [STORE_AND_DIE, folder, 's1', 'b.txt', 'never sent']);
    const turn = await service.say('s1', 'Another', { files: [sent('b.txt', 'sent')] });
    expect(turn.files?.map(({ path }) => path)).toEqual(['files/b.txt']);
    expect(readFileSync(join(root, 'files', 'b.txt'), 'utf8')).toBe('sent');
  });

  it('may come without words, and once with a key', async () => {
    const { service } = await withFolder(OK);
    const send = (bytes: Buffer) =>
      service.post('/v1/sessions/s1/turns', { files: [sent('bill.pdf', bytes)] }, { 'idempotency-key': 'k' });
    const [one, again] = [await (await send(PDF)).json(), await (await send(PDF)).json()];
    expect(one).toMatchObject({
      input: 'File: bill.pdf',
      output: 'ok',
      files: [{ media_type: 'application/pdf' }],
    });
    expect(again).toEqual(one);
    expect((await send(Buffer.concat([PDF, Buffer.from(' ')]))).status).toBe(422);
  });
});

describe('a turn as a form', () => {
  const post = (service: Service, form: FormData, headers = {}) =>
    fetch(`${service.url}/v1/sessions/s1/turns`, { method: 'POST', body: form, headers });

  it('brings files as its parts, words as a field, and everything else as JSON, and leaves nothing behind', async () => {
    const { service, root } = await withFolder(OK);
    const form = new FormData();
    form.append('input', '看这个');
    form.append('turn', JSON.stringify({ metadata: { from: 'a form' } }));
    form.append('photo', new Blob([PNG]), '照片.png');
    form.append('anything', new Blob([PDF]), 'bill.pdf');
    const turn = (await (await post(service, form)).json()) as TurnView;
    expect(turn).toMatchObject({ input: '看这个', output: 'ok', metadata: { from: 'a form' } });
    expect(turn.files?.map(({ path, media_type }) => [path, media_type])).toEqual([
      ['files/照片.png', 'image/png'],
      ['files/bill.pdf', 'application/pdf'],
    ]);
    expect(readFileSync(join(root, 'files', '照片.png'))).toEqual(PNG);
    const shown = await fetch(`${service.url}/v1/sessions/s1/files/files/${encodeURIComponent('照片.png')}`);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG);
    expect(shown.headers.get('content-type')).toBe('image/png');
    const arriving = join(root, '..', '..', '.arriving');
    expect(readdirSync(arriving)).toEqual([]);
    const big = new FormData();
    big.append('f', new Blob([Buffer.alloc(20 * MIB + 1, 'a')]), 'a.txt');
    const refused = await post(service, big);
    expect([refused.status, ((await refused.json()) as Problem).detail]).toEqual([
      413,
      expect.stringMatching(/20971520/),
    ]);
    for (const [name, value] of [
      ['x', 'y'],
      ['turn', '['],
      ['turn', '{"files":[]}'],
      ['turn', '{"__proto__":{}}'],
      ['turn', '{"nothing":1}'],
    ] as const) {
      const odd = new FormData();
      odd.append('input', 'hello');
      odd.append(name, value);
      expect((await post(service, odd)).status).toBe(400);
    }
    const foreign = await post(service, form, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(readdirSync(arriving)).toEqual([]);
  });
});
