import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const KEY = 'sk-not-to-be-seen-0002';

/** Sends the request of the curl line that `serve` prints. */
const tryCurlLine = async (line: string): Promise<Response> => {
  const [, url = '', type = '', body = ''] = /curl -s (\S+) -H 'content-type: (\S+)' -d '([^']+)'/.exec(line) ?? [];
  return fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
};

describe('serve', () => {
  it('says where it is, what answers, where its data is and what to try, and that works', async () => {
    const cwd = temporaryFolder();
    const serve = await startServe({ cwd, env: { TRIPACT_MODLE: 'x' } });
    expect(serve.stdout()).toMatch(/model +offline: .*ANTHROPIC_API_KEY or OPENAI_API_KEY/);
    expect(serve.stdout()).toContain(join(cwd, 'data'));
    expect(serve.stderr()).toContain('TRIPACT_MODLE is not a setting');
    expect(await (await tryCurlLine(serve.stdout())).json()).toMatchObject({ status: 'answered' });
  });

  it('runs without a command, and ends cleanly by SIGINT', async () => {
    const serve = startCli([], { env: { TRIPACT_PORT: '0', TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'warn' } });
    const [, url] = await serve.says(/address +(http:\S+)[\s\S]*curl/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    serve.child.kill('SIGINT');
    expect(await serve.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('has its console built before anybody asks for it, also in a checkout', async () => {
    const serve = await startServe({ env: { TRIPACT_LOG_LEVEL: 'info' } });
    await serve.says(/the console is built/);
    expect(await (await fetch(`${serve.url}/console/`)).text()).toContain('/console/assets/');
  });

  it('never prints a key, and asks for one in the line to try', async () => {
    const serve = await startServe({
      env: { TRIPACT_API_KEYS: `me:${KEY}`, ANTHROPIC_API_KEY: KEY, TRIPACT_LOG_LEVEL: 'trace' },
    });
    expect(serve.stdout()).toContain("-H 'authorization: Bearer <key>'");
    serve.child.kill('SIGTERM');
    const { stdout, stderr } = await serve.ended;
    expect(stdout + stderr).not.toContain(KEY);
  });

  it('ends at once by a second signal, also while a task runs', async () => {
    const model = await startMessagesServer({ plan: () => {} });
    onTestFinished(() => model.close());
    const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url, TRIPACT_LOG_LEVEL: 'info' };
    const serve = await startServe({ env });
    await serve.says(/voice"?: *"native"/);
    const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
    await fetch(`${serve.url}/v1/sessions/s/turns`, { method: 'POST', headers, body: '{"input":"anything"}' });
    await model.asked(1);
    serve.child.kill('SIGTERM');
    await serve.says(/stopping/);
    serve.child.kill('SIGTERM');
    expect(await serve.ended).toMatchObject({ code: 143 });
  });

  it('listens on one address where it is given the name localhost', async () => {
    const { url } = await startServe({ env: { TRIPACT_HOST: 'localhost' } });
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe('serve on ::ffff:127.0.0.1', () => {
  it('names the address that everybody can call, and is served at the other form, too', async () => {
    const { url } = await startServe({ env: { TRIPACT_HOST: '::ffff:127.0.0.1' } });
    const { hostname, port } = new URL(url);
    expect(hostname).toBe('127.0.0.1');
    for (const base of [url, `http://[::ffff:127.0.0.1]:${port}`, `http://localhost:${port}`])
      expect((await fetch(`${base}/v1/sessions`)).status, base).toBe(200);
  });
});

describe('serve refuses to start, in one message,', () => {
  it('with a bad option, which it names as it was typed', async () => {
    const { code, stderr } = await cli(['serve', '--port', 'abc', '--host', 'a b']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'The configuration is not valid:\n' +
        '  --host "a b" must be a host name or an IP address.\n' +
        '  --port "abc" must be a whole number from 0 to 65535.\n',
    });
  });

  it('beyond this machine without keys', async () => {
    expect(await cli(['serve', '--host', '0.0.0.0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TRIPACT_API_KEYS'),
    });
  });

  it('on a port that is taken, by a service that ends cleanly by SIGTERM', async () => {
    const serve = await startServe();
    const { port } = new URL(serve.url);
    const { code, stderr } = await cli(['serve', '--port', port], { env: { TRIPACT_MODEL: 'offline' } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`),
    });
    expect(stderr).not.toMatch(/^\s+at /m);
    serve.child.kill('SIGTERM');
    expect(await serve.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
