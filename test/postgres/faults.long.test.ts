import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { replay } from '../../src/history/replay.ts';
import { openPostgresDatabase } from '../../src/store/postgres/database.ts';
import { delayed } from '../support/anthropic/answers.ts';
import { startCli } from '../support/cli/cli-process.ts';
import { schemaUrl } from '../support/postgres/database-of.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { answer, ask, done, plan } from '../support/service/answers.ts';
import { shutGate } from '../support/service/gate.ts';
import { type MortalService, startMortal } from '../support/service/mortal-service.ts';
import { sendTurn } from '../support/service/sent-turn.ts';

interface OnPostgres {
  server: PostgresServer;
  url: string;
  service: MortalService;
}

/** A server that a test may do anything to, and a service on it. */
const startOnPostgres = async (): Promise<OnPostgres> => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const url = await schemaUrl(server.address, 'faults');
  return { server, url, service: await startMortal({ TRIPACT_DATABASE_URL: url }) };
};

const traceOf = async (service: MortalService, session: string): Promise<TraceEntry[]> =>
  (await (await fetch(`${service.url}/v1/sessions/${session}/trace`)).text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceEntry);

/** Asks until the service answers so, as a balancer does. */
const until = async (service: MortalService, status: number): Promise<void> => {
  while ((await fetch(`${service.url}/readyz`)).status !== status) await pause(50);
};

/** Runs statements as the operator of the database. */
const tell = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
};

/** Makes a database read-only or not, for all connections. */
const makeReadOnly = (url: string, is: 'on' | 'off'): Promise<void> =>
  tell(
    url,
    'SET default_transaction_read_only = off',
    `ALTER DATABASE postgres SET default_transaction_read_only = ${is}`,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tripact'",
  );

const SESSIONS = Array.from({ length: 8 }, (_, i) => `s${i}`);

it('a database that is killed in mid-turn costs no answer, and no model call is bought again', async () => {
  const { server, service } = await startOnPostgres();
  const { model } = service;
  const gate = shutGate();
  model.answer({
    plan: plan('write it down'),
    thought: delayed(gate.opened, done('written')),
    replan: answer('Done.'),
  });
  const sent = await Promise.all(SESSIONS.map((session) => sendTurn(service.url, session, 'note it')));
  await model.asked(2 * SESSIONS.length);
  await server.kill();
  gate.open();
  await until(service, 503);
  const refused = await fetch(`${service.url}/v1/sessions`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  await server.start();
  await until(service, 200);
  for (const turn of sent) expect(await turn.finished()).toMatchObject({ status: 'answered', output: 'Done.' });
  for (const session of SESSIONS) {
    const trace = await traceOf(service, session);
    expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
  }
  expect(model.requests).toHaveLength(3 * SESSIONS.length);
});

it('a question waits in the database through a kill -9 of the service and of the database', async () => {
  const { server, service } = await startOnPostgres();
  service.model.answer([plan('book it'), ask('Which room?'), answer('Booked.')]);
  const asking = await service.say('s1', 'book a room');
  expect(asking).toMatchObject({ status: 'asking', question: 'Which room?' });
  await service.kill();
  await server.kill();
  await server.start();
  await service.start();
  expect(await service.get(`/v1/turns/${asking.id}`)).toEqual(asking);
  expect(await service.say('s1', 'the small one')).toMatchObject({ output: 'Booked.', task_id: asking.task_id });
});

it('a database that accepts no writes is read, and a write is 503 until it accepts one', async () => {
  const { url, service } = await startOnPostgres();
  service.model.answer([plan(), done(), answer('Hello.'), plan(), done(), answer('Again.')]);
  const before = await service.say('s1', 'hello');
  await makeReadOnly(url, 'on');
  await expect(sendTurn(service.url, 's1', 'again')).rejects.toThrow('503');
  expect(await service.get(`/v1/turns/${before.id}`)).toEqual(before);
  await makeReadOnly(url, 'off');
  await until(service, 200);
  expect(await service.say('s1', 'again')).toMatchObject({ output: 'Again.' });
});

it('sessions get numbers again once the database gives some, though it gave none when they ran out', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const db = await openPostgresDatabase({ url: server.address, opening: {}, log: pino({ level: 'silent' }) });
  onTestFinished(() => db.close());
  const first = await db.newSessionId();
  await makeReadOnly(server.address, 'on');
  const block = 1_000;
  for (let i = 1; i < block; i += 1) await db.newSessionId();
  await expect(db.newSessionId()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await makeReadOnly(server.address, 'off');
  await expect.poll(() => db.newSessionId().catch(() => null)).toBe(first + block);
});

it('a service does not start on a database that another one uses, that is unreachable, or that is not one', async () => {
  const { server, url, service } = await startOnPostgres();
  const start = async (address: string) => {
    const { code, stderr } = await startCli(['serve'], {
      env: { TRIPACT_PORT: '0', TRIPACT_MODEL: 'offline', TRIPACT_DATABASE_URL: address },
    }).ended;
    return `${code} ${stderr}`;
  };
  expect(await start(url)).toMatch(/^1 .*Another service uses this database; stop it/s);
  await service.kill();
  await tell(server.address, 'CREATE SCHEMA theirs; CREATE TABLE theirs.sessions (id int)');
  expect(await start(await schemaUrl(server.address, 'theirs'))).toMatch(/^1 .*tables of another program/s);
  await tell(server.address, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  expect(await start(server.address.replace(/postgres$/, 'latin'))).toMatch(/^1 .*ENCODING 'UTF8'/s);
  await tell(url, "UPDATE meta SET value = '99' WHERE key = 'schema_version'");
  expect(await start(url)).toMatch(/^1 .*version 99; this Tripact supports versions up to/s);
  await server.kill();
  expect(await start(url)).toMatch(/^1 .*cannot be used.*ECONNREFUSED.*check its address/s);
});

it('a session is removed while a model call is being kept that was told the same as its own', async () => {
  const { url, service } = await startOnPostgres();
  service.model.answer({ plan: plan(), thought: done(), replan: answer('Hello.') });
  await service.say('s1', 'hello');
  await service.say('s2', 'hello');
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const client = await connect();
  // In a transaction this view stays as it was first read.
  const watcher = await connect();
  const kept = async (): Promise<number> =>
    (await client.query('SELECT 1 FROM model_calls WHERE system IS NOT NULL')).rows.length;
  while ((await kept()) < 6) await pause(50);
  const columns =
    'effect, at, contract, model, duration_ms, outcome, prompt_chars, answer_chars, structured_output, body, system';
  const taskOf = (session: string): string =>
    `(SELECT t.id FROM tasks t JOIN sessions s ON s.id = t.session WHERE s.session_id = '${session}')`;
  await client.query(`DELETE FROM model_calls WHERE task = ${taskOf('s2')}`);
  await client.query('BEGIN');
  await client.query(`INSERT INTO model_calls (owner, task, ${columns})
    SELECT owner, ${taskOf('s2')}, ${columns} FROM model_calls WHERE task = ${taskOf('s1')} ORDER BY id LIMIT 1`);
  const removed = fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' });
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%prompt_texts%'";
  while ((await watcher.query(waiting)).rows.length === 0) await pause(50);
  await client.query('COMMIT');
  expect((await removed).status).toBe(204);
  expect(await kept()).toBe(1);
});
