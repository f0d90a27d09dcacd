import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import type { Challenge, SignIns } from '../../sign-in/port.ts';
import { type OutsideTool, type TaskToolCall, ToolAsks } from '../port.ts';
import { reasonOf } from './transport.ts';

/** The key of a sign-in among what is asked in a call. */
export const SIGN_IN = 'si:';

export const hasDeclined = ({ resumed }: TaskToolCall, kind: string): boolean =>
  resumed?.answers.some(({ key, action }) => key.startsWith(kind) && action === 'decline') ?? false;

/**
 * Asks the user of a call to sign in at a server. Throws `ToolAsks`; a result says why that is not possible. `state` comes
 * back with the answer.
 */
export const askSignIn = async (
  signIns: SignIns | null,
  server: string,
  challenge: Challenge,
  { owner, session_id, effect_id, language }: TaskToolCall,
  hide: (text: string) => string,
  state?: string,
): Promise<ToolResult> => {
  const texts = messages(language).mcp;
  // A refusal that names no place to sign in at may mean anything.
  if (signIns === null && challenge.resource_metadata === undefined)
    return { ok: false, result: texts.notCalled(server, 'HTTP 401', false) };
  if (signIns === null) return { ok: false, result: texts.noSignInPossible(server) };
  let link: Awaited<ReturnType<SignIns['link']>>;
  try {
    link = await signIns.link({ owner, server, session_id, effect_id, language, challenge });
  } catch (error) {
    return { ok: false, result: texts.notCalled(server, `HTTP 401: ${reasonOf(error, hide)}`, false) };
  }
  const asked = { server, requests: [{ kind: 'sign_in' as const, key: SIGN_IN, message: '', ...link }] };
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
    if ((await signIns.token(call.owner, server)) === null) return askSignIn(signIns, server, challenge(), call, hide);
    try {
      return { ok: true, result: texts.signedIn(server, await learn(call.owner)) };
    } catch (error) {
      return { ok: false, result: texts.notCalled(server, reasonOf(error, hide), false) };
    }
  },
});
