import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { answersByGoal } from '../anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../anthropic/messages.ts';
import { startMessagesServer } from '../anthropic/server.ts';
import { temporaryFolder } from '../cli/cli-process.ts';
import { type SentTurn, sendTurn } from '../service/sent-turn.ts';
import { answer, done, plan } from '../service/service.ts';
import { startWatchedService, type WatchedService } from '../service/watched-service.ts';

/** Longest that one hostile input may block the event loop, in milliseconds of CPU: beyond it every caller notices. */
const BLOCKED_MS_MAX = 250;

/** The real service in a process of its own, on a model that behaves by the task's goal. */
export interface AttackedService {
  readonly serve: WatchedService;
  /** Opens a task in a session of the goal's own, and does not wait for it. */
  open(goal: string): Promise<SentTurn>;
  /** Works on a whole task of another session, and throws where it is not answered. */
  answersOthers(beside: string): Promise<void>;
  /** Cancels the goal's task, and gives the turn's end. */
  cancel(goal: string): Promise<TurnView>;
  /** The times that the loop was blocked for too long since the last call. */
  blockedTooLong(): number[];
  /** Throws unless the goal's history replays and the session takes the next task. */
  keepsPromises(goal: string): Promise<void>;
}

const sessionOf = (goal: string): string => goal.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64);
const aside = (goal: string): string => `Beside ${goal}`;
const after = (goal: string): string => `After ${goal}`;
const ordinary = (): MessagesAnswer[] => [plan(), done(), answer('As ever.')];

/** Starts it. `answers` has the model's answers by goal; tasks beside and after each goal get ordinary answers. */
export const startAttackedService = async (
  answers: Record<string, MessagesAnswer[]>,
  { config, env = {} }: { config?: string; env?: Record<string, string> } = {},
): Promise<AttackedService> => {
  const besides = Object.keys(answers).flatMap((goal) => [aside(goal), after(goal)]);
  const warmUp = 'Warm up';
  const model = await startMessagesServer(
    answersByGoal({ ...answers, ...Object.fromEntries([warmUp, ...besides].map((goal) => [goal, ordinary()])) }),
  );
  onTestFinished(() => model.close());
  const cwd = temporaryFolder();
  if (config !== undefined) writeFileSync(join(cwd, 'tripact.config.ts'), config);
  const serve = await startWatchedService({
    cwd,
    env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url, ...env },
  });
  const { url } = serve;

  const say = async (session: string, input: string): Promise<TurnView> =>
    (await sendTurn(url, session, input)).finished();
  expect(await say('warm-up', warmUp)).toMatchObject({ status: 'answered' });
  let since = Date.now();

  return {
    serve,
    open: (goal) => sendTurn(url, sessionOf(goal), goal),
    answersOthers: async (goal) => {
      expect(await say(sessionOf(aside(goal)), aside(goal)), aside(goal)).toMatchObject({ output: 'As ever.' });
    },
    cancel: (goal) => say(sessionOf(goal), '/cancel'),
    blockedTooLong: () => {
      const blocked = serve.blockedSince(since).filter(({ cpuMs }) => cpuMs > BLOCKED_MS_MAX);
      since = Date.now();
      return blocked.map(({ cpuMs }) => cpuMs);
    },
    keepsPromises: async (goal) => {
      const trace = await (await fetch(`${url}/v1/sessions/${sessionOf(goal)}/trace`)).text();
      const headers = { 'content-type': 'application/x-ndjson' };
      const replayed = await fetch(`${url}/v1/replay`, { method: 'POST', headers, body: trace });
      expect(await replayed.json(), goal).toMatchObject({ ok: true });
      expect(await say(sessionOf(goal), after(goal)), goal).toMatchObject({ status: 'answered' });
      expect(serve.child.exitCode, serve.stderr().slice(-2_000)).toBeNull();
    },
  };
};
