import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { act, answer, done, plan, type Service, startService } from '../support/service/service.ts';

interface Listed {
  files: { path: string; size: number; modified_at: string }[];
  next: string | null;
}

/** The reply to a path as it is written, which `fetch` would tidy up first. */
const rawGet = (service: Service, path: string, headers = {}, method = 'GET') =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const sent = request(new URL(service.url), { path, headers, method }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });

const FILES = '/v1/sessions/s1/files';

/** A service whose session s1 wrote a file with the tool. */
const withFile = async (env: Record<string, string> = {}) => {
  const dataDir = temporaryFolder();
  const service = await startService(
    [plan('Write it down'), act('files', 'write notes/today.md # Tea'), done('written'), answer('Written.')],
    { TRIPACT_DATA_DIR: dataDir, ...env },
  );
  return { service, folder: join(dataDir, 'workspace', '.sessions', 's1') };
};

describe('a session’s files', () => {
  it('are what its tasks wrote, listed and read', async () => {
    const { service } = await withFile();
    expect(await service.say('s1', 'Note tea')).toMatchObject({ status: 'answered', task: { successful_steps: 1 } });
    // MISSION.md is a second behind at most.
    const list = () => service.get<Listed>(FILES);
    const paths = async () => (await list()).files.map(({ path }) => path);
    await expect.poll(paths).toEqual(['MISSION.md', 'notes/today.md', 'plan.json']);
    const { files, next } = await list();
    expect(files[1]).toMatchObject({ size: 5, modified_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(next).toBeNull();
    const since = encodeURIComponent(files[1]!.modified_at);
    const newer = await service.get<Listed>(`${FILES}?since=${since}`);
    expect(newer.files.map(({ path }) => path)).toContain('notes/today.md');
    expect((await service.get<Listed>(`${FILES}?since=2999-01-01T00:00:00Z`)).files).toEqual([]);
    expect((await rawGet(service, `${FILES}?since=today`)).status).toBe(400);
    const { status, headers, body } = await rawGet(service, `${FILES}/notes/today.md`);
    expect([status, body]).toEqual([200, '# Tea']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': "attachment; filename*=UTF-8''today.md",
    });
    expect((await rawGet(service, `${FILES}/plan.json`)).body).toContain('"goal"');
  });

  it('come by page, in order of their paths', async () => {
    const { service, folder } = await withFile();
    await service.say('s1', '/help');
    expect(await service.get<Listed>(FILES)).toEqual({ files: [], next: null });
    mkdirSync(folder, { recursive: true });
    for (const name of ['b', 'a', '好', 'c']) writeFileSync(join(folder, name), name);
    const first = await service.get<Listed>(`${FILES}?limit=2`);
    const second = await service.get<Listed>(`${FILES}?limit=2&cursor=${first.next}`);
    expect([...first.files, ...second.files].map(({ path }) => path)).toEqual(['a', 'b', 'c', '好']);
    expect(second.next).toBeNull();
    expect((await rawGet(service, `${FILES}?cursor=%00`)).status).toBe(400);
  });

  it('are sent as bytes where they are no text, and whole where they are large or empty', async () => {
    const { service, folder } = await withFile();
    await service.say('s1', '/help');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.html'), '<script>alert(1)</script>');
    writeFileSync(join(folder, 'b.bin'), Buffer.from([0, 255, 1]));
    writeFileSync(join(folder, 'c.txt'), '好'.repeat(1_000_000));
    writeFileSync(join(folder, 'd'), '');
    expect((await rawGet(service, `${FILES}/a.html`)).headers['content-type']).toBe('text/plain; charset=utf-8');
    const bytes = await fetch(`${service.url}${FILES}/b.bin`);
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([0, 255, 1]);
    expect((await rawGet(service, `${FILES}/c.txt`)).body).toHaveLength(1_000_000);
    expect(await rawGet(service, `${FILES}/d`)).toMatchObject({ status: 200, body: '' });
  });

  it('are nowhere else: a path that leads out of the folder, through a link or to nothing is 404', async () => {
    const { service, folder } = await withFile();
    await service.say('s1', 'Note tea');
    await service.say('s2', '/help');
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    for (const path of [
      '../s1/notes/today.md',
      'notes/../notes/today.md',
      '%2e%2e%2fs1%2fnotes%2ftoday.md',
      '..%2f..%2f..%2ftripact.db',
      'notes%5ctoday.md',
      '/etc/passwd',
      'notes%00.md',
      'notes/today.md%00',
      'notes/today.md/',
      'notes',
      'no-such-file',
      'link.txt',
      'out/secret.txt',
      '.files.applied.json',
      `${'d/'.repeat(40)}x`,
      'x'.repeat(5_000),
      '',
    ]) {
      const { status, body } = await rawGet(service, `${FILES}/${path}`);
      expect([path, status, body]).toEqual([path, 404, expect.stringContaining('file-not-found')]);
    }
    for (const session of ['s1%2f..%2fs2', '..', '%2e%2e', 's1%00'])
      expect((await rawGet(service, `/v1/sessions/${session}/files/notes/today.md`)).status).toBe(400);
    expect((await rawGet(service, '/v1/sessions/unknown/files')).status).toBe(404);
    expect((await rawGet(service, '/v1/sessions/unknown/files/a')).body).toContain('session-not-found');
    expect((await rawGet(service, '/v1/sessions/s2/files/notes/today.md')).body).toContain('file-not-found');
    expect(readdirSync(join(folder, '..'))).toEqual(['s1']);
  });

  it('are written and deleted over HTTP too, for tasks and commands to find', async () => {
    const { service, folder } = await withFile();
    const send = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) => {
      const response = await fetch(`${service.url}/v1/sessions/${path}`, {
        method,
        ...(body !== undefined && { body }),
      });
      return { status: response.status, text: await response.text() };
    };
    // It may be the first thing in a session.
    expect(await send('PUT', 's1/files/in/data.csv', 'a,b')).toEqual({ status: 201, text: '' });
    expect((await service.say('s1', '/files read in/data.csv')).output).toContain('a,b');
    expect((await send('PUT', 's1/files/in/data.csv', Uint8Array.of(0, 255))).status).toBe(204);
    expect([...readFileSync(join(folder, 'in/data.csv'))]).toEqual([0, 255]);
    expect((await send('PUT', 's1/files/empty', '')).status).toBe(201);
    expect((await send('DELETE', 's1/files/in/data.csv')).status).toBe(204);
    expect((await service.get<Listed>(FILES)).files.map(({ path }) => path)).toEqual(['empty']);
    expect(await send('DELETE', 's1/files/in/data.csv')).toMatchObject({ status: 404 });
    expect(await send('DELETE', 'unknown/files/x')).toMatchObject({ status: 404 });
    for (const method of ['PUT', 'DELETE'])
      expect((await send(method, 's1/files/plan.json')).text).toContain('written by the service');
    expect(await send('PUT', 's1/files/big', 'x'.repeat(1024 * 1024))).toMatchObject({ status: 201 });
    expect(await send('PUT', 's1/files/big', 'x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413 });
  });
});
