import type { RunFinishedOutcome, TokenUsage } from '@ag-ui/core';
import type { Problem } from '../../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import type { Usage } from '../../../../contracts/usage.ts';
import type { ConversationUpdate } from '../port.ts';
import { type AgUiEvent, runError } from './event.ts';
import { interruptOf, type OpenQuestion, toolArguments } from './interrupts.ts';
import { statePatch, type TaskState, taskState } from './task-state.ts';

/** The version that this producer speaks. */
const PROTOCOL_VERSION = '1.0';

/** What a client understands. One of the 0.0 line names no version. */
export interface Dialect {
  /** It speaks 1.0: it declares its version, and knows how a run was stopped. */
  isCurrent: boolean;
  /** It answers questions by resuming their interrupts; to any other they are text, and the next message is the answer. */
  interrupts: boolean;
}

/** A run as it is shown to its client. */
export interface RunView {
  threadId: string;
  runId: string;
  turnId: string;
  dialect: Dialect;
  /** The client's state, whose own keys are kept. */
  state: unknown;
  /** The interrupt that the run resumes, by its id, which is that of the tool call too where one was waiting; null for a new message. */
  resumed: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the calls of this run alone used, as AG-UI counts it: tokens of a cache are part of the input. */
const usageSince = (before: Usage, after: Usage): TokenUsage[] => {
  const more = (key: keyof Usage): number => after[key] - before[key];
  const [cachedInputTokens, cacheWriteInputTokens] = [more('cache_read_tokens'), more('cache_written_tokens')];
  const inputTokens = more('input_tokens') + cachedInputTokens + cacheWriteInputTokens;
  const outputTokens = more('output_tokens');
  if (inputTokens + outputTokens === 0) return [];
  return [
    {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      ...(cachedInputTokens > 0 && { cachedInputTokens }),
      ...(cacheWriteInputTokens > 0 && { cacheWriteInputTokens }),
    },
  ];
};

/** Renders one run, event by event; whatever it opens it closes. Every message's id begins with the turn's. */
export const createRunEvents = ({ threadId, runId, turnId, dialect, state, resumed }: RunView) => {
  let shown: TaskState | null = null;
  let usedBefore: Usage | null = null;
  let usedAfter: Usage | null = null;
  let step: { id: string; stepName: string } | null = null;
  let reasoning: string | null = null;
  let lastLine = '';
  let messages = 0;
  /** The tool call that waited for the answer which this run brings: shown by an earlier run, it gets its result here. */
  let waiting = resumed?.startsWith('approval-') === true ? resumed : null;
  /** What came of that answer: whether the call runs, and what the user said as progress tells it. */
  const answered: { isTaken: boolean; runs?: boolean; said?: string } = { isTaken: false };
  /** By the service's own ids, the ids under which calls are shown whose results are to come. */
  const calls = new Map<string, string>();

  const messageId = (): string => `${turnId}-${++messages}`;

  const endReasoning = (): AgUiEvent[] => {
    if (reasoning === null) return [];
    const ended = { messageId: reasoning };
    reasoning = null;
    return [
      { type: 'REASONING_MESSAGE_END', ...ended },
      { type: 'REASONING_END', ...ended },
    ];
  };

  const reason = (text: string): AgUiEvent[] => {
    lastLine = text;
    const isNew = reasoning === null;
    reasoning ??= messageId();
    const started: AgUiEvent[] = [
      { type: 'REASONING_START', messageId: reasoning },
      { type: 'REASONING_MESSAGE_START', messageId: reasoning, role: 'reasoning' },
    ];
    return [...(isNew ? started : []), { type: 'REASONING_MESSAGE_CONTENT', messageId: reasoning, delta: `${text}\n` }];
  };

  const toStep = (next: typeof step): AgUiEvent[] => {
    if (step?.id === next?.id) return [];
    const events: AgUiEvent[] = [];
    if (step !== null) events.push({ type: 'STEP_FINISHED', stepName: step.stepName });
    if (next !== null) events.push({ type: 'STEP_STARTED', stepName: next.stepName });
    step = next;
    return events;
  };

  const showState = (task: TaskView): AgUiEvent[] => {
    const [before, next] = [shown, taskState(task)];
    shown = next;
    if (before === null)
      return [{ type: 'STATE_SNAPSHOT', snapshot: { ...(isRecord(state) ? state : {}), task: next } }];
    const delta = statePatch('/task', before, next);
    return delta.length === 0 ? [] : [{ type: 'STATE_DELTA', delta }];
  };

  const result = (toolCallId: string, content: string): AgUiEvent[] => [
    ...endReasoning(),
    { type: 'TOOL_CALL_RESULT', messageId: messageId(), toolCallId, content, role: 'tool' },
  ];

  /** The result of the waiting call where it will never run. */
  const refused = (content: string | undefined): AgUiEvent[] => {
    if (waiting === null || content === undefined) return [];
    const toolCallId = waiting;
    waiting = null;
    return result(toolCallId, content);
  };

  const refusedByAnswer = (): AgUiEvent[] => (answered.runs === false ? refused(answered.said) : []);

  const showTask = (task: TaskView): AgUiEvent[] => {
    usedBefore ??= task.usage;
    usedAfter = task.usage;
    const item = task.plan[task.current_plan_index];
    const isWorkedOn = item?.status === 'in_progress' && (task.state === 'thinking' || task.state === 'acting');
    if (answered.isTaken) answered.runs ??= task.state === 'acting';
    return [
      ...refusedByAnswer(),
      ...showState(task),
      ...toStep(isWorkedOn ? { id: item.id, stepName: item.step } : null),
    ];
  };

  const call = (toolCallId: string, toolCallName: string, input: string): AgUiEvent[] => [
    ...endReasoning(),
    { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: messageId() },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: toolArguments(input) },
    { type: 'TOOL_CALL_END', toolCallId },
  ];

  const used = (): { usage?: TokenUsage[] } => {
    const usage = usedBefore === null || usedAfter === null ? [] : usageSince(usedBefore, usedAfter);
    return usage.length === 0 ? {} : { usage };
  };

  const close = (): AgUiEvent[] => [...endReasoning(), ...toStep(null)];

  const finished = (outcome: RunFinishedOutcome | null): AgUiEvent => ({
    type: 'RUN_FINISHED',
    threadId,
    runId,
    ...(outcome !== null && { outcome }),
    ...used(),
  });

  /** A way to end that waits for nothing; a client of the 0.0 line takes none for success, and knows no other. */
  const settled = (type: 'success' | 'cancelled'): RunFinishedOutcome | null => (dialect.isCurrent ? { type } : null);

  const interrupted = (open: OpenQuestion): RunFinishedOutcome => ({
    type: 'interrupt',
    interrupts: [interruptOf(open)],
  });

  return {
    start: (): AgUiEvent[] => [
      { type: 'RUN_STARTED', threadId, runId, ...(dialect.isCurrent && { protocolVersion: PROTOCOL_VERSION }) },
    ],

    update: (change: Exclude<ConversationUpdate, { type: 'finished' }>): AgUiEvent[] => {
      switch (change.type) {
        case 'task':
          return showTask(change.task);
        case 'progress':
          if (change.kind === 'answer') answered.said = change.text;
          return [...reason(change.text), ...refusedByAnswer()];
        case 'answer':
        case 'decision':
          answered.isTaken = true;
          return [];
        case 'tool_call': {
          const shownBefore = answered.runs === true ? waiting : null;
          calls.set(change.call_id, shownBefore ?? change.call_id);
          if (shownBefore === null) return call(change.call_id, change.tool, change.input);
          waiting = null;
          return [];
        }
        case 'tool_result': {
          const id = calls.get(change.call_id);
          return id === undefined ? [] : result(id, change.result);
        }
        default:
          return change satisfies never;
      }
    },

    /** The reply, and the run's end. `open` is what the session waits for now, where the client can be asked. */
    finish: ({ status, output }: TurnView, open: OpenQuestion | null): AgUiEvent[] => {
      const isAsking = status === 'asking' && open !== null;
      const text = isAsking ? open.question : (output ?? '');
      const reply = messageId();
      const shownReply: AgUiEvent[] = [
        { type: 'TEXT_MESSAGE_START', messageId: reply, role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: reply, delta: text },
        { type: 'TEXT_MESSAGE_END', messageId: reply },
      ];
      const events = [
        ...close(),
        ...(waiting !== open?.id ? refused(output ?? '') : []),
        ...(text === '' ? [] : shownReply),
        ...(isAsking && open.approval !== null ? call(open.id, open.approval.tool, open.approval.input) : []),
      ];
      if (open !== null) return [...events, finished(interrupted(open))];
      if (status === 'failed')
        return [...events, { type: 'RUN_ERROR', message: lastLine, code: 'TASK_FAILED', ...used() }];
      return [...events, finished(settled(status === 'cancelled' || status === 'paused' ? 'cancelled' : 'success'))];
    },

    /** The run's end by an error: the task itself goes on, or was never asked for. */
    fail: (problem: Problem): AgUiEvent[] => [...close(), { ...runError(problem), ...used() }],

    /**
     * The end of a run that spoke to a question which is not open: with what is open, or the client would ask about the old one for
     * ever; and with the problem, where its answer was not taken.
     */
    refuse: (problem: Problem | null, open: OpenQuestion | null): AgUiEvent[] => [
      finished(open === null ? settled(problem === null ? 'success' : 'cancelled') : interrupted(open)),
      ...(problem === null ? [] : [runError(problem)]),
    ],
  };
};
