import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LIFE_MS_MAX, SESSION_IN_GOAL } from './load.ts';

/** A report since the one before; to the message `count` that so far, and it goes on. */
export interface ModelReport {
  /** Milliseconds by session, from the requests' coming in to their answers' going out. */
  ownTime: Record<string, number>;
  /** Bodies of the requests of the first session that asked, in order. */
  bodies: string[];
  /** When the first request came in, in milliseconds since the epoch; null for none. */
  firstAt: number | null;
  /** Requests that came in. */
  received: number;
}

const steps = 'The notes name the parts that changed, so compare them with the tests before going on. '.repeat(3);

const answers = {
  plan: { status: 'planned', plan: ['Note what the release still needs, then sum it up'] },
  act: {
    status: 'continue',
    current_step: steps,
    next_action: { tool: 'todo', input: 'add check the parts of the release' },
    question: null,
    response: null,
  },
  done: { status: 'done', current_step: steps, next_action: null, question: null, response: 'It is noted. '.repeat(8) },
  answer: { status: 'done', plan: [], response: 'The release was checked, and one thing is left to do. '.repeat(4) },
};

const answerTo = (body: string): object => {
  if (body.includes('Contract: plan')) return answers.plan;
  if (body.includes('Contract: replan')) return answers.answer;
  return body.includes('source=\\"tool:') ? answers.done : answers.act;
};

const messageTo = (body: string): string =>
  JSON.stringify({
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [{ type: 'text', text: JSON.stringify(answerTo(body)) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 812, output_tokens: 77 },
  });

const nothing = (): ModelReport => ({ ownTime: {}, bodies: [], firstAt: null, received: 0 });

let report = nothing();
let first: string | undefined;

/** How long an answer takes in milliseconds, and the share by which it may take longer or shorter. */
const [ms, spread] = process.argv.slice(2).map(Number) as [number, number];

/** A model that answers every `POST /v1/messages` after about `ms`, whatever is asked at the same time. */
const server = createServer(async (request, response) => {
  const began = performance.now();
  report.received += 1;
  report.firstAt ??= performance.timeOrigin + began;
  const body = await text(request);
  const session = SESSION_IN_GOAL.exec(body)?.[1] ?? '';
  first ??= session;
  if (session === first) report.bodies.push(body);
  setTimeout(
    () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(messageTo(body));
      report.ownTime[session] = (report.ownTime[session] ?? 0) + performance.now() - began;
    },
    ms * (1 + spread * (2 * Math.random() - 1)),
  );
});
// On a busy machine a connection may wait longer for its next request than the default of 5 s.
server.keepAliveTimeout = LIFE_MS_MAX;
// Connections come a thousand at a time.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  process.send?.((server.address() as AddressInfo).port),
);

process.on('message', (message) => {
  process.send?.(report);
  if (message === 'count') return;
  report = nothing();
  first = undefined;
});
process.on('disconnect', () => process.exit());
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();
