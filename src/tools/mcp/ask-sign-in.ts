import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import type { Challenge, SignIns } from '../../sign-in/port.ts';
import { type OutsideTool, type TaskToolCall, ToolAsks } from '../port.ts';
import type { SignInNeeded } from './authorization.ts';
import { reasonOf } from './transport.ts';

/** The key of a sign-in among what is asked in a call. */
export const SIGN_IN = 'si:';

export const hasDeclined = ({ resumed }: TaskToolCall, kind: string): boolean =>
  resumed?.answers.some(({ key, action }) => key.startsWith(kind) && action === 'decline') ?? false;

/** Longest scope that is shown, in characters. */
const SCOPE_CHARS_MAX = 300;

/** How often a user is asked in one call for the same rights: an issuer may not give them. */
const SAME_RIGHTS_MAX = 3;

/** How often the user of a call has said that they signed in for this reason. */
const timesSignedIn = ({ resumed }: TaskToolCall, reason: string): number =>
  [...(resumed?.earlier ?? []), ...(resumed?.answers ?? [])].filter(
    ({ key, message }) => key === SIGN_IN && message === reason,
  ).length;

/**
 * Asks the user of a call to sign in at a server, or to give it more rights. Throws `ToolAsks`; a result says why that is
 * not possible. `state` comes back with the answer.
 */
export const askSignIn = async (
  signIns: SignIns | null,
  server: string,
  { challenge, lacks }: Pick<SignInNeeded, 'challenge' | 'lacks'>,
  call: TaskToolCall,
  hide: (text: string) => string,
  state?: string,
): Promise<ToolResult> => {
  const { owner, session_id, effect_id, language } = call;
  const texts = messages(language).mcp;
  const status = lacks === null ? 'HTTP 401' : 'HTTP 403';
  const message = lacks === null ? '' : texts.moreRights(plainLine(hide(lacks), SCOPE_CHARS_MAX));
  // A refusal that names no place to sign in at may mean anything.
  if (signIns === null && (challenge.resource_metadata === undefined || lacks !== null))
    return { ok: false, result: texts.notCalled(server, [status, message].filter(Boolean).join(': '), false) };
  if (signIns === null) return { ok: false, result: texts.noSignInPossible(server) };
  if (lacks !== null && timesSignedIn(call, message) >= SAME_RIGHTS_MAX)
    return { ok: false, result: texts.notCalled(server, `${status}: ${message}`, false) };
  let link: Awaited<ReturnType<SignIns['link']>>;
  try {
    link = await signIns.link({ owner, server, session_id, effect_id, language, challenge });
  } catch (error) {
    return { ok: false, result: texts.notCalled(server, `${status}: ${reasonOf(error, hide)}`, false) };
  }
  const asked = { server, requests: [{ kind: 'sign_in' as const, key: SIGN_IN, message, ...link }] };
  throw new ToolAsks({ ...asked, ...(state !== undefined && { state }) });
};

/** The parts of a sign-in tool, for a server that lists its tools only to users who have signed in. */
export interface UnknownServer {
  name: string;
  server: string;
  signIns: SignIns;
  challenge(): Challenge;
  /** Connects as this owner. Gives the names of the server's tools. Rejects where it cannot be reached. */
  learn(owner: string): Promise<string[]>;
  hide(text: string): string;
}

/** Creates the tool by which a user signs in at a server that tells its tools to nobody else. */
export const createSignInTool = ({ name, server, signIns, challenge, learn, hide }: UnknownServer): OutsideTool => ({
  name,
  description: `Signs the user in at the MCP server ${server}. Its other tools are available from then on, after a replan.`,
  usage: '{}',
  schema: { type: 'object', properties: {} },
  effect: 'idempotent',
  writes: false,
  origin: { kind: 'mcp', server },
  source: 'untrusted',
  run: async (_input, call) => {
    const texts = messages(call.language).mcp;
    if (hasDeclined(call, SIGN_IN)) return { ok: false, result: texts.notSignedIn(server) };
    if ((await signIns.token(call.owner, server)) === null)
      return askSignIn(signIns, server, { challenge: challenge(), lacks: null }, call, hide);
    try {
      return { ok: true, result: texts.signedIn(server, await learn(call.owner)) };
    } catch (error) {
      return { ok: false, result: texts.notCalled(server, reasonOf(error, hide), false) };
    }
  },
});
