import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AgentView } from '../../../../contracts/agent.ts';
import { TurnRequest } from '../../../../contracts/http.ts';
import { SessionId } from '../../../../contracts/ids.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Submission } from '../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { decided, sessionNamed } from '../request.ts';
import { addApprovals } from './approvals.ts';
import { Files, filesOf } from './files.ts';
import { httpCallOf } from './http-call.ts';
import { dataResult, listedTurn } from './results.ts';
import type { ToolServer } from './tool-server.ts';

const session = SessionId.describe('The session that an earlier call returned');
const taskId = z.string().max(64);

/** Most sessions listed with their last turn, and most tasks of a session searched for a paused one. */
const LISTED_MAX = 20;
const TASKS_READ_MAX = 1_000;

const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

const RUN = 'Works on a goal until it is reached, or a question or a pause comes up.';

const RunArgs = z.object({
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
  files: Files,
});

/** Adds the tool that begins or continues a session, by the default agent or by the given one. */
const addRun = (server: ToolServer, agent?: AgentView): void =>
  server.addTurn(
    agent === undefined ? 'run' : `run_${agent.name}`,
    {
      description:
        agent === undefined
          ? RUN
          : `${RUN} By the agent ${agent.name}${agent.description === '' ? '' : `: ${agent.description}`}.`,
      annotations: { ...ADDS, destructiveHint: true },
    },
    RunArgs,
    ({ goal, session = sessionNamed(crypto.randomUUID()), answer_schema, plan, files }) => ({
      session_id: session,
      turn: {
        input: goal,
        ...(agent && { agent: agent.name }),
        ...(answer_schema && { answer_schema }),
        ...(plan && { plan: plan as NonNullable<Submission['turn']['plan']> }),
        ...filesOf(files),
      },
    }),
  );

const AnswerArgs = z.object({
  session,
  answer: TurnRequest.shape.input,
  decision: z.enum(['approve', 'approve_always', 'reject']).optional(),
  reason: z.string().min(1).optional().describe('Why an action is rejected'),
  files: Files,
});

const addAnswer = (server: ToolServer, { conversations }: ProtocolParts): void =>
  server.addTurn(
    'answer',
    {
      description:
        'Answers the question that a session asks: in words, or with a decision about the action that waits for a yes.',
      annotations: ADDS,
    },
    AnswerArgs,
    async ({ session, answer: input, decision, reason, files }, owner) => {
      // If none is open, the engine refuses the answer and says what became of the last question.
      const answers = (await conversations.openQuestion(owner, session))?.id ?? '';
      return {
        session_id: session,
        turn: { input, ...(decision && decided(decision, reason)), ...filesOf(files) },
        answers,
      };
    },
  );

const addContinue = (server: ToolServer, { engine }: ProtocolParts): void =>
  server.addTurn(
    'continue',
    { description: 'Lets a paused task go on; without a task the one that was opened last.', annotations: ADDS },
    z.object({ session, task_id: taskId.optional() }),
    async ({ session, task_id }, owner) => {
      const { items } = await engine.tasks(owner, session, { limit: TASKS_READ_MAX });
      const paused = items.findLast(({ id, state }) => state === 'paused' && (task_id ?? id) === id);
      if (paused === undefined) throw new ServiceError('EVENT_NOT_ACCEPTED', 'There is no such paused task');
      return { session_id: session, turn: { input: `/resume ${paused.id}` } };
    },
  );

/** Adds the lists that users change by slash command. */
const addLists = (server: ToolServer, { tools }: ProtocolParts): void => {
  const lists = tools
    .list()
    .filter(({ effect, isCommand, writes }) => effect === 'transactional' && isCommand && writes);
  for (const { name, description, usage } of lists)
    server.addTurn(
      name,
      { description: `${description} One command line:\n${usage}`, annotations: CHANGES },
      z.object({ session: session.optional(), command: z.string().min(1).max(4_000) }),
      ({ session = 'mcp', command }) => ({ session_id: session, turn: { input: `/${name} ${command}` } }),
    );
};

const addCancel = (server: ToolServer, { engine }: ProtocolParts): void =>
  server.add(
    'cancel',
    { description: 'Cancels a task that has not ended.', annotations: { ...CHANGES, idempotentHint: true } },
    z.object({ task_id: taskId }),
    async ({ task_id }, ctx) => {
      const { owner, by } = httpCallOf(ctx).request;
      return dataResult({ task: await engine.cancel(owner, task_id, by) });
    },
  );

const statusOfTask = async ({ engine, conversations }: ProtocolParts, owner: string, taskId: string) => {
  const { turns } = await conversations.turnsOf(owner, taskId);
  return { task: await engine.task(owner, taskId), last_turn: turns.map(listedTurn)[0] ?? null };
};

const lastTurn = async ({ engine }: ProtocolParts, owner: string, sessionId: string) =>
  (await engine.turns(owner, sessionId, { limit: 1 })).items.map(listedTurn);

const statusOfSession = async (parts: ProtocolParts, owner: string, sessionId: string) => ({
  ...(await parts.engine.session(owner, sessionId)),
  last_turn: (await lastTurn(parts, owner, sessionId))[0] ?? null,
});

const statusOfOwner = async (parts: ProtocolParts, owner: string) => {
  const { engine } = parts;
  const { items } = await engine.waiting(owner, ['awaiting_user', 'paused'], { limit: 100 });
  const recent = (await engine.sessions(owner, { limit: LISTED_MAX })).items;
  const last_turns = await Promise.all(recent.map(({ session_id }) => lastTurn(parts, owner, session_id)));
  return { waiting: items, last_turns: last_turns.flat() };
};

const addStatus = (server: ToolServer, parts: ProtocolParts): void =>
  server.add(
    'status',
    {
      description:
        'Shows a task, or a session with its active task, each with its last turn; or else everything that waits for its user, and the last turn of each of the newest sessions, running or ended.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    z.object({ task_id: taskId.optional(), session: session.optional() }),
    async ({ task_id, session }, ctx) => {
      const { owner } = httpCallOf(ctx).request;
      if (task_id !== undefined) return dataResult(await statusOfTask(parts, owner, task_id));
      if (session !== undefined) return dataResult(await statusOfSession(parts, owner, session));
      return dataResult(await statusOfOwner(parts, owner));
    },
  );

/** Adds all tools of the service's MCP server, in the order in which hosts list them. */
export const addTools = (server: ToolServer, parts: ProtocolParts): void => {
  addRun(server);
  for (const agent of parts.agents()) addRun(server, agent);
  addAnswer(server, parts);
  addContinue(server, parts);
  addLists(server, parts);
  addCancel(server, parts);
  addStatus(server, parts);
  addApprovals(server, parts);
};
