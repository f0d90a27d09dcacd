import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type { Conversation, FrontEnd, Running, Shown } from '../support/front-ends/front-end.ts';
import { tellStory } from '../support/front-ends/story.ts';

/** What is read from a reply's text, for this wire has nothing else: a question's options, and the tool that is asked about. */
const shownOf = (text: string, progress: string): Shown => {
  const [, tool, input] = /May I run the tool "(\w+)" with this input\?\n\n([\s\S]*?)\n\n1\. /.exec(text) ?? [];
  const approval = tool === undefined || input === undefined ? null : { tool, input };
  const options = [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, option = '']) => option);
  return { text, progress: progress.split('\n').filter(Boolean), options, approval, error: null };
};

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
        return { ...shownOf(content, reasoning), error: String(error) };
      }
      messages.push({ role: 'assistant', content });
      return shownOf(content, reasoning);
    };
    return {
      shown: read(),
      cancel: async () => void (await say('/cancel')),
      disconnect: () => stream.controller.abort(),
    };
  };
  const say = async (text: string): Promise<Shown> => (await start(text)).shown;
  const conversation: Conversation = {
    session,
    say,
    start,
    choose: say,
    decide: (isApproved) => say(isApproved ? 'yes' : 'no'),
  };
  return conversation;
};

tellStory('Chat Completions', connect);
