import { randomUUID } from 'node:crypto';
import type { Artifact, Message, Part, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk-0';
import { ClientFactory } from '@a2a-js/sdk-0/client';
import { tellStory } from '../support/front-ends/story.ts';
import { type A2aReply, connectA2a } from './a2a-front-end.ts';

type Response = Message | Task | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

const textOf = ({ parts = [] }: Partial<Pick<Artifact, 'parts'>> = {}): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

const dataOf = ({ parts = [] }: Partial<Pick<Artifact, 'parts'>> = {}): A2aReply['data'] =>
  parts.find((part: Part) => part.kind === 'data')?.data ?? null;

const replyOf = (response: Response): A2aReply => {
  const contextId = response.contextId ?? '';
  switch (response.kind) {
    case 'message':
      return { contextId, taskId: '', state: null, text: textOf(response), data: null };
    case 'artifact-update':
      return { contextId, taskId: response.taskId, state: 'artifact', text: textOf(response.artifact), data: null };
    case 'task':
    case 'status-update': {
      const { state, message } = response.status;
      const taskId = response.kind === 'task' ? response.id : response.taskId;
      return { contextId, taskId, state, text: textOf(message), data: dataOf(message) };
    }
    default:
      return response satisfies never;
  }
};

const connect = connectA2a(async (url) => {
  const client = await new ClientFactory().createFromUrl(url);
  async function* replies(responses: AsyncGenerator<Response>): AsyncGenerator<A2aReply> {
    for await (const response of responses) yield replyOf(response);
  }
  return {
    stream: ({ contextId, taskId, text, photo, data }, signal) => {
      const part: Part =
        text === undefined ? { kind: 'data', data: data as Record<string, unknown> } : { kind: 'text', text };
      const file: Part[] =
        photo === undefined
          ? []
          : [
              {
                kind: 'file',
                file: { bytes: photo.bytes.toString('base64'), mimeType: photo.mediaType, name: photo.name },
              },
            ];
      const message: Message = {
        kind: 'message',
        messageId: randomUUID(),
        contextId,
        ...(taskId !== undefined && { taskId }),
        role: 'user',
        parts: [part, ...file],
      };
      return replies(client.sendMessageStream({ message }, { signal }) as AsyncGenerator<Response>);
    },
    cancel: (id) => client.cancelTask({ id }),
    subscribe: (id) => replies(client.resubscribeTask({ id }) as AsyncGenerator<Response>),
  };
});

tellStory('A2A 0.3', 'a2a', connect);
