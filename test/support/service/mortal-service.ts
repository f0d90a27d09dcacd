import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { type MessagesServer, startMessagesServer } from '../anthropic/server.ts';
import { startServe, temporaryFolder } from '../cli/cli-process.ts';
import { freePort } from '../http/free-port.ts';
import { sendTurn } from './sent-turn.ts';

/** The real service in its own process on the real SDK, to be killed and restarted on the same folder and port. */
export interface MortalService {
  model: MessagesServer;
  cwd: string;
  url: string;
  get<Body>(path: string): Promise<Body>;
  say(session: string, input: string): Promise<TurnView & { task: TaskView }>;
  /** Resolves once its process is dead, whoever killed it. */
  ended(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  killAndStart(): Promise<void>;
}

/** Starts it, with the text of its configuration file if it has one. Its model answers nothing until it gets a script. */
export const startMortal = async (more: Record<string, string> = {}, config?: string): Promise<MortalService> => {
  const model = await startMessagesServer([]);
  onTestFinished(() => model.close());
  const cwd = temporaryFolder();
  if (config !== undefined) writeFileSync(join(cwd, 'tripact.config.ts'), config);
  const port = String(await freePort());
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url, TRIPACT_PORT: port, ...more };
  let serve = await startServe({ cwd, env });
  const { url } = serve;
  const kill = async (): Promise<void> => {
    serve.child.kill('SIGKILL');
    await serve.ended;
  };
  const start = async (): Promise<void> => {
    serve = await startServe({ cwd, env });
  };
  return {
    model,
    cwd,
    url,
    ended: async () => void (await serve.ended),
    kill,
    start,
    get: async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body,
    say: async (session, input) =>
      (await sendTurn(url, session, input)).finished(url) as Promise<TurnView & { task: TaskView }>,
    killAndStart: async () => {
      await kill();
      await start();
    },
  };
};
