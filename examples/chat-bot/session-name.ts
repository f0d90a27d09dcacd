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

/** Parts of a thread's id that name its chat: of DingTalk's also which kind it is. */
const chatParts = (thread: string): number => (thread.startsWith('dingtalk:') ? 3 : 2);

/** Whose a thread is in Tripact, the same for ever: of a direct chat the one who writes in it, else the group. */
export const userOf = (thread: string): string => thread.split(':').slice(0, chatParts(thread)).join(':');
