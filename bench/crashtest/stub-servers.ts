import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerTo, readQuestion } from './answers.ts';
import type { Ledger, ToolRun } from './ledger.ts';
import type { Moments } from './moments.ts';
import type { OpenEffects } from './open-effect.ts';
import type { Random } from './random.ts';

/** Longest time of an answer or tool, in milliseconds: long enough to be killed in, short enough for many. */
const WORK_MS_MAX = 30;

/** The webhook refuses one post in this many. */
const REFUSED_ONE_IN = 20;

/**
 * Stub servers for everything outside the service: the model at `/v1/messages`, the tools' ledger at `/tools` and the
 * webhook at `/hook`.
 */
export interface StubServers {
  url: string;
  close(): Promise<void>;
}

interface StubDependencies {
  ledger: Ledger;
  moments: Moments;
  random: Random;
  openEffects: Pick<OpenEffects, 'of'>;
}

const json = (response: ServerResponse, body: unknown, done: () => void): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body), done);
};

/** Starts them on a free port. Everything is in the ledger before the service gets a response. */
export const startStubServers = async ({
  ledger,
  moments,
  random,
  openEffects,
}: StubDependencies): Promise<StubServers> => {
  const sell = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const question = readQuestion(JSON.parse(await text(request)));
    const { contract, goal, session_id } = question;
    const answer = ledger.purchases.length + 1;
    // A fork has its task's goal, so it is unclear whose answer this is.
    const isRivals = ledger.rivals.has(session_id);
    const [, life] = /^Bearer life-(\d+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (life === undefined) throw new Error('a request without the key of its process');
    if (!isRivals) {
      const effect_id = openEffects.of(session_id, goal, question.prompt);
      ledger.purchases.push({ answer, life: Number(life), session_id, goal, contract, effect_id });
    }
    moments.passed('model-asked');
    await sleep(random.below(WORK_MS_MAX));
    const said = answerTo(question, answer);
    const message = {
      id: `msg_${answer}`,
      type: 'message',
      role: 'assistant',
      model: 'crashtest',
      content: [
        ...(said.text === '' ? [] : [{ type: 'text', text: said.text }]),
        ...said.calls.map(({ name, input }, i) => ({ type: 'tool_use', id: `toolu_${answer}_${i}`, name, input })),
      ],
      stop_reason: said.calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: answer, output_tokens: 1 },
    };
    json(response, message, () => moments.passed('model-answered'));
  };

  const runTool = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { tool, effect_id, life } = JSON.parse(await text(request)) as Omit<ToolRun, 'run'>;
    const run = ledger.runs.length + 1;
    ledger.runs.push({ run, life, tool, effect_id });
    moments.passed('tool-begun');
    await sleep(random.below(WORK_MS_MAX));
    json(response, `run ${run}`, () => moments.passed('tool-ended'));
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    ledger.callbacks.push({ id: String(request.headers['webhook-id']), body: await text(request) });
    await sleep(random.below(WORK_MS_MAX));
    response.writeHead(random.below(REFUSED_ONE_IN) === 0 ? 503 : 204).end();
  };

  const server = createServer((request, response) => {
    const serve = request.url === '/hook' ? receive : request.url === '/tools' ? runTool : sell;
    serve(request, response).catch((error: unknown) => {
      // A process killed during a request leaves half a body behind. Any other failure is a bug of the test.
      if (request.complete)
        ledger.violations.push({ rule: 'requestRefused', detail: `the stub server failed: ${error}` });
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
