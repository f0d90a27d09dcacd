import { randomUUID } from 'node:crypto';
import { Chat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import type { FrontEnd, Shown } from './front-end.ts';

/** A page's chat: the real one of `useChat`, without a browser. */
export interface Page {
  chat: Chat<UIMessage>;
  /** Resolves when the running reply, or the next one, is over. */
  finished(): Promise<void>;
}

export interface PageOptions {
  id?: string;
  messages?: UIMessage[];
  headers?: Record<string, string>;
  fetch?: typeof fetch;
}

/** False if the page left before it had seen the end of the newest message. */
const isOver = (last: UIMessage | undefined): boolean =>
  last?.role !== 'user' && (last?.metadata as { status?: string } | undefined)?.status !== 'running';

/** Opens a page on the service, as in docs/front-ends/ai-sdk.md. */
export const openPage = (url: () => string, options: PageOptions = {}): Page => {
  const { id = randomUUID(), messages = [], headers = {}, fetch: send = fetch } = options;
  let waiting: (() => void)[] = [];
  const chat: Chat<UIMessage> = new Chat<UIMessage>({
    id,
    messages,
    transport: new DefaultChatTransport({
      headers,
      fetch: (path, init) => send(url() + String(path), init),
      prepareReconnectToStreamRequest: () => ({
        api: `/api/chat/${encodeURIComponent(id)}/${isOver(chat.messages.at(-1)) ? 'stream' : 'last'}`,
      }),
    }),
    sendAutomaticallyWhen: (now) =>
      lastAssistantMessageIsCompleteWithToolCalls(now) || lastAssistantMessageIsCompleteWithApprovalResponses(now),
    onFinish: () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  });
  return { chat, finished: () => new Promise((resolve) => void waiting.push(resolve)) };
};

/** The parts of the last step of the last message: those of the last reply. */
export const lastParts = ({ messages }: Chat<UIMessage>): UIMessage['parts'] => {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
};

/** The last reply as the page's user sees it. */
export const shownIn = (chat: Chat<UIMessage>): Shown => {
  const parts = lastParts(chat);
  const tools = parts.filter(isToolUIPart);
  const question = tools.find((part) => getToolName(part) === 'ask_user');
  const asked = tools.find(({ state }) => state === 'approval-requested');
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  return {
    text: texts.join('\n'),
    progress: reasoning.join('').split('\n').filter(Boolean),
    options: (question?.input as { options: string[] } | undefined)?.options ?? [],
    approval: asked === undefined ? null : { tool: getToolName(asked), input: String(asked.input) },
    error: chat.error?.message ?? null,
  };
};

/** The tool call of the page's newest question or approval. */
const openCall = ({ messages }: Chat<UIMessage>, state: string): string =>
  messages.flatMap(({ parts }) => parts.filter(isToolUIPart)).findLast((part) => part.state === state)?.toolCallId ??
  '';

/** The AI SDK's own front end. */
export const aiSdkFrontEnd: FrontEnd = (url) => () => {
  const page = openPage(url);
  const { chat } = page;

  /** Answers, and if the question was not in the last message, tells it to continue. */
  const answer = async (toolCallId: string, send: () => unknown): Promise<Shown> => {
    const isLast = lastParts(chat).some((part) => isToolUIPart(part) && part.toolCallId === toolCallId);
    const over = page.finished();
    await send();
    if (!isLast) await chat.sendMessage();
    await over;
    return shownIn(chat);
  };

  return {
    session: chat.id,
    say: async (text, photo) => {
      const url = photo && `data:${photo.mediaType};base64,${photo.bytes.toString('base64')}`;
      await chat.sendMessage({
        text,
        ...(photo && { files: [{ type: 'file', mediaType: photo.mediaType, filename: photo.name, url: url! }] }),
      });
      return shownIn(chat);
    },
    start: async (text) => {
      const sent = chat.sendMessage({ text });
      return {
        shown: sent.then(() => shownIn(chat)),
        cancel: async () => void (await fetch(`${url()}/api/chat/${chat.id}/stop`, { method: 'POST' })),
        disconnect: () => void chat.stop(),
      };
    },
    choose: (option) => {
      const toolCallId = openCall(chat, 'input-available');
      return answer(toolCallId, () => chat.addToolOutput({ tool: 'ask_user', toolCallId, output: option }));
    },
    decide: (approved) => {
      const id = openCall(chat, 'approval-requested');
      return answer(id, () => chat.addToolApprovalResponse({ id, approved }));
    },
    reconnect: async () => {
      const connected = new Promise<void>((resolve) => void chat['~registerStatusCallback'](resolve));
      const over = chat.resumeStream();
      await connected;
      return { shown: over.then(() => shownIn(chat)) };
    },
  };
};
