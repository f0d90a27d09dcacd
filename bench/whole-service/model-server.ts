import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIFE_MS_MAX, SESSION_IN_GOAL } from './load.ts';

/** A report since the previous one. The message `count` returns the current one without ending it. */
export interface ModelReport {
  /** Milliseconds by session, between the arrival of requests and the departure of answers. */
  ownTime: Record<string, number>;
  /** Bodies of the requests of the first session, in order. */
  bodies: string[];
  /** When the first request arrived, in milliseconds since the epoch; null: none did. */
  firstAt: number | null;
  /** The number of requests. */
  received: number;
  /** When the first text of a streamed answer was sent, in milliseconds since the epoch, by session. */
  firstTextAt: Record<string, number>;
}

const steps = 'The notes name the parts that changed, so compare them with the tests before going on. '.repeat(3);

interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** One call a message, so that a turn takes as many requests as documented. */
const answers = {
  plan: { name: 'plan', input: { items: ['Note what the release still needs, then sum it up'] } },
  act: { name: 'todo', input: { input: 'add check the parts of the release' } },
  done: { name: 'item_done', input: { result: 'It is noted. '.repeat(8) } },
  answer: { name: 'finish', input: { response: 'The release was checked, and one thing is left to do. '.repeat(4) } },
  longAnswer: { name: 'finish', input: { response: 'It was checked. '.repeat(100) } },
};

/** The contract that is due, by the end of the prompt. */
const contractOf = (body: string): string | undefined => /(?:Contract|Due): (plan|thought|replan)\\n/.exec(body)?.[1];

const answerTo = (body: string): Call => {
  const contract = contractOf(body);
  if (contract === 'plan') return answers.plan;
  if (contract === 'replan') return answers.answer;
  return body.includes('<result of=') ? answers.done : answers.act;
};

const messageOf = ({ name, input }: Call) => ({
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [
    { type: 'text', text: steps },
    { type: 'tool_use', id: 'toolu_bench', name, input },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 812, output_tokens: 77 },
});

const nothing = (): ModelReport => ({ ownTime: {}, bodies: [], firstAt: null, received: 0, firstTextAt: {} });

let report = nothing();
let first: string | undefined;
let streams = false;

/** The delay of an answer in milliseconds, the share by which it varies, and the pieces of the closing answer. */
const [ms, spread, pieces] = process.argv.slice(2).map(Number) as [number, number, number];

/** Milliseconds between two pieces of a streamed answer: about 60 a second. */
const PIECE_MS = 16;

/** Writes an answer as a stream of `pieces` events, or after the same time as a whole. */
const writeSlowly = async (response: ServerResponse, body: string, session: string): Promise<void> => {
  const isStream = streams && body.includes('"stream":true');
  const { input } = answers.longAnswer;
  const answer = JSON.stringify(input);
  const message = messageOf(answers.longAnswer);
  const size = Math.ceil(answer.length / pieces);
  const textAt = answer.indexOf(input.response);
  const write = (data: { type: string; [key: string]: unknown }): void =>
    void response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    write({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
    const block = { type: 'tool_use', id: 'toolu_bench', name: 'finish', input: {} };
    write({ type: 'content_block_start', index: 0, content_block: block });
  }
  for (let at = 0; at < answer.length; at += size) {
    const delta = { type: 'input_json_delta', partial_json: answer.slice(at, at + size) };
    if (isStream) write({ type: 'content_block_delta', index: 0, delta });
    if (at + size > textAt) report.firstTextAt[session] ??= performance.timeOrigin + performance.now();
    await sleep(PIECE_MS);
  }
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    return;
  }
  write({ type: 'content_block_stop', index: 0 });
  write({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: message.usage });
  write({ type: 'message_stop' });
  response.end();
};

/** A model that answers every `POST /v1/messages` after about `ms`, whatever else is asked at the same time. */
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
      if (pieces > 0 && contractOf(body) === 'replan') return void writeSlowly(response, body, session);
      const message = JSON.stringify(messageOf(answerTo(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(message);
      report.ownTime[session] = (report.ownTime[session] ?? 0) + performance.now() - began;
    },
    ms * (1 + spread * (2 * Math.random() - 1)),
  );
});
// On a busy machine a connection may wait longer for its next request than the default of 5 s.
server.keepAliveTimeout = LIFE_MS_MAX;
// Connections arrive a thousand at a time.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  process.send?.((server.address() as AddressInfo).port),
);

process.on('message', (message) => {
  process.send?.(report);
  if (message === 'stream' || message === 'whole') streams = message === 'stream';
  if (message === 'count') return;
  report = nothing();
  first = undefined;
});
process.on('disconnect', () => process.exit());
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();
