import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silence } from '../support/anthropic/answers.ts';
import { startServe } from '../support/cli/cli-process.ts';
import { finished, read, say, untilServed } from '../support/postgres/client.ts';
import { type Cluster, type Node, startCluster } from '../support/postgres/cluster.ts';
import { act, answer, ask, done, plan, replanned } from '../support/service/answers.ts';
import { PDF, PNG } from '../support/service/sample-files.ts';

/** A tool whose program writes into the session's folder. */
const CONFIG = `
import { execFileSync } from 'node:child_process';
export default {
  builtinTools: ['files'],
  tools: [{
    name: 'page',
    description: 'Fetches a long page',
    usage: '<address>',
    writes: false,
    effect: 'idempotent',
    run: async () => ({ ok: true, result: 'beginning ' + '-'.repeat(20_000) + ' middle ' + '-'.repeat(20_000) + ' end' }),
  }, {
    name: 'report',
    description: 'Writes the report',
    usage: '<text>',
    writes: true,
    effect: 'at_most_once',
    run: async (input, { workspace }) => {
      execFileSync('sh', ['-c', 'mkdir -p out && printf "%s" "$0" > out/report.txt && rm -f draft.txt', input], { cwd: workspace });
      return { ok: true, result: 'written' };
    },
  }],
};`;

const FILES = '/v1/sessions/s1/files';

const put = (cluster: Cluster, node: Node, path: string, body: string): Promise<Response> =>
  untilServed(() => cluster.ask(node, 'ada', `${FILES}/${path}`, { method: 'PUT', body }));

const textOf = async (cluster: Cluster, node: Node, path: string): Promise<string> =>
  (await untilServed(() => cluster.ask(node, 'ada', `${FILES}/${path}`))).text();

const ran = async (cluster: Cluster, node: Node, input: string) =>
  read(await untilServed(() => say(cluster, node, 'ada', input)));

const paths = async (cluster: Cluster, node: Node): Promise<string[]> => {
  const response = await untilServed(() => cluster.ask(node, 'ada', FILES));
  return ((await response.json()) as { files: { path: string }[] }).files.map(({ path }) => path);
};

it('the last files of a session are at each home of its owner, even after nodes are killed', async () => {
  const cluster = await startCluster(2, ['ada']);
  const { model, nodes } = cluster;
  const [first, second] = nodes as [Node, Node];
  for (const node of nodes) writeFileSync(join(node.folder, 'tripact.config.ts'), CONFIG);
  // The second one is home first, and is killed with copies in its folder.
  await second.stop();
  await second.start();
  expect((await put(cluster, second, 'notes/old.txt', 'older')).status).toBe(201);
  expect((await put(cluster, second, 'draft.txt', 'a draft')).status).toBe(201);
  expect((await put(cluster, second, 'gone.txt', 'to be deleted')).status).toBe(201);
  await second.kill();
  await first.stop();
  await first.start();
  expect(await textOf(cluster, first, 'notes/old.txt')).toBe('older');
  expect((await put(cluster, first, 'notes/old.txt', 'newer')).status).toBe(204);
  expect((await cluster.ask(first, 'ada', `${FILES}/gone.txt`, { method: 'DELETE' })).status).toBe(204);
  model.answer({
    plan: plan('Write it down'),
    thought: [act('files', 'write notes/tool.md By the tool'), act('report', 'By a program'), done('written')],
    replan: answer('Written.'),
  });
  expect(await ran(cluster, first, 'Write a report')).toMatchObject({ status: 'answered', output: 'Written.' });
  await first.kill();
  await second.start();
  const copy = join(second.folder, 'data/workspace/.sessions/ada~s1/notes/old.txt');
  expect(readFileSync(copy, 'utf8')).toBe('older');
  await expect
    .poll(() => paths(cluster, second))
    .toEqual(['MISSION.md', 'notes/old.txt', 'notes/tool.md', 'out/report.txt', 'plan.json']);
  expect(await textOf(cluster, second, 'notes/old.txt')).toBe('newer');
  expect(await textOf(cluster, second, 'notes/tool.md')).toBe('By the tool');
  expect(await textOf(cluster, second, 'out/report.txt')).toBe('By a program');
  expect(await textOf(cluster, second, 'MISSION.md')).toContain('Write it down');
  expect(JSON.parse(await textOf(cluster, second, 'plan.json'))).toMatchObject({ status: 'completed' });
  expect((await ran(cluster, second, '/files read out/report.txt')).output).toContain('By a program');
  // A node that leaves in order takes its copies along, and nothing is lost.
  await first.start();
  expect((await ran(cluster, second, '/files append notes/tool.md And more')).status).toBe('ran');
  await second.stop();
  expect(await textOf(cluster, first, 'notes/tool.md')).toBe('By the tool\nAnd more');
  expect((await untilServed(() => cluster.ask(first, 'ada', '/v1/sessions/s1', { method: 'DELETE' }))).status).toBe(
    204,
  );
  expect((await cluster.ask(first, 'ada', FILES)).status).toBe(404);
  expect((await put(cluster, first, 'new.txt', 'new')).status).toBe(201);
  expect(await paths(cluster, first)).toEqual(['new.txt']);
});

it('a long result is read on in at another node, once the first was killed', async () => {
  const cluster = await startCluster(2, ['ada']);
  const { model, nodes } = cluster;
  const [first, second] = nodes as [Node, Node];
  for (const node of nodes) writeFileSync(join(node.folder, 'tripact.config.ts'), CONFIG);
  await second.stop();
  await first.stop();
  await first.start();
  model.answer({
    plan: plan('Fetch it'),
    thought: [act('page', 'a'), ask('Go on?'), act('read_result', '{"id": "3", "from": 20000}'), done('read')],
    replan: [replanned('Read on'), answer('Read.')],
  });
  expect(await ran(cluster, first, 'Read the page')).toMatchObject({ status: 'asking' });
  await first.kill();
  await second.start();
  expect(await ran(cluster, second, 'yes')).toMatchObject({ output: 'Read.', task: { failed_steps: 0 } });
  const prompts = JSON.stringify(model.requests.map(({ body }) => body.messages));
  expect(prompts).toMatch(/-{10} middle -{10}/);
});

it('the files of a turn reach the model from another node, once the one that stored them was killed', async () => {
  const cluster = await startCluster(2, ['ada'], { TRIPACT_MODEL: 'anthropic:claude-test' });
  const { model, nodes } = cluster;
  expect((await ran(cluster, nodes[0]!, '/help')).status).toBe('ran');
  const [home, other] = await cluster.homeAndOther('ada');
  model.answer([silence()]);
  const form = new FormData();
  form.append('input', 'What is it?');
  form.append('files', new Blob([PNG]), 'photo.png');
  form.append('files', new Blob([PDF]), 'bill.pdf');
  const { headers, body } = new Request('http://localhost', { method: 'POST', body: form });
  const bytes = await new Response(body).bytes();
  const sent = {
    method: 'POST',
    headers: {
      'content-type': headers.get('content-type') ?? '',
      'idempotency-key': 'k1',
      prefer: 'respond-async',
    },
    body: bytes,
  };
  const { id } = await read(await untilServed(() => cluster.ask(other, 'ada', '/v1/sessions/s1/turns', sent)));
  await model.asked(1);
  await home.kill();
  model.answer({ plan: plan('Look'), thought: done('red'), replan: answer('Red.') });
  expect(await finished(cluster, other, 'ada', id)).toMatchObject({ output: 'Red.' });
  expect(model.raw.length).toBeGreaterThanOrEqual(4);
  for (const raw of model.raw)
    for (const file of [PNG, PDF]) expect(JSON.stringify(raw)).toContain(file.toString('base64'));
});

it('a data folder with its own sessions is refused beside a database', async () => {
  const { nodes, databaseUrl } = await startCluster(1, ['ada']);
  const [node] = nodes as [Node];
  await node.stop();
  const alone = await startServe({ cwd: join(node.folder, 'data') });
  const body = JSON.stringify({ input: '/help' });
  const sent = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${alone.url}/v1/sessions/s1/turns`, sent)).status).toBe(200);
  alone.child.kill('SIGKILL');
  await alone.ended;
  const env = { TRIPACT_DATABASE_URL: databaseUrl, TRIPACT_DATA_DIR: join(node.folder, 'data/data') };
  await expect(startServe({ cwd: node.folder, env })).rejects.toThrow(/TRIPACT_DATA_DIR to an empty folder/);
});
