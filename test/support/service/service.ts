import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { type App, type AppParts, buildApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import type { MessagesScript } from '../anthropic/messages.ts';
import { type MessagesServer, startMessagesServer } from '../anthropic/server.ts';
import { makeStoreDir } from '../engine/empty-store.ts';
import { turnIn } from '../http/send-request.ts';
import { databaseSetting } from '../postgres/database-of.ts';

export { act, answer, ask, done, plan, replanned } from './answers.ts';

/** The service on a free port with the real SDK against a scripted `/v1/messages`, used only over HTTP. */
export interface Service {
  url: string;
  /** The engine behind it, for operations that no caller has. */
  engine: Engine;
  model: MessagesServer;
  /** Sends a turn and waits for its end. */
  say(session: string, input: string, body?: Record<string, unknown>): Promise<TurnView & { task: TaskView }>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get<Body>(path: string): Promise<Body>;
  trace(session: string): Promise<TraceEntry[]>;
  /** The contracts that the model was asked for, in order. */
  contracts(): string[];
  /** Stops the service in order and restarts it on the same data folder. */
  restart(env?: Record<string, string>): Promise<void>;
}

/** The accept queue is as long as that of `tripact serve`. */
const BACKLOG = 4_096;

/** Starts it; stopped when the test ends. */
export const startService = async (
  script: MessagesScript,
  env: Record<string, string> = {},
  parts: Partial<AppParts> = {},
): Promise<Service> => {
  const dataDir = makeStoreDir();
  const model = await startMessagesServer(script);
  let app: App;
  let url = '';
  const start = async (more: Record<string, string>): Promise<void> => {
    const config = loadConfig({
      TRIPACT_DATA_DIR: dataDir,
      ...(await databaseSetting(dataDir)),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-test-0123456789',
      ...env,
      ...more,
    });
    // The event loop is also that of the tests, so its delay does not reflect the service's load.
    const httpLimits = { loopDelayMsMax: Number.POSITIVE_INFINITY };
    app = await buildApp({ config, log: createLog({ level: 'silent' }), version: '0.0.0', httpLimits, ...parts });
    await app.http.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
    url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  };
  await start({});
  onTestFinished(async () => {
    // Running tasks, for example with a model that never answers, are aborted at once: nobody awaits their outcome.
    await app.engine.drain(0);
    await app.close();
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const lines = async (path: string): Promise<TraceEntry[]> => {
    const text = await (await fetch(url + path)).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as TraceEntry);
  };
  return {
    get url() {
      return url;
    },
    get engine() {
      return app.engine;
    },
    model,
    post,
    say: async (session, input, body = {}) => {
      const response = await post(`/v1/sessions/${session}/turns`, { input, ...body });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return turnIn(await response.text()) as TurnView & { task: TaskView };
    },
    get: async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body,
    trace: (session) => lines(`/v1/sessions/${session}/trace`),
    contracts: () => model.requests.map(({ contract }) => String(contract)),
    restart: async (more = {}) => {
      await app.close();
      await start(more);
    },
  };
};
