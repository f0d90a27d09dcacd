import { randomUUID } from 'node:crypto';
import { type Message, type Part, Role, type StreamResponse, taskStateToJSON } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { tellStory } from '../support/front-ends/story.ts';
import { type A2aReply, connectA2a } from './a2a-front-end.ts';

const part = (content: Part['content']): Part => ({ content, metadata: undefined, filename: '', mediaType: '' });

const textOf = (parts: readonly Part[] = []): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');

const dataOf = (parts: readonly Part[] = []): A2aReply['data'] => {
  const data = parts.find(({ content }) => content?.$case === 'data')?.content;
  return data?.$case === 'data' ? data.value : null;
};

const replyOf = ({ payload }: StreamResponse): A2aReply => {
  switch (payload?.$case) {
    case 'message': {
      const { contextId, parts } = payload.value;
      return { contextId, taskId: '', state: null, text: textOf(parts), data: null };
    }
    case 'artifactUpdate': {
      const { contextId, taskId, artifact } = payload.value;
      return { contextId, taskId, state: 'artifact', text: textOf(artifact?.parts), data: null };
    }
    case 'task':
    case 'statusUpdate': {
      const { contextId, status } = payload.value;
      const taskId = payload.$case === 'task' ? payload.value.id : payload.value.taskId;
      const state = status === undefined ? '' : taskStateToJSON(status.state).replace('TASK_STATE_', '');
      const parts = status?.message?.parts;
      return {
        contextId,
        taskId,
        state: state.toLowerCase().replace('_', '-'),
        text: textOf(parts),
        data: dataOf(parts),
      };
    }
    default:
      throw new Error('an empty response');
  }
};

const connect = connectA2a(async (url) => {
  const client = await new ClientFactory().createFromUrl(url);
  async function* replies(responses: AsyncGenerator<StreamResponse>): AsyncGenerator<A2aReply> {
    for await (const response of responses) yield replyOf(response);
  }
  return {
    stream: ({ contextId, taskId = '', text, photo, data }, signal) => {
      const message: Message = {
        messageId: randomUUID(),
        contextId,
        taskId,
        role: Role.ROLE_USER,
        parts: [
          part(text === undefined ? { $case: 'data', value: data } : { $case: 'text', value: text }),
          ...(photo === undefined
            ? []
            : [{ ...part({ $case: 'raw', value: photo.bytes }), filename: photo.name, mediaType: photo.mediaType }]),
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      };
      const request = { tenant: '', message, configuration: undefined, metadata: undefined };
      return replies(client.sendMessageStream(request, { signal }));
    },
    cancel: (id) => client.cancelTask({ tenant: '', id, metadata: undefined }),
    subscribe: (id) => replies(client.resubscribeTask({ tenant: '', id })),
  };
});

tellStory('A2A 1.0', 'a2a', connect);
