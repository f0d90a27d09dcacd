import {
  createMcpHandler,
  createRequestStateCodec,
  McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TurnRequest } from '../../../../contracts/http.ts';
import { SessionId } from '../../../../contracts/ids.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { questionId } from '../../../projections/question.ts';
import type { Submission } from '../../conversations.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { sessionNamed } from '../request.ts';
import { type AskedState, answerIn, dataResult, failedResult, Reply, replyResult, resultOf } from './results.ts';

/** The HTTP request that a call came by. */
interface HttpCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

const INSTRUCTIONS =
  'Tripact plans a goal and works through the plan with its own tools. "run" takes a goal; give the session that it returns to every later call, so that goals can refer to earlier ones. ' +
  'A question is answered by "answer", a paused task goes on by "continue".';

const session = SessionId.describe('The session that an earlier call returned');

/** Makes the server for one call: its tools submit turns and show what came of them. */
const createServer = (
  { engine, conversations, tools, waiting, version }: ProtocolParts,
  codec: RequestStateCodec<AskedState>,
  { request, reply }: HttpCall,
): McpServer => {
  const { owner } = request;
  const server = new McpServer(
    { name: 'tripact', version },
    { instructions: INSTRUCTIONS, requestState: { verify: codec.verify } },
  );

  /** Reports progress to a client that asked for it, until the turn is finished. */
  const finished = async (turn: TurnView, { mcpReq }: ServerContext): Promise<TurnView> => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return engine.wait(owner, turn.id, disconnectSignal(reply));
    const shown = renderTurn<string | TurnView>(conversations.updates(owner, turn, disconnectSignal(reply)), {
      reasoning: { delta: (line) => [line.slice(0, -1)] },
      end: (record) => [record.turn],
    });
    let progress = 0;
    for await (const message of shown) {
      if (typeof message !== 'string') return message;
      progress += 1;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
    }
    return turn;
  };

  const say = async (submission: Submission, ctx: ServerContext) => {
    waiting.take(request, reply);
    return finished((await conversations.submit(request, reply, submission)).turn, ctx);
  };

  /** Answers the question that this call's client asked its user; the call itself is the first one again. */
  const answerAsked = async ({ session, turn_id, question }: AskedState, ctx: ServerContext) => {
    const turn = answerIn(ctx);
    if (turn === null) return replyResult(await engine.turn(owner, turn_id));
    const place = { session_id: session, answers: question, idempotency_key: `mcp-${turn_id}` };
    return resultOf(await say({ ...place, turn }, ctx), ctx, codec);
  };

  const orFailure = <Result>(work: () => Promise<Result>) =>
    work().catch((error: Error) => failedResult(error, request));

  /** A tool that says something in a session, and gives what came of it. */
  const turnTool = <Fields extends z.ZodRawShape>(
    name: string,
    description: string,
    fields: Fields,
    turnOf: (args: z.infer<z.ZodObject<Fields>>) => Submission | Promise<Submission>,
  ): void => {
    const config = { description, inputSchema: z.object(fields), outputSchema: Reply };
    server.registerTool(name, config, (args: z.infer<z.ZodObject<Fields>>, ctx: ServerContext) =>
      orFailure(async () => {
        const asked = ctx.mcpReq.requestState<AskedState>();
        if (asked !== undefined) return answerAsked(asked, ctx);
        return resultOf(await say(await turnOf(args), ctx), ctx, codec);
      }),
    );
  };

  turnTool(
    'run',
    'Works on a goal until it is reached, or a question or a pause comes up.',
    { goal: TurnRequest.shape.input.unwrap().describe('The goal, in words'), session: session.optional() },
    ({ goal, session = sessionNamed(crypto.randomUUID()) }) => ({ session_id: session, turn: { input: goal } }),
  );
  turnTool(
    'answer',
    'Answers the question that a session asks: in words, or with a decision about the action that waits for a yes.',
    {
      session,
      answer: TurnRequest.shape.input,
      decision: z.enum(['approve', 'approve_always', 'reject']).optional(),
      reason: z.string().min(1).optional().describe('Why an action is rejected'),
    },
    async ({ session, answer, decision: type, reason }) => {
      if ((answer === undefined) === (type === undefined))
        throw new ServiceError('INVALID_REQUEST', 'Give either an "answer" or a "decision"');
      const { active_task } = await engine.session(owner, session);
      const answers = active_task === null ? null : questionId(active_task);
      if (answers === null) throw new ServiceError('QUESTION_NOT_OPEN', 'This session asks nothing now');
      const decision = type === undefined ? {} : { decision: { type, ...(reason !== undefined && { reason }) } };
      return { session_id: session, turn: { input: answer, ...decision }, answers };
    },
  );
  turnTool(
    'continue',
    'Lets a paused task go on; without a task the one that was paused last.',
    { session, task_id: z.string().max(64).optional() },
    ({ session, task_id }) => ({
      session_id: session,
      turn: { input: task_id === undefined ? 'continue' : `/resume ${task_id}` },
    }),
  );
  // The lists that a user changes by slash command.
  const lists = tools
    .list()
    .filter(({ effect, isCommand, writes }) => effect === 'transactional' && isCommand && writes);
  for (const { name, description, usage } of lists)
    turnTool(
      name,
      `${description} One command line:\n${usage}`,
      { session: session.optional(), command: z.string().min(1).max(4_000) },
      ({ session = 'mcp', command }) => ({ session_id: session, turn: { input: `/${name} ${command}` } }),
    );

  server.registerTool(
    'cancel',
    { description: 'Cancels a task that has not ended.', inputSchema: z.object({ task_id: z.string().max(64) }) },
    ({ task_id }) => orFailure(async () => dataResult({ task: await engine.cancel(owner, task_id) })),
  );
  server.registerTool(
    'status',
    {
      description: 'Shows a task, or a session with its active task, or else everything that waits for its user.',
      inputSchema: z.object({ task_id: z.string().max(64).optional(), session: session.optional() }),
    },
    ({ task_id, session }) =>
      orFailure(async () => {
        if (task_id !== undefined) return dataResult({ task: await engine.task(owner, task_id) });
        if (session !== undefined) return dataResult({ ...(await engine.session(owner, session)) });
        const { items } = await engine.waiting(owner, ['awaiting_user', 'paused'], { limit: 100 });
        return dataResult({ waiting: items });
      }),
  );
  return server;
};

/** How long a question that a client asks its user can be answered by it, in seconds; by the tool `answer` it can be for ever. */
const ASKED_SECONDS = 7 * 24 * 3_600;

/** Most messages of one request: the library answers all of them in one piece of work, a list of tools in 2 ms each. */
const BATCH_MAX = 10;

/** The request as the web has it. The library reads no address, so the caller's `Host` is left out, and its body is given parsed beside it. */
const webRequest = ({ method, headers }: FastifyRequest, signal: AbortSignal): Request => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request('http://localhost/mcp', { method, headers: given, body: '{}', signal });
};

/** Makes the handler of MCP. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const codec = createRequestStateCodec<AskedState>({
    key: parts.signingKey(),
    ttlSeconds: ASKED_SECONDS,
    bind: ({ http }) => http?.authInfo?.clientId ?? '',
  });
  const handler = createMcpHandler(({ authInfo }) =>
    createServer(parts, codec, authInfo?.extra as unknown as HttpCall),
  );
  return {
    mcp: async (request, reply) => {
      if (Array.isArray(request.body) && request.body.length > BATCH_MAX)
        throw new ServiceError('INPUT_TOO_LARGE', `A request has at most ${BATCH_MAX} messages`);
      const call: HttpCall = { request, reply };
      return handler.fetch(webRequest(request, disconnectSignal(reply)), {
        parsedBody: request.body,
        authInfo: { token: '', clientId: request.owner, scopes: [], extra: { ...call } },
      });
    },
  };
};
