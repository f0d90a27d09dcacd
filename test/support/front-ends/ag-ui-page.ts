import { randomUUID } from 'node:crypto';
import {
  type AgentSubscriber,
  type BaseEvent,
  type ContentPart,
  HttpAgent,
  type Message,
  type RunAgentParameters,
} from '@ag-ui/client';
import { HttpAgent as HttpAgent0 } from '@ag-ui/client-0';
import type { Conversation, Photo, Running, Shown } from './front-end.ts';
import { shownText } from './shown-text.ts';

/** The two versions of the client: 1.0, and the one before, which CopilotKit ships. */
export const agents = { '1.0': HttpAgent, '0.0': HttpAgent0 as unknown as typeof HttpAgent };
export type Line = keyof typeof agents;

/** A page's side of a conversation, and the client behind it. */
export interface AgUiPage extends Conversation {
  readonly agent: HttpAgent;
  /** All events that its client received, over all runs. */
  readonly events: BaseEvent[];
  run(parameters?: RunAgentParameters): Promise<Shown>;
}

interface Told extends Pick<Shown, 'text' | 'error'> {
  reasoning: string;
}

/** Records what a run shows its user. */
const listen = (told: Told, events: BaseEvent[]): AgentSubscriber => ({
  onEvent: ({ event }) => void events.push(event),
  onTextMessageContentEvent: ({ event }) => {
    told.text += event.delta;
  },
  onReasoningMessageContentEvent: ({ event }) => {
    told.reasoning += event.delta;
  },
  onRunErrorEvent: ({ event }) => {
    told.error = event.message;
  },
  onRunFailed: ({ error }) => {
    told.error ??= String(error);
  },
});

const toolCallOf = ({ messages }: HttpAgent, id: string | undefined): Shown['approval'] => {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const call = calls.find((one) => one.id === id)?.function;
  return call === undefined ? null : { tool: call.name, input: JSON.parse(call.arguments).input };
};

/** The reply as shown: interrupts by their schema and tool call, otherwise the text. */
const shownRun = (agent: HttpAgent, { text, reasoning, error }: Told, interrupts: boolean): Shown => {
  if (!interrupts) return { ...shownText(text, reasoning), error };
  const [interrupt] = agent.pendingInterrupts;
  const options: string[] = interrupt?.responseSchema?.properties.answer?.anyOf?.[0].enum ?? [];
  const approval = toolCallOf(agent, interrupt?.toolCallId);
  return { text, progress: reasoning.split('\n').filter(Boolean), options, approval, error };
};

/** A photo as each version's own part. */
const partOf = (line: Line, { name, mediaType: mimeType, bytes }: Photo): ContentPart => {
  const data = bytes.toString('base64');
  return line === '1.0'
    ? { type: 'image', source: { type: 'data', value: data, mimeType }, metadata: { filename: name } }
    : ({ type: 'binary', mimeType, data, filename: name } as unknown as ContentPart);
};

/** A chat page on the real client, of either version. */
export const agUiPage =
  (line: Line, { headers = {}, query = '', interrupts = line === '1.0' } = {}) =>
  (url: () => string): (() => AgUiPage) =>
  () => {
    const session = randomUUID();
    const agent = new agents[line]({ url: '', threadId: session, headers });
    const events: BaseEvent[] = [];
    let last: RunAgentParameters = {};
    let before: Message[] = [];

    const begin = (client: HttpAgent, parameters: RunAgentParameters): Promise<Shown> => {
      client.url = `${url()}/agui${query}`;
      const told: Told = { text: '', reasoning: '', error: null };
      // A failing run has told its subscriber why.
      const over = client.runAgent(parameters, listen(told, events)).catch(() => {});
      return over.then(() => shownRun(client, told, interrupts));
    };
    const run = (parameters: RunAgentParameters = {}): Promise<Shown> => {
      last = { runId: randomUUID(), ...parameters };
      before = [...agent.messages];
      return begin(agent, last);
    };
    const resume = (payload: unknown): Promise<Shown> =>
      run({
        resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const, payload })),
      });
    const said = (text: string, photo?: Photo): Promise<Shown> => {
      if (agent.pendingInterrupts.length > 0) return resume(text);
      const content = photo === undefined ? text : [{ type: 'text' as const, text }, partOf(line, photo)];
      agent.addMessage({ id: randomUUID(), role: 'user', content });
      return run();
    };
    const start = async (text: string): Promise<Running> => ({
      shown: said(text),
      cancel: async () => {
        const other = new agents[line]({
          url: '',
          threadId: session,
          headers,
          initialMessages: [{ id: randomUUID(), role: 'user', content: '/cancel' }],
        });
        await begin(other, {});
      },
      disconnect: () => agent.abortRun(),
    });
    return {
      session,
      agent,
      events,
      run,
      say: said,
      start,
      choose: (option) => (interrupts ? resume({ answer: option }) : said(option)),
      decide: (isApproved) => (interrupts ? resume({ approved: isApproved }) : said(isApproved ? 'yes' : 'no')),
      reconnect: async () => {
        agent.setMessages(before);
        return { shown: begin(agent, last) };
      },
    };
  };
