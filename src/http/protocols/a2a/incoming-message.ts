import type { Message, Part } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { checked } from '../../../../contracts/checked.ts';
import { TurnRequest } from '../../../../contracts/http.ts';
import { faultsIn } from '../parsed.ts';
import { sessionNamed } from '../session-name.ts';

/** Longest id of a message that a client may give, in characters. */
const MESSAGE_ID_CHARS_MAX = 256;

const decisionIn = (parts: readonly Part[]): unknown => {
  for (const { content } of parts) {
    const value: unknown = content?.$case === 'data' ? content.value : null;
    if (typeof value === 'object' && value !== null && 'decision' in value) return value.decision;
  }
  return undefined;
};

const textIn = (parts: readonly Part[]): string =>
  parts
    .map(({ content }) => (content?.$case === 'text' && typeof content.value === 'string' ? content.value : ''))
    .join('\n')
    .trim();

/** What a user's message says: words, or a decision about an approval as data `{"decision": {…}}`. Throws for one that says neither. */
export const inputOf = ({ messageId, parts }: Message): Pick<TurnRequest, 'input' | 'decision'> => {
  if (messageId === '' || messageId.length > MESSAGE_ID_CHARS_MAX)
    throw new RequestMalformedError(`message.messageId must have 1 to ${MESSAGE_ID_CHARS_MAX} characters`);
  const decision = decisionIn(parts);
  const read = checked(TurnRequest, decision === undefined ? { input: textIn(parts) } : { decision });
  if (read.success) return read.data;
  throw new RequestMalformedError(`message: ${faultsIn(read.error)}`);
};

/** The session of a message: its context, else one of its own, the same again when the message is sent again. */
export const sessionOf = ({ contextId, messageId }: Message): string =>
  contextId === '' ? sessionNamed(`a2a message ${messageId}`) : sessionNamed(contextId);
