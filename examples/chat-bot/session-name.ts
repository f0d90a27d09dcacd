import { createHash } from 'node:crypto';

/** Longest name of a session that Tripact takes. */
const NAME_MAX = 64;

/** The session of a conversation, the same for ever: its id where that fits, else a hash of it. */
export const sessionName = (conversation: string): string => {
  const name = conversation.replaceAll(/[^\w-]+/g, '_').replace(/_+$/, '');
  if (name.length <= NAME_MAX) return name;
  const [platform] = conversation.split(':');
  return `${platform}_${createHash('sha256').update(conversation).digest('hex').slice(0, 40)}`;
};
