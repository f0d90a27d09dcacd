import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { serve as serveHttp } from '../support/http/local-server.ts';

const env = { TRIPACT_MODEL: 'offline' };

const addressFile = (cwd: string): string => join(cwd, 'data', 'service.json');

describe('a command on a data folder with a service', () => {
  it('talks to that service, whatever its own model is, and says so where it runs elsewhere', async () => {
    const cwd = temporaryFolder();
    const { url, child } = await startServe({ cwd });
    expect(JSON.parse(readFileSync(addressFile(cwd), 'utf8'))).toMatchObject({ url, pid: child.pid });
    const without = { cwd, env: { TRIPACT_MODEL: 'anthropic:none' } };
    const run = await cli(['run', '--session', 'mine', 'Add milk to my todos'], without);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Added #1 milk') });
    expect(run.stderr).toMatch(`· On the service at ${url}\n`);
    const chat = await cli(['chat', '--session', 'mine'], { ...without, input: '/todo list\n' });
    expect(chat).toMatchObject({ code: 0, stdout: expect.stringContaining('#1 milk') });
    const session = await fetch(`${url}/v1/sessions/mine/turns`);
    expect(await session.json()).toMatchObject({ turns: [{ output: expect.stringContaining('#1 milk') }, {}] });

    const address = JSON.parse(readFileSync(addressFile(cwd), 'utf8'));
    writeFileSync(addressFile(cwd), JSON.stringify({ ...address, host: 'another-machine' }));
    expect(await cli(['run', 'hello'], { cwd, env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^A service in another container or on another machine \(another-machine\).*--url.*\n$/,
      ),
    });
  });

  it('is misled by nothing that a killed one left, and asks no stranger at its address', async () => {
    const cwd = temporaryFolder();
    const killed = await startServe({ cwd });
    killed.child.kill('SIGKILL');
    await killed.ended;
    const stranger = await serveHttp((_request, response) => response.end());
    // Its process id and its port belong to others by now.
    const left = { url: stranger.origin, pid: process.pid, host: hostname(), command: 'serve' };
    writeFileSync(addressFile(cwd), JSON.stringify(left));
    const run = await cli(['run', 'Add milk to my todos'], { cwd, env });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Added #1 milk') });
    expect(stranger.seen).toEqual([]);
  });
});

describe('two commands on a data folder without a service', () => {
  it('share one service; when the first leaves, the second goes on by itself, with the same turn', async () => {
    const silent = await startMessagesServer({ plan: () => {} });
    onTestFinished(() => silent.close());
    const cwd = temporaryFolder();
    const chat = startCli(['chat'], { cwd, env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: silent.url } });
    await chat.says(/· Session/);
    const run = startCli(['run', '--session', 'once', 'Add milk to my todos'], { cwd, env });
    await silent.asked(1);
    chat.child.stdin?.end();
    expect(await chat.ended).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Added #1 milk') });
    const trace = await cli(['trace', 'once'], { cwd });
    expect(trace.stdout.match(/task\.opened/g)).toHaveLength(1);
  });
});
