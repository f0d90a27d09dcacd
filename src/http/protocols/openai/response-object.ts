import type OpenAI from 'openai';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import type { TurnRecord } from '../render-turn.ts';

/** A response as it goes over the wire; `output_text` is the SDK's own. */
export type WireResponse = Omit<OpenAI.Responses.Response, 'output_text' | 'access_programs'>;

/** Fields of the request that the response repeats. They are not stored: a response that is asked for again has the defaults. */
export type Echo = Partial<Pick<WireResponse, 'model' | 'metadata' | 'previous_response_id' | 'background'>>;

const PREFIX = 'turn_';

/** The id of the response that is a turn. */
export const responseId = ({ id }: Pick<TurnView, 'id'>): string => `resp_${id.slice(PREFIX.length)}`;

/** The id of the turn that is a response; null for an id of no response of ours. */
export const turnIdOf = (id: string): string | null => {
  const [, name] = /^resp_([0-9a-z]{1,40})$/.exec(id) ?? [];
  return name === undefined ? null : `${PREFIX}${name}`;
};

/** The place of an item in the output: progress first, where there is any. */
export const reasoningItem = (turn: TurnView, text: string): OpenAI.Responses.ResponseReasoningItem => ({
  id: `rs_${turn.id.slice(PREFIX.length)}`,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
});

export const textPart = (text: string): OpenAI.Responses.ResponseOutputText => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
});

/** The reply as an item; without its text before that is there. */
export const messageItem = (turn: TurnView, text: string | null): OpenAI.Responses.ResponseOutputMessage => ({
  id: `msg_${turn.id.slice(PREFIX.length)}`,
  type: 'message',
  role: 'assistant',
  status: text === null ? 'in_progress' : 'completed',
  content: text === null ? [] : [textPart(text)],
});

const statusOf = ({ status }: TurnView): OpenAI.Responses.ResponseStatus => {
  switch (status) {
    case 'queued':
    case 'failed':
    case 'cancelled':
      return status;
    case 'running':
      return 'in_progress';
    case 'answered':
    case 'asking':
    case 'ran':
      return 'completed';
    case 'paused':
      return 'incomplete';
    default:
      return status satisfies never;
  }
};

const usageOf = (usage: Usage) =>
  ({
    input_tokens: promptTokens(usage),
    input_tokens_details: { cached_tokens: usage.cache_read_tokens, cache_write_tokens: usage.cache_written_tokens },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: totalTokens(usage),
  }) satisfies OpenAI.Responses.ResponseUsage;

const seconds = (at: string): number => Math.floor(Date.parse(at) / 1_000);

const base = ({ created_at, session_id, ...turn }: TurnView, echo: Echo): WireResponse => ({
  id: responseId(turn),
  object: 'response',
  created_at: seconds(created_at),
  model: 'tripact',
  status: 'in_progress',
  background: false,
  conversation: session_id === '' ? null : { id: session_id },
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  output: [],
  parallel_tool_calls: false,
  previous_response_id: null,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  ...echo,
});

/** A response that is not finished, as it is. */
export const openResponse = (turn: TurnView, echo: Echo): WireResponse => ({
  ...base(turn, echo),
  status: statusOf(turn),
});

/** A finished response: its progress as the summary of a reasoning item, the reply as a message. A paused task is an incomplete response. */
export const finishedResponse = ({ turn, progress, usage }: TurnRecord, echo: Echo): WireResponse => {
  const text = turn.output ?? '';
  return {
    ...openResponse(turn, echo),
    ...(turn.finished_at !== null && { completed_at: seconds(turn.finished_at) }),
    error: turn.status === 'failed' ? { code: 'server_error', message: text } : null,
    incomplete_details: turn.status === 'paused' ? { reason: 'max_output_tokens' } : null,
    output: [...(progress === '' ? [] : [reasoningItem(turn, progress)]), messageItem(turn, text)],
    usage: usageOf(usage),
  };
};

/** Stands for a turn where none was opened: finished with a text, in no session. */
export const answeredAtOnce = (id: string, at: number, output: string): TurnView => {
  const created_at = new Date(at).toISOString();
  return {
    ...{ id: `${PREFIX}${id}`, session_id: '', task_id: null, kind: 'command', input: '', status: 'ran', output },
    ...{ question: null, options: null, approval: null, task: null, created_at, finished_at: created_at },
  };
};
