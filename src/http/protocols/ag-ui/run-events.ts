import type { Event, EventType, RunFinishedOutcome, TokenUsage } from '@ag-ui/core';
import type { Problem } from '../../../../contracts/http.ts';
import type { TaskView } from '../../../../contracts/turn-view.ts';
import { NO_USAGE, promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import { planMark } from '../../../projections/items.ts';
import { asksApproval } from '../../../projections/question.ts';
import type { ProtocolParts } from '../port.ts';
import type { TurnRenderer } from '../render-turn.ts';
import { runError } from '../request.ts';
import type { OfferedFile } from '../written-files.ts';

type PlainOf<Member> = Member extends { type: EventType }
  ? Omit<Member, 'type'> & { type: `${Member['type']}` }
  : never;

type AgUiEvent = PlainOf<Event>;

/** The question or approval that a session waits for. */
export interface OpenQuestion {
  id: string;
  question: string;
  options: readonly string[];
  approval: TaskView['approval'];
  toolQuestion: TaskView['tool_question'];
}

/** A session's open question as it was asked; null where there is none, or no such session. */
export const shownQuestion = async (
  { conversations }: ProtocolParts,
  owner: string,
  sessionId: string,
): Promise<OpenQuestion | null> => {
  const open = await conversations.openQuestion(owner, sessionId);
  if (open === null) return null;
  const { id, task } = open;
  const { turns } = await conversations.turnsOf(owner, task.id);
  const asking = turns.find(({ status }) => status === 'asking');
  const { approval, tool_question: toolQuestion } = task;
  return { id, question: asking?.question ?? '', options: asking?.options ?? [], approval, toolQuestion };
};

const APPROVAL_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', description: 'Whether the tool may run' },
    always: { type: 'boolean', description: 'With approved: stop asking for this tool in this task' },
    editedArgs: { type: 'object', description: 'With approved: full replacement of the arguments. Not merged.' },
    reason: { type: 'string', description: 'What the agent should know about the decision' },
  },
  required: ['approved'],
};

const answerSchema = (options: readonly string[]) => {
  const words = { type: 'string', minLength: 1 };
  const answer = options.length === 0 ? words : { anyOf: [{ type: 'string', enum: options }, words] };
  return { type: 'object', properties: { answer }, required: ['answer'] };
};

/** An open question as the end of a run. An approval also names the tool call that was shown for it. */
const interrupted = ({ id, question, options, approval, toolQuestion }: OpenQuestion): RunFinishedOutcome => {
  const asked =
    approval === null
      ? { reason: 'input_required', responseSchema: toolQuestion?.schema ?? answerSchema(options) }
      : { reason: 'tool_call', toolCallId: id, responseSchema: APPROVAL_SCHEMA };
  const { summary, reason } = approval ?? {};
  const metadata = {
    options,
    ...(summary !== undefined && { summary }),
    ...(reason !== undefined && { reason }),
    ...(toolQuestion !== undefined && { tool_question: toolQuestion }),
  };
  return { type: 'interrupt', interrupts: [{ id, message: question, ...asked, metadata }] };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A command line or any other input as a tool call's arguments, which front ends parse as a JSON object. */
const toolArguments = (input: string): string => {
  try {
    if (isRecord(JSON.parse(input))) return input;
  } catch {}
  return JSON.stringify({ input });
};

const PROTOCOL_VERSION = '1.0';

export interface RunView {
  threadId: string;
  runId: string;
  /**
   * The client speaks AG-UI 1.0: it declares its version and understands how a run ended. Version 0.0 clients declare
   * none.
   */
  isCurrent: boolean;
  /** The client's state. Its own keys are preserved. */
  state?: unknown;
  /** The id of the interrupt that the run resumes, and of its tool call, if it had one; null for a new message. */
  resumed: string | null;
}

/** A task as a front end's state shows it. */
export const taskState = ({ id, goal, state, phase, outcome, pause_reason, plan, usage, cost, ...task }: TaskView) => ({
  id,
  goal,
  state,
  phase,
  outcome,
  pause_reason,
  plan: plan.map(({ id, step, status, result }) => ({ id, step, status, mark: planMark(status), result })),
  current_plan_index: task.current_plan_index,
  step_count: task.step_count,
  step_limit: task.step_limit,
  usage,
  ...(cost !== undefined && { cost }),
});
/** The tokens of a run as AG-UI counts them: cached tokens are part of the input. */
const used = (usage: Usage): { usage?: TokenUsage[] } => {
  const tokens = {
    inputTokens: promptTokens(usage),
    outputTokens: usage.output_tokens,
    totalTokens: totalTokens(usage),
    cachedInputTokens: usage.cache_read_tokens,
    cacheWriteInputTokens: usage.cache_written_tokens,
  };
  return tokens.totalTokens === 0 ? {} : { usage: [tokens] };
};

const started = ({ threadId, runId, isCurrent }: RunView): AgUiEvent => ({
  type: 'RUN_STARTED',
  threadId,
  runId,
  ...(isCurrent && { protocolVersion: PROTOCOL_VERSION }),
});

/** The outcome of a run that waits for nothing. Version 0.0 clients know only success, which has no outcome. */
const settled = ({ isCurrent }: RunView, type: 'success' | 'cancelled'): RunFinishedOutcome | null =>
  isCurrent ? { type } : null;

const finished = ({ threadId, runId }: RunView, outcome: RunFinishedOutcome | null, usage = NO_USAGE): AgUiEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  runId,
  ...(outcome !== null && { outcome }),
  ...used(usage),
});

const call = (toolCallId: string, toolCallName: string, input: string, parentMessageId: string): AgUiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: toolArguments(input) },
  { type: 'TOOL_CALL_END', toolCallId },
];

/** The files that a turn's task wrote, as an activity that a front end may show as links; none where it wrote none. */
const filesOffered = (turnId: string, files: readonly OfferedFile[]): AgUiEvent[] =>
  files.length === 0
    ? []
    : [
        {
          type: 'ACTIVITY_SNAPSHOT',
          messageId: `${turnId}-files`,
          activityType: 'files',
          content: {
            files: files.map(({ name, mediaType, size, link, url }) => ({ name, mediaType, size, url: link ?? url })),
          },
        },
      ];

/**
 * Renders one run. Every message id begins with the turn's. `waitsFor` gives what the session waits for, where the
 * client can be asked.
 */
export const runEvents = (
  view: RunView,
  turnId: string,
  waitsFor: () => Promise<OpenQuestion | null>,
): TurnRenderer<AgUiEvent> => {
  const { state, resumed } = view;
  let isShown = false;
  let lastLine = '';
  let count = 0;
  let messageId = '';
  /** The reply has an id of its own, as it may be open while progress arrives. */
  let replyId = '';
  const nextId = (): string => {
    messageId = `${turnId}-${++count}`;
    return messageId;
  };

  return {
    begin: () => [started(view)],
    task: (task) => {
      const value = taskState(task);
      if (isShown) return [{ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/task', value }] }];
      isShown = true;
      return [{ type: 'STATE_SNAPSHOT', snapshot: { ...(isRecord(state) ? state : {}), task: value } }];
    },
    reasoning: {
      open: () => [
        { type: 'REASONING_START', messageId: nextId() },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      ],
      delta: (delta) => {
        lastLine = delta.slice(0, -1);
        return [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }];
      },
      close: () => [
        { type: 'REASONING_MESSAGE_END', messageId },
        { type: 'REASONING_END', messageId },
      ],
    },
    step: {
      open: ({ step }) => [{ type: 'STEP_STARTED', stepName: step }],
      close: ({ step }) => [{ type: 'STEP_FINISHED', stepName: step }],
    },
    call: {
      open: ({ call_id, tool, input }) => call(call_id, tool, input, nextId()),
      close: (toolCallId, { result: content }) => [
        { type: 'TOOL_CALL_RESULT', messageId: nextId(), toolCallId, content, role: 'tool' },
      ],
    },
    asked: resumed !== null && asksApproval(resumed) ? resumed : null,
    text: {
      open: () => {
        count += 1;
        replyId = `${turnId}-${count}`;
        return [{ type: 'TEXT_MESSAGE_START', messageId: replyId, role: 'assistant' }];
      },
      delta: (delta) => [{ type: 'TEXT_MESSAGE_CONTENT', messageId: replyId, delta }],
      close: () => [{ type: 'TEXT_MESSAGE_END', messageId: replyId }],
    },
    end: async ({ turn: { status, answer }, files, usage }) => {
      const offered = filesOffered(turnId, files);
      const open = await waitsFor();
      if (open !== null) {
        const { id, approval } = open;
        const asked = status === 'asking' && approval !== null ? call(id, approval.tool, approval.input, nextId()) : [];
        return [...offered, ...asked, finished(view, interrupted(open), usage)];
      }
      if (status === 'failed')
        return [...offered, { type: 'RUN_ERROR', message: lastLine, code: 'TASK_FAILED', ...used(usage) }];
      const isCancelled = status === 'cancelled' || status === 'paused';
      const end = finished(view, settled(view, isCancelled ? 'cancelled' : 'success'), usage);
      return [...offered, answer === undefined ? end : { ...end, result: answer }];
    },
    fail: (problem, usage, closing) => [...closing, { ...runError(problem), ...used(usage) }],
  };
};

/**
 * A run about a question that is not open: it ends with the question that is open, and with a problem if its answer was
 * refused.
 */
export const runRefused = (view: RunView, problem: Problem | null, open: OpenQuestion | null): AgUiEvent[] => [
  started(view),
  finished(view, open === null ? settled(view, problem === null ? 'success' : 'cancelled') : interrupted(open)),
  ...(problem === null ? [] : [runError(problem)]),
];
