import { expect, it } from 'vitest';
import type { Homes } from '../../src/cluster/port.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { type LocalServer, sendJson, serve } from '../support/http/local-server.ts';
import { ask, dial, untilHangup } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const at = (home: LocalServer): Homes => ({
  start: () => {},
  find: async () => ({ kind: 'there', url: `${home.origin}/below`, gone: new AbortController().signal }),
  owners: () => [],
  stop: async () => {},
});

/** A node whose callers are all at home elsewhere, and the status that it answers to a target, sent as it stands. */
const startNode = async () => {
  const home = await serve((_, response) => sendJson(response, { from: 'home' }));
  const { port } = await startHttpOn(stubEngine({}), { homes: at(home) });
  const answerTo = async (target: string, method = 'GET'): Promise<number> => {
    const socket = await dial(port, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    return Number((await untilHangup(socket)).split(' ')[1]);
  };
  return { home, answerTo };
};

it('a request goes to its home with the path and query that it came with, to the byte', async () => {
  const { home, answerTo } = await startNode();
  const targets = [
    '/v1/sessions',
    '/v1/sessions?limit=3&q=//a@b:80/%2e%2e',
    '/v1/sessions?cursor=http://other.example/v1',
    '/v1/sessions/s1/files/a/../../../../metrics',
    '/v1/sessions/s1/files/%2e%2e/%2E%2e/metrics',
    '/v1/sessions/s1/files//other.example/a',
    '/v1/sessions/s1/files/@other.example\\a;b',
    '/v1/sessions/s1/files/http://other.example/a',
    '/v1/sessions?q=a#b',
  ];
  for (const target of targets) expect(await answerTo(target), target).toBe(200);
  expect(home.seen.map(({ url }) => url)).toEqual(targets);
});

it('a target that names a host is refused, and nothing is sent to anybody', async () => {
  const { home, answerTo } = await startNode();
  const victim = await serve((_, response) => sendJson(response, { from: 'victim' }));
  const host = victim.origin.slice('http://'.length);
  const targets = [
    `http://${host}/v1/sessions`,
    `HTTP://${host}/v1/sessions`,
    `https://${host}/v1/sessions`,
    `ws://${host}/v1/sessions`,
    `http://a:b@${host}/v1/sessions`,
    `http://${host}`,
    `http://${host}/healthz`,
    `${home.origin}/v1/sessions`,
    'http://localhost/v1/sessions',
    `file:///v1/sessions`,
    `http:///${host}/v1/sessions`,
    `http:/v1/sessions`,
    `http:v1/sessions`,
    `//${host}/v1/sessions`,
    `///${host}/v1/sessions`,
    `/\\${host}/v1/sessions`,
    `\\\\${host}/v1/sessions`,
    host,
    'v1/sessions',
    '?limit=3',
  ];
  for (const target of targets)
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) expect(await answerTo(target, method), target).toBe(400);
  expect(await answerTo(host, 'CONNECT')).not.toBe(200);
  expect([...home.seen, ...victim.seen]).toEqual([]);
});

it('a decision about an action is served at the home of whose task it is, and its list at that of the caller', async () => {
  const home = await serve((_, response) => sendJson(response, { from: 'home' }));
  const adas = at(home);
  const homes: Homes = {
    ...adas,
    find: (owner) => (owner === 'ada' ? adas.find(owner) : Promise.resolve({ kind: 'here' })),
  };
  const engine = stubEngine({
    approvals: async () => ({ items: [], next: null }),
    approvalOwner: async (id) => (id === 'approval-1' ? 'ada' : null),
    decideApproval: async () => {},
  });
  const { port } = await startHttpOn(engine, { homes });
  const decide = (id: string) => ask(port, `/v1/approvals/${id}/decision`, { body: { type: 'approve' } });
  expect((await decide('approval-1')).json).toEqual({ from: 'home' });
  expect((await decide('approval-2')).status).toBe(204);
  expect((await ask(port, '/v1/approvals')).status).toBe(200);
  expect(home.seen).toHaveLength(1);
});
