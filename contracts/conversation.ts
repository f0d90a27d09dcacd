import { z } from 'zod';

/** Earlier turns that a task is opened with, at most: more than a person refers back to (SPEC 3). */
export const CONVERSATION_TURNS_MAX = 10;

/** Longest text of one turn in it, in characters: what a reference needs, not the work. */
export const CONVERSATION_TEXT_CHARS_MAX = 2_000;

/** Characters of all its texts: it is part of every prompt of the task. */
export const CONVERSATION_CHARS_MAX = 8_000;

/** One earlier turn of the session: what the user said, and what they were answered. */
export const ConversationTurn = z.object({
  said: z.string().max(CONVERSATION_TEXT_CHARS_MAX),
  answered: z.string().max(CONVERSATION_TEXT_CHARS_MAX),
});
export type ConversationTurn = z.infer<typeof ConversationTurn>;

/** The session's last finished task turns, oldest first. */
export const Conversation = z.array(ConversationTurn).max(CONVERSATION_TURNS_MAX);
export type Conversation = z.infer<typeof Conversation>;
