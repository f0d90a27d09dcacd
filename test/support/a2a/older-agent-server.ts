import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { AgentCard, TaskState } from '@a2a-js/sdk-0';
import { DefaultRequestHandler, InMemoryTaskStore, JsonRpcTransportHandler } from '@a2a-js/sdk-0/server';
import { onTestFinished } from 'vitest';

/** A real agent of A2A 0.3, by its SDK, over HTTP: it asks one question, and then ends. Closed with the test. */
export const startOlderAgent = async (question: string): Promise<{ url: string; received: string[] }> => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const reply = (body: unknown): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    reply(request.method === 'GET' ? card : await transport.handle(await json(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card: AgentCard = {
    name: 'Travel',
    description: 'Books journeys.',
    version: '1',
    protocolVersion: '0.3.0',
    url: `${url}/a2a`,
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
    execute: async ({ userMessage, taskId, contextId, task }, bus) => {
      const [part] = userMessage.parts;
      received.push(part?.kind === 'text' ? part.text : '');
      const publish = (state: TaskState, words: string): void => {
        const message = {
          kind: 'message' as const,
          messageId: randomUUID(),
          role: 'agent' as const,
          parts: [{ kind: 'text' as const, text: words }],
        };
        const status = { state, timestamp: new Date().toISOString(), message };
        bus.publish({ kind: 'status-update', taskId, contextId, status, final: true });
      };
      if (task === undefined) bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' } });
      if (received.length === 1) publish('input-required', question);
      else publish('completed', `Booked for ${received.at(-1)}`);
      bus.finished();
    },
    cancelTask: async (_taskId, bus) => bus.finished(),
  });
  const transport = new JsonRpcTransportHandler(handler);
  return { url, received };
};
