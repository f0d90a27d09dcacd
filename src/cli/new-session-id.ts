import { randomBytes } from 'node:crypto';

/** Random bytes of a new session's id: enough that no two terminals ever meet, few enough to type again. */
const ID_BYTES = 5;

/** A new session's id that says which command began it, such as `chat-9f3c1a77b2`. */
export const newSessionId = (command: string): string => `${command}-${randomBytes(ID_BYTES).toString('hex')}`;
