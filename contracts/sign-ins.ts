import { z } from 'zod';
import { LINK_CHARS_MAX } from './tool-question.ts';

/** A server of tools at which the caller can sign in. Never a token. */
export const SignInView = z.object({
  /** The configured name of the MCP server. */
  server: z.string(),
  /** When they signed in; null: they have not. */
  signed_in_at: z.iso.datetime().nullable(),
});
export type SignInView = z.infer<typeof SignInView>;

/** The body of `POST /v1/sign-ins/{server}`: the `url` of the question that waits for it, where one does. */
export const SignInRequest = z.strictObject({ url: z.string().max(LINK_CHARS_MAX).optional() });

/** An address for the browser of the user who was named, good for five minutes. */
export const SignInLink = z.object({ url: z.string() });
