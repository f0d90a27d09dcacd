import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type RequestStateCodec,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { FinishedTurn, Submission } from '../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { answerIn } from './forms.ts';
import { httpCallOf } from './http-call.ts';
import { type AskedState, failedResult, Reply, replyResult, resultOf } from './results.ts';

const INSTRUCTIONS =
  'Tripact plans a goal and works through the plan with its own tools. "run" takes a goal; give the session that it returns to every later call, so that goals can refer to earlier ones. ' +
  'A question is answered by "answer", a paused task goes on by "continue". What became of a call that timed out is shown by "status".';

/**
 * How long a client's user can answer a question by the client's form, in seconds. The tool `answer` works at any time.
 */
export const ASKED_SECONDS = 7 * 24 * 3_600;

/** Whether a host can show its user a form, by its declaration. An empty declaration predates links and means forms. */
export const takesForms = (elicitation: { form?: unknown; url?: unknown } | undefined): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

interface ToolConfig {
  description: string;
  annotations: ToolAnnotations;
  outputSchema?: typeof Reply;
}

type ToolResult = CallToolResult | InputRequiredResult;
type Args<Fields extends z.ZodRawShape> = z.infer<z.ZodObject<Fields>>;

/** An MCP server with tools that answer a call of this service. Knows none of them by name. */
export class ToolServer {
  readonly mcp: McpServer;
  readonly #parts: Pick<ProtocolParts, 'engine' | 'conversations' | 'waiting'>;
  readonly #codec: RequestStateCodec<AskedState>;

  constructor({ engine, conversations, waiting, version }: ProtocolParts, codec: RequestStateCodec<AskedState>) {
    this.#parts = { engine, conversations, waiting };
    this.#codec = codec;
    this.mcp = new McpServer(
      { name: 'tripact', version },
      {
        instructions: INSTRUCTIONS,
        // The tools of a process never change, and no list names a resource.
        capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
        requestState: { verify: codec.verify },
        inputRequired: { roundTimeoutMs: ASKED_SECONDS * 1_000 },
      },
    );
  }

  /** Adds a tool. A call that fails gets the failure as its result. */
  add<Fields extends z.ZodRawShape>(
    name: string,
    config: ToolConfig,
    fields: z.ZodObject<Fields>,
    result: (args: Args<Fields>, ctx: ServerContext) => Promise<ToolResult>,
  ): void {
    this.mcp.registerTool(name, { ...config, inputSchema: fields }, (args: Args<Fields>, ctx: ServerContext) =>
      result(args, ctx).catch((error: Error) => failedResult(error, httpCallOf(ctx).request)),
    );
  }

  /** Adds a tool that submits an input to a session and returns the finished turn. */
  addTurn<Fields extends z.ZodRawShape>(
    name: string,
    config: Omit<ToolConfig, 'outputSchema'>,
    fields: z.ZodObject<Fields>,
    turnOf: (args: Args<Fields>, owner: string) => Submission | Promise<Submission>,
  ): void {
    this.add(name, { ...config, outputSchema: Reply }, fields, async (args, ctx) => {
      const asked = ctx.mcpReq.requestState<AskedState>();
      if (asked !== undefined) return this.#answerAsked(asked, ctx);
      return this.#say(await turnOf(args, httpCallOf(ctx).request.owner), ctx);
    });
  }

  /** Answers the question that this call's client asked its user. The call itself repeats the first one. */
  async #answerAsked(asked: AskedState, ctx: ServerContext): Promise<ToolResult> {
    const { session, turn_id, question, isToolForm = false } = asked;
    const turn = answerIn(ctx, isToolForm);
    if (turn === null)
      return replyResult({ turn: await this.#parts.engine.turn(httpCallOf(ctx).request.owner, turn_id), files: [] });
    return this.#say({ session_id: session, answers: question, idempotency_key: `mcp-${turn_id}`, turn }, ctx);
  }

  async #say(submission: Submission, ctx: ServerContext): Promise<ToolResult> {
    const { conversations, waiting } = this.#parts;
    const { request, reply } = httpCallOf(ctx);
    waiting.take(request, reply);
    const { turn } = await conversations.submit(request, reply, submission);
    return resultOf(await this.#finished(turn, ctx), ctx, this.#codec, request, this.#canElicit());
  }

  /**
   * Reports progress to a client that asked for it until the turn is finished. The first message names the session and
   * task.
   */
  async #finished(turn: TurnView, ctx: ServerContext): Promise<FinishedTurn> {
    const { request, reply } = httpCallOf(ctx);
    const { mcpReq } = ctx;
    const progressToken = mcpReq._meta?.progressToken;
    let progress = 0;
    for await (const update of this.#parts.conversations.updates(request.owner, turn, disconnectSignal(reply))) {
      if (update.type === 'finished') return update;
      const found = update.type === 'task' && progress === 0 && `session ${turn.session_id} · task ${update.task.id}`;
      const message = update.type === 'progress' ? update.text : found;
      if (message === false || progressToken === undefined) continue;
      progress += 1;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
    }
    return { turn, files: [] };
  }

  #canElicit(): boolean {
    return takesForms(this.mcp.server.getClientCapabilities()?.elicitation);
  }
}
