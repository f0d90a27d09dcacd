import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { z } from 'zod';
import { promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import { reportedProblem } from '../../error-handler.ts';
import { disconnectSignal, sendEventStream } from '../../event-stream.ts';
import { parsed } from '../parsed.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { errorBody } from './error-body.ts';
import { askedOf, readMessages } from './messages.ts';
import { type SideAnswer, sideAnswer } from './side-jobs.ts';
import type { SubmitAsked } from './submit-asked.ts';
import { createTurnUsage, readTurn } from './turn-record.ts';

/** What is read of a request; everything else of OpenAI's API is taken and changes nothing. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  messages: z.array(z.unknown()).min(1),
  n: z.literal(1, 'can only be 1').nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(z.unknown()).nullish(),
});

/** A tool of the client by which it wants an object: one function whose arguments are the answer. */
const Tool = z.looseObject({ function: z.looseObject({ name: z.string().max(200) }) });

type Message = OpenAI.ChatCompletionMessage & { reasoning_content?: string };

const usageOf = (usage: Usage) =>
  ({
    prompt_tokens: promptTokens(usage),
    completion_tokens: usage.output_tokens,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cache_read_tokens },
  }) satisfies OpenAI.CompletionUsage;

const sideMessage = ({ text, fields }: SideAnswer, { tools, response_format }: z.infer<typeof Body>): Message => {
  const content = fields !== undefined && response_format !== undefined ? JSON.stringify(fields) : text;
  const tool = Tool.safeParse(tools?.[0]);
  if (fields === undefined || !tool.success) return { role: 'assistant', content, refusal: null };
  const { name } = tool.data.function;
  const call = { id: `call_${randomUUID()}`, function: { name, arguments: JSON.stringify(fields) } };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [{ type: 'function', ...call }] };
};

/** Answers `POST /v1/chat/completions`: progress as reasoning, the reply as content. */
export const createChatCompletions = (
  { conversations, limits, waiting, streams, now }: ProtocolParts,
  submitAsked: SubmitAsked,
): ProtocolHandler => {
  return async (request, reply) => {
    const body = parsed(Body, request.body);
    const { model, stream, stream_options } = body;
    const { owner } = request;

    const answer = (id: string) => {
      const head = { id: `chatcmpl-${id}`, created: Math.floor(now() / 1_000), model };
      const whole = (message: Message, usage: Usage | null): OpenAI.ChatCompletion => {
        const finish_reason = message.tool_calls === undefined ? 'stop' : 'tool_calls';
        const choices = [{ index: 0, message, logprobs: null, finish_reason } as const];
        return { ...head, object: 'chat.completion', choices, ...(usage !== null && { usage: usageOf(usage) }) };
      };
      const chunk = (
        delta: OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string },
        finish_reason: OpenAI.ChatCompletionChunk.Choice['finish_reason'] = null,
        more: Partial<OpenAI.ChatCompletionChunk> = {},
      ): string => {
        const choices = [{ index: 0, delta, finish_reason }];
        const data: OpenAI.ChatCompletionChunk = { ...head, object: 'chat.completion.chunk', choices, ...more };
        return `data: ${JSON.stringify(data)}\n\n`;
      };
      return { whole, chunk };
    };

    const said = readMessages(body.messages, 'messages');
    const side = sideAnswer(said);
    if (side !== null) {
      const { whole, chunk } = answer(randomUUID());
      const message = sideMessage(side, body);
      if (stream !== true) return whole(message, null);
      const { role, content, tool_calls = [] } = message;
      const calls = tool_calls.map((call, index) => ({ index, ...call }));
      return sendEventStream(request, reply, limits, async function* () {
        yield chunk({ role, content, ...(calls.length > 0 && { tool_calls: calls }) });
        yield `${chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')}data: [DONE]\n\n`;
      });
    }

    (stream === true ? streams : waiting).take(request, reply);
    const { turn, answered } = await submitAsked(request, reply, askedOf(said), null);
    const { whole, chunk } = answer(turn.id);
    if (stream !== true) {
      const {
        turn: finished,
        progress,
        usage,
      } = await readTurn(conversations.updates(owner, turn, disconnectSignal(reply)));
      await answered(finished);
      const message: Message = { role: 'assistant', content: finished.output ?? '', refusal: null };
      if (progress !== '') message.reasoning_content = progress;
      return whole(message, usage);
    }

    async function* chunks(signal: AbortSignal): AsyncGenerator<string> {
      yield chunk({ role: 'assistant', content: '' });
      const usage = createTurnUsage();
      try {
        for await (const update of conversations.updates(owner, turn, signal)) {
          usage.see(update);
          if (update.type === 'progress') yield chunk({ reasoning_content: `${update.text}\n` });
          if (update.type !== 'finished') continue;
          await answered(update.turn);
          yield chunk({ content: update.turn.output ?? '' });
          yield chunk({}, 'stop');
          if (stream_options?.include_usage === true)
            yield chunk({}, null, { choices: [], usage: usageOf(usage.of(update.turn)) });
        }
      } catch (error) {
        if (signal.aborted) throw error;
        yield `data: ${JSON.stringify(errorBody(reportedProblem(error as Error, request)))}\n\n`;
      }
      yield 'data: [DONE]\n\n';
    }
    return sendEventStream(request, reply, limits, chunks);
  };
};
