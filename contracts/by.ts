import { z } from 'zod';

/**
 * The way that an input came. A protocol's address tells it; `console`, `cli` and `chat_bot` are what the client says of
 * itself, a label and no proof. `embedded` is a program that has the service in its process, `schedule` a goal that came due.
 */
export const Via = z.enum([
  'http',
  'console',
  'cli',
  'chat_bot',
  'mcp',
  'a2a',
  'ag_ui',
  'ai_sdk',
  'openai',
  'embedded',
  'schedule',
]);
export type Via = z.infer<typeof Via>;

/** Clients that name themselves in the header `X-Tripact-Client`. */
export const NamedClient = Via.extract(['console', 'cli', 'chat_bot']);

/** Who decided, answered, cancelled or edited: whose credentials the request showed, and the way it came (SPEC 11). */
export const By = z.object({
  owner: z.string(),
  /** The stored key, by its id. */
  key_id: z.string().optional(),
  /** The token's subject, hashed where it is no owner's name. */
  subject: z.string().optional(),
  via: Via,
  /** The user that a front end named, hashed where it is no owner's name. */
  user: z.string().optional(),
});
export type By = z.infer<typeof By>;
