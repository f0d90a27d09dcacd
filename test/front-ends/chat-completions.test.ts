import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type { FrontEnd, Running, Shown } from '../support/front-ends/front-end.ts';
import { inWords, shownText } from '../support/front-ends/shown-text.ts';
import { tellStory } from '../support/front-ends/story.ts';

/** A chat page on the real SDK, which sends the whole conversation each time. */
const connect: FrontEnd = (url) => () => {
  const session = randomUUID();
  const client = (): OpenAI =>
    new OpenAI({ baseURL: `${url()}/v1`, apiKey: 'none', defaultHeaders: { 'x-session-id': session }, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [];

  const start = async (text: string): Promise<Running> => {
    messages.push({ role: 'user', content: text });
    const stream = await client().chat.completions.create({ model: 'tripact', messages, stream: true });
    const read = async (): Promise<Shown> => {
      let content = '';
      let reasoning = '';
      try {
        for await (const { choices } of stream) {
          const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
          content += delta?.content ?? '';
          reasoning += delta?.reasoning_content ?? '';
        }
      } catch (error) {
        return { ...shownText(content, reasoning), error: String(error) };
      }
      messages.push({ role: 'assistant', content });
      return shownText(content, reasoning);
    };
    return {
      shown: read(),
      cancel: async () => void (await (await start('/cancel')).shown),
      disconnect: () => stream.controller.abort(),
    };
  };
  return inWords(session, start);
};

tellStory('Chat Completions', connect);
