import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { AgentCard, type Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import { onTestFinished } from 'vitest';

/** An agent's reaction to a message: it goes on, asks, or ends. */
export interface Turn {
  text: string;
  /** The task's earlier messages. */
  earlier: string[];
  /** Resolves when the test lets it. */
  released: Promise<void>;
}
export type Reply =
  | { ask: string }
  | { authorize: string }
  | { done: string; file?: { name: string; bytes: Buffer } }
  | { fail: string };

export interface AgentServer {
  url: string;
  /** The texts that it was sent, in order. */
  received: string[];
  /** The headers of the last call. */
  headers(): Record<string, unknown>;
  cancelled: string[];
  release(): void;
}

const textOf = ({ parts }: Message): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');

/** A real A2A agent, by the SDK, over HTTP. Closed with the test. */
export const startAgent = async (work: (turn: Turn) => Promise<Reply> | Reply): Promise<AgentServer> => {
  const received: string[] = [];
  const cancelled: string[] = [];
  const gate = Promise.withResolvers<void>();
  const earlier = new Map<string, string[]>();
  let headers: Record<string, unknown> = {};

  const executor: AgentExecutor = {
    execute: async ({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus) => {
      const text = textOf(userMessage);
      received.push(text);
      const before = earlier.get(taskId) ?? [];
      earlier.set(taskId, [...before, text]);
      const status = (state: string, words?: string) => {
        const said = { messageId: randomUUID(), contextId, taskId, role: 'ROLE_AGENT', parts: [{ text: words }] };
        const message = words === undefined ? {} : { message: said };
        return { state: `TASK_STATE_${state}`, timestamp: new Date().toISOString(), ...message };
      };
      const publish = (state: string, words?: string): void =>
        bus.publish(
          AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: status(state, words) })),
        );
      bus.publish(AgentEvent.task(task ?? Task.fromJSON({ id: taskId, contextId, status: status('SUBMITTED') })));
      publish('WORKING');
      const reply = await work({ text, earlier: before, released: gate.promise });
      if ('done' in reply && reply.file !== undefined) {
        const { name, bytes } = reply.file;
        const parts = [{ raw: bytes.toString('base64'), filename: name, mediaType: 'application/octet-stream' }];
        const artifact = { artifactId: randomUUID(), parts };
        bus.publish(
          AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, lastChunk: true })),
        );
      }
      if ('ask' in reply) publish('INPUT_REQUIRED', reply.ask);
      else if ('authorize' in reply) publish('AUTH_REQUIRED', reply.authorize);
      else if ('fail' in reply) publish('FAILED', reply.fail);
      else publish('COMPLETED', reply.done);
      bus.finished();
    },
    cancelTask: async (taskId: string, bus: ExecutionEventBus) => {
      cancelled.push(taskId);
      bus.finished();
    },
  };

  const server = createServer(async (request, response) => {
    const reply = (body: unknown): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.method === 'GET') return reply(AgentCard.toJSON(card));
    headers = request.headers;
    const context = new ServerCallContext({ requestedVersion: '1.0' });
    const result = await new JsonRpcTransportHandler(handler).handle(
      (await json(request)) as Record<string, unknown>,
      context,
    );
    reply(result);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = AgentCard.fromJSON({
    name: 'Travel',
    description: 'Books journeys.',
    version: '1',
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  onTestFinished(async () => {
    gate.resolve();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, received, cancelled, headers: () => headers, release: gate.resolve };
};
