import {
  type CallToolResult,
  createMcpHandler,
  createRequestStateCodec,
  type InputRequiredResult,
  McpServer,
  type RequestStateCodec,
  type ServerContext,
  type ToolAnnotations,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TurnRequest } from '../../../../contracts/http.ts';
import { SessionId } from '../../../../contracts/ids.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { Submission } from '../conversations.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { decided, rpcFailure, sessionNamed } from '../request.ts';
import {
  type AskedState,
  answerIn,
  dataResult,
  failedResult,
  listedTurn,
  Reply,
  replyResult,
  resultOf,
} from './results.ts';

interface HttpCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

const callOf = ({ http }: ServerContext): HttpCall => http?.authInfo?.extra as unknown as HttpCall;

const INSTRUCTIONS =
  'Tripact plans a goal and works through the plan with its own tools. "run" takes a goal; give the session that it returns to every later call, so that goals can refer to earlier ones. ' +
  'A question is answered by "answer", a paused task goes on by "continue". What became of a call that timed out is shown by "status".';

const session = SessionId.describe('The session that an earlier call returned');
const taskId = z.string().max(64);

/**
 * How long a client's user can answer a question by the client's form, in seconds. The tool `answer` works at any time.
 */
const ASKED_SECONDS = 7 * 24 * 3_600;

/** Most sessions listed with their last turn, and most tasks of a session searched for a paused one. */
const LISTED_MAX = 20;
const TASKS_READ_MAX = 1_000;

const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

/** Whether a host can show its user a form, by its declaration. An empty declaration predates links and means forms. */
const takesForms = (elicitation: { form?: unknown; url?: unknown } | undefined): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/** Creates a server. Its tools submit turns and return their results. */
const createServer = (
  { engine, conversations, tools, waiting, version }: ProtocolParts,
  codec: RequestStateCodec<AskedState>,
): McpServer => {
  const server = new McpServer(
    { name: 'tripact', version },
    {
      instructions: INSTRUCTIONS,
      // The tools of a process never change.
      capabilities: { tools: { listChanged: false } },
      requestState: { verify: codec.verify },
      inputRequired: { roundTimeoutMs: ASKED_SECONDS * 1_000 },
    },
  );
  const canElicit = (): boolean => takesForms(server.server.getClientCapabilities()?.elicitation);

  /**
   * Reports progress to a client that asked for it until the turn is finished. The first message names the session and
   * task.
   */
  const finished = async (turn: TurnView, ctx: ServerContext): Promise<TurnView> => {
    const { request, reply } = callOf(ctx);
    const { mcpReq } = ctx;
    const progressToken = mcpReq._meta?.progressToken;
    let progress = 0;
    for await (const update of conversations.updates(request.owner, turn, disconnectSignal(reply))) {
      if (update.type === 'finished') return update.turn;
      const found = update.type === 'task' && progress === 0 && `session ${turn.session_id} · task ${update.task.id}`;
      const message = update.type === 'progress' ? update.text : found;
      if (message === false || progressToken === undefined) continue;
      progress += 1;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
    }
    return turn;
  };

  const say = async (submission: Submission, ctx: ServerContext) => {
    const { request, reply } = callOf(ctx);
    waiting.take(request, reply);
    const { turn } = await conversations.submit(request, reply, submission);
    return resultOf(await finished(turn, ctx), ctx, codec, canElicit());
  };

  /** Answers the question that this call's client asked its user. The call itself repeats the first one. */
  const answerAsked = async ({ session, turn_id, question }: AskedState, ctx: ServerContext) => {
    const turn = answerIn(ctx);
    if (turn === null) return replyResult(await engine.turn(callOf(ctx).request.owner, turn_id));
    return say({ session_id: session, answers: question, idempotency_key: `mcp-${turn_id}`, turn }, ctx);
  };

  const addTool = <Fields extends z.ZodRawShape>(
    name: string,
    config: { description: string; annotations: ToolAnnotations; outputSchema?: typeof Reply },
    fields: Fields,
    result: (args: z.infer<z.ZodObject<Fields>>, ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>,
  ): void => {
    server.registerTool(
      name,
      { ...config, inputSchema: z.object(fields) },
      (args: z.infer<z.ZodObject<Fields>>, ctx: ServerContext) =>
        result(args, ctx).catch((error: Error) => failedResult(error, callOf(ctx).request)),
    );
  };

  /** A tool that submits an input to a session and returns the finished turn. */
  const turnTool = <Fields extends z.ZodRawShape>(
    name: string,
    description: string,
    annotations: ToolAnnotations,
    fields: Fields,
    turnOf: (args: z.infer<z.ZodObject<Fields>>, owner: string) => Submission | Promise<Submission>,
  ): void =>
    addTool(name, { description, annotations, outputSchema: Reply }, fields, async (args, ctx) => {
      const asked = ctx.mcpReq.requestState<AskedState>();
      return asked === undefined ? say(await turnOf(args, callOf(ctx).request.owner), ctx) : answerAsked(asked, ctx);
    });

  turnTool(
    'run',
    'Works on a goal until it is reached, or a question or a pause comes up.',
    { ...ADDS, destructiveHint: true },
    {
      goal: TurnRequest.shape.input.unwrap().describe('The goal, in words'),
      session: session.optional(),
      answer_schema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('A JSON Schema that "answer" of the result meets'),
      plan: z
        .array(z.union([z.string(), z.record(z.string(), z.unknown())]))
        .optional()
        .describe('The steps to carry out, in order, where the plan is made already'),
    },
    ({ goal, session = sessionNamed(crypto.randomUUID()), answer_schema, plan }) => ({
      session_id: session,
      turn: {
        input: goal,
        ...(answer_schema && { answer_schema }),
        ...(plan && { plan: plan as NonNullable<Submission['turn']['plan']> }),
      },
    }),
  );
  turnTool(
    'answer',
    'Answers the question that a session asks: in words, or with a decision about the action that waits for a yes.',
    ADDS,
    {
      session,
      answer: TurnRequest.shape.input,
      decision: z.enum(['approve', 'approve_always', 'reject']).optional(),
      reason: z.string().min(1).optional().describe('Why an action is rejected'),
    },
    async ({ session, answer: input, decision, reason }, owner) => {
      // If none is open, the engine refuses the answer and says what became of the last question.
      const answers = (await conversations.openQuestion(owner, session))?.id ?? '';
      return { session_id: session, turn: { input, ...(decision && decided(decision, reason)) }, answers };
    },
  );
  turnTool(
    'continue',
    'Lets a paused task go on; without a task the one that was opened last.',
    ADDS,
    { session, task_id: taskId.optional() },
    async ({ session, task_id }, owner) => {
      const { items } = await engine.tasks(owner, session, { limit: TASKS_READ_MAX });
      const paused = items.findLast(({ id, state }) => state === 'paused' && (task_id ?? id) === id);
      if (paused === undefined) throw new ServiceError('EVENT_NOT_ACCEPTED', 'There is no such paused task');
      return { session_id: session, turn: { input: `/resume ${paused.id}` } };
    },
  );
  // The lists that users change by slash command.
  const lists = tools
    .list()
    .filter(({ effect, isCommand, writes }) => effect === 'transactional' && isCommand && writes);
  for (const { name, description, usage } of lists)
    turnTool(
      name,
      `${description} One command line:\n${usage}`,
      CHANGES,
      { session: session.optional(), command: z.string().min(1).max(4_000) },
      ({ session = 'mcp', command }) => ({ session_id: session, turn: { input: `/${name} ${command}` } }),
    );

  addTool(
    'cancel',
    { description: 'Cancels a task that has not ended.', annotations: { ...CHANGES, idempotentHint: true } },
    { task_id: taskId },
    async ({ task_id }, ctx) => {
      const { owner, by } = callOf(ctx).request;
      return dataResult({ task: await engine.cancel(owner, task_id, by) });
    },
  );

  const status = async (owner: string, task_id?: string, session?: string) => {
    const lastTurn = async (id: string) => (await engine.turns(owner, id, { limit: 1 })).items.map(listedTurn);
    if (task_id !== undefined) {
      const { turns } = await conversations.turnsOf(owner, task_id);
      return { task: await engine.task(owner, task_id), last_turn: turns.map(listedTurn)[0] ?? null };
    }
    if (session !== undefined)
      return { ...(await engine.session(owner, session)), last_turn: (await lastTurn(session))[0] ?? null };
    const { items } = await engine.waiting(owner, ['awaiting_user', 'paused'], { limit: 100 });
    const recent = (await engine.sessions(owner, { limit: LISTED_MAX })).items;
    const last_turns = await Promise.all(recent.map(({ session_id }) => lastTurn(session_id)));
    return { waiting: items, last_turns: last_turns.flat() };
  };
  addTool(
    'status',
    {
      description:
        'Shows a task, or a session with its active task, each with its last turn; or else everything that waits for its user, and the last turn of each of the newest sessions, running or ended.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    { task_id: taskId.optional(), session: session.optional() },
    async ({ task_id, session }, ctx) => dataResult(await status(callOf(ctx).request.owner, task_id, session)),
  );
  return server;
};

/** The error code with which MCP servers refuse methods other than POST. */
const METHOD_NOT_ALLOWED = -32_000;

/** Refuses GET and DELETE: the server sends nothing outside of calls, and connections of hosts end by themselves. */
const refuseMethod: ProtocolHandler = async (request, reply) => {
  const error = { code: METHOD_NOT_ALLOWED, message: 'Method not allowed: calls are sent by POST' };
  return reply.code(405).header('allow', 'POST').send(rpcFailure(request, error));
};

/** Most messages in one request. The library answers all of them without yielding; a list of tools takes 2 ms each. */
const BATCH_MAX = 10;

/** Most hosts of the 2025 protocol that can ask their user. The least recently active one loses that ability. */
const ASKING_HOSTS_MAX = 1_000;

/** The `initialize` of a 2025 host that can ask its user. */
const AskingHost = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({ capabilities: z.looseObject({ elicitation: z.looseObject({}).refine(takesForms) }) }),
});

/**
 * The request in the web's format. The library uses no address, so the caller's `Host` is left out, and the body is
 * passed parsed.
 */
const webRequest = ({ method, headers }: FastifyRequest, signal: AbortSignal): Request => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request('http://localhost/mcp', { method, headers: given, body: '{}', signal });
};

/**
 * Creates MCP's handlers. A 2025 host that can ask its user keeps a connection in this process; all others are served
 * call by call.
 */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const codec = createRequestStateCodec<AskedState>({
    key: parts.signingKey(),
    ttlSeconds: ASKED_SECONDS,
    bind: ({ http }) => http?.authInfo?.clientId ?? '',
  });
  const handler = createMcpHandler(() => createServer(parts, codec));
  const hosts = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const connectHost = async (owner: string): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void hosts.set(`${id} ${owner}`, transport),
    });
    await createServer(parts, codec).connect(transport);
    const [oldest] = hosts.keys();
    if (oldest !== undefined && hosts.size >= ASKING_HOSTS_MAX) {
      void hosts.get(oldest)?.close();
      hosts.delete(oldest);
    }
    return transport;
  };

  return {
    listen: refuseMethod,
    end: refuseMethod,
    mcp: async (request, reply) => {
      const { owner, body, headers } = request;
      if (Array.isArray(body) && body.length > BATCH_MAX)
        throw new ServiceError('INPUT_TOO_LARGE', `A request may have at most ${BATCH_MAX} messages`);
      const call: HttpCall = { request, reply };
      const web = webRequest(request, disconnectSignal(reply));
      const given = { parsedBody: body, authInfo: { token: '', clientId: owner, scopes: [], extra: { ...call } } };
      const key = `${headers['mcp-session-id']} ${owner}`;
      const known = hosts.get(key);
      if (known !== undefined) {
        hosts.delete(key);
        hosts.set(key, known);
        return known.handleRequest(web, given);
      }
      if (AskingHost.safeParse(body).success) return (await connectHost(owner)).handleRequest(web, given);
      return handler.fetch(web, given);
    },
  };
};
