import { z } from 'zod';

/**
 * The way an input arrived, known by the protocol's address. `console`, `cli` and `chat_bot` are claimed by the
 * client: a label, not a proof. `embedded` is a program that runs the service in its process, `schedule` a goal that
 * came due, `sign_in` the page that a user comes back to after a sign-in at another server.
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
  'sign_in',
]);
export type Via = z.infer<typeof Via>;

/** Clients that name themselves in the header `X-Tripact-Client`. */
export const NamedClient = Via.extract(['console', 'cli', 'chat_bot']);

/** Who decided, answered, cancelled or edited: the credentials of the request, and the way it arrived (SPEC 11). */
export const By = z.object({
  owner: z.string(),
  /** The stored key, by its id. */
  key_id: z.string().optional(),
  /** The token's subject, hashed if it is not a valid owner name. */
  subject: z.string().optional(),
  via: Via,
  /** The user that a front end named, hashed if it is not a valid owner name. */
  user: z.string().optional(),
});
export type By = z.infer<typeof By>;
