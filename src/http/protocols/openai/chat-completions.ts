import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TurnView } from '../../../../contracts/http.ts';
import { ServiceError } from '../../../errors.ts';
import { reportedProblem } from '../../error-handler.ts';
import { disconnectSignal, sendEventStream } from '../../event-stream.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { errorBody } from './error-body.ts';

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
});

const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

const textOf = ({ content }: z.infer<typeof Message>): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');

const sessionOf = ({ headers }: FastifyRequest): string => {
  const id = headers['x-session-id'] ?? headers['x-openwebui-chat-id'] ?? headers['x-conversation-id'];
  return sessionNamed(typeof id === 'string' ? id : randomUUID());
};

const usageOf = ({ task }: TurnView) => {
  const { input_tokens = 0, output_tokens = 0 } = task?.usage ?? {};
  return { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens: input_tokens + output_tokens };
};

/** Answers `POST /v1/chat/completions`: progress as reasoning, the reply as content. */
export const createChatCompletions = ({
  conversations,
  limits,
  waiting,
  streams,
  now,
}: ProtocolParts): ProtocolHandler => {
  return async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) throw new ServiceError('INVALID_REQUEST', z.prettifyError(body.error));
    const { model, messages, stream, stream_options } = body.data;
    const last = messages.findLast(({ role }) => role === 'user');
    const input = last === undefined ? '' : textOf(last).trim();
    if (input === '') throw new ServiceError('INVALID_REQUEST', 'There is no user message with text');
    (stream === true ? streams : waiting).take(request, reply);
    const { owner } = request;
    const { turn } = await conversations.submit(request, reply, { session_id: sessionOf(request), input });
    const head = { id: `chatcmpl-${turn.id}`, created: Math.floor(now() / 1_000), model };

    if (stream !== true) {
      const finished = await conversations.wait(owner, turn.id, disconnectSignal(reply));
      const message = { role: 'assistant', content: finished.output };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
      return { ...head, object: 'chat.completion', choices, usage: usageOf(finished) };
    }

    const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): string =>
      `data: ${JSON.stringify({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
        ...more,
      })}\n\n`;

    async function* chunks(signal: AbortSignal): AsyncGenerator<string> {
      yield chunk({ role: 'assistant', content: '' });
      try {
        for await (const update of conversations.updates(owner, turn, signal)) {
          if (update.type === 'progress') yield chunk({ reasoning_content: `${update.text}\n` });
          if (update.type !== 'finished') continue;
          yield chunk({ content: update.turn.output ?? '' });
          yield chunk({}, 'stop');
          if (stream_options?.include_usage === true)
            yield chunk({}, null, { choices: [], usage: usageOf(update.turn) });
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
