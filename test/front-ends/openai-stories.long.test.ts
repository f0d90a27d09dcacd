import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type { FrontEnd, Photo, Running, Shown } from '../support/front-ends/front-end.ts';
import { inWords, shownText } from '../support/front-ends/shown-text.ts';
import { tellStory } from '../support/front-ends/story.ts';

const dataUrl = ({ mediaType, bytes }: Photo): string => `data:${mediaType};base64,${bytes.toString('base64')}`;

/** A chat page on the real SDK, which sends the whole conversation each time. */
const chatCompletions: FrontEnd = (url) => () => {
  const session = randomUUID();
  const client = (): OpenAI =>
    new OpenAI({ baseURL: `${url()}/v1`, apiKey: 'none', defaultHeaders: { 'x-session-id': session }, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [];

  const start = async (text: string, photo?: Photo): Promise<Running> => {
    const image = photo && { type: 'image_url' as const, image_url: { url: dataUrl(photo) } };
    messages.push({ role: 'user', content: image === undefined ? text : [{ type: 'text', text }, image] });
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

type Events = AsyncIterable<OpenAI.Responses.ResponseStreamEvent>;

/** A page on the real SDK that sends one message at a time and reads events. */
const responses: FrontEnd = (url) => () => {
  const session = randomUUID();
  const client = (): OpenAI => new OpenAI({ baseURL: `${url()}/v1`, apiKey: 'none', maxRetries: 0 });
  let id = '';
  let seen = -1;
  let content = '';
  let reasoning = '';

  const read = async (events: Events): Promise<Shown> => {
    try {
      for await (const event of events) {
        seen = event.sequence_number;
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') content += event.delta;
        if (event.type === 'response.reasoning_summary_text.delta') reasoning += event.delta;
      }
      return shownText(content, reasoning);
    } catch (error) {
      return { ...shownText(content, reasoning), error: String(error) };
    }
  };
  const start = async (text: string, photo?: Photo): Promise<Running> => {
    const image = photo && { type: 'input_image' as const, image_url: dataUrl(photo), detail: 'auto' as const };
    const input: OpenAI.Responses.ResponseInput | string =
      image === undefined ? text : [{ role: 'user', content: [{ type: 'input_text', text }, image] }];
    [content, reasoning, seen] = ['', '', -1];
    const stream = await client().responses.create({ input, conversation: session, stream: true });
    return {
      shown: read(stream),
      cancel: async () => void (await client().responses.cancel(id)),
      disconnect: () => stream.controller.abort(),
    };
  };
  return {
    ...inWords(session, start),
    reconnect: async () => ({
      shown: read(await client().responses.retrieve(id, { stream: true, starting_after: seen })),
    }),
  };
};

tellStory('Chat Completions', 'openai', chatCompletions);
tellStory('Responses', 'openai', responses);
