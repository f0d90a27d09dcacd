import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Language } from '../../contracts/text.ts';
import type { Opened, Seal } from '../lib/seal.ts';
import { type LinkPurpose, SignInRefused } from './port.ts';

/** How long a browser may take from the service to the sign-in page and back, and how long a ticket is good; milliseconds. */
const STATE_MS = 10 * 60_000;
const TICKET_MS = 5 * 60_000;

const NONCE_BYTES = 24;

/** The paths of the pages that browsers visit. */
export const LINK_PATH = '/v1/sign-ins/links/';
export const CALLBACK_PATH = '/v1/sign-ins/callback';

const Purpose = z.object({
  owner: z.string(),
  server: z.string(),
  session_id: z.string().nullable(),
  effect_id: z.string().nullable(),
  language: Language,
  challenge: z.object({ resource_metadata: z.string().optional(), scope: z.string().optional() }),
});

/** A state names whose sign-in it is, for which session and call, and by a hash the browser that it was begun in. */
const State = Purpose.extend({ id: z.string(), browser: z.string(), expires_at: z.number() });
const Ticket = z.object({ owner: z.string(), server: z.string(), expires_at: z.number() });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

const nonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

/** An opened text as a value; null for one that did not open, or is of another version. */
export const readSealed = <Value>(shape: z.ZodType<Value>, opened: Opened | null): Value | null =>
  opened === null ? null : (shape.safeParse(JSON.parse(opened.text)).data ?? null);

/** Without absent values, so that an exact type fits. */
const purposeIn = ({ challenge, ...purpose }: z.infer<typeof Purpose>): LinkPurpose => ({
  ...purpose,
  challenge: {
    ...(challenge.resource_metadata !== undefined && { resource_metadata: challenge.resource_metadata }),
    ...(challenge.scope !== undefined && { scope: challenge.scope }),
  },
});

/**
 * Makes and reads what leaves the service in addresses: links, tickets and states. They are sealed, so nobody can read,
 * change or make one.
 */
export const createLinks = (seal: Seal, publicUrl: string, now: () => number) => ({
  linkTo: (purpose: LinkPurpose): { url: string; host: string } => ({
    url: `${publicUrl}${LINK_PATH}${seal.seal('link', JSON.stringify(purpose))}`,
    host: new URL(publicUrl).host,
  }),
  purposeOf: (link: string): LinkPurpose => {
    const purpose = readSealed(Purpose, seal.open('link', link));
    if (purpose === null) throw new SignInRefused('invalid');
    return purposeIn(purpose);
  },
  ticketFor: ({ owner, server }: Pick<LinkPurpose, 'owner' | 'server'>): string =>
    seal.seal('ticket', JSON.stringify({ owner, server, expires_at: now() + TICKET_MS })),
  isTicket: (ticket: string, { owner, server }: Pick<LinkPurpose, 'owner' | 'server'>): boolean => {
    const found = readSealed(Ticket, seal.open('ticket', ticket));
    return found !== null && found.owner === owner && found.server === server && found.expires_at > now();
  },
  /** A new state, with its id and the value that the browser has to bring back beside it. */
  stateFor: (purpose: LinkPurpose): { state: string; id: string; browser: string } => {
    const [id, browser] = [nonce(), nonce()];
    const named = { ...purpose, id, browser: hashOf(browser), expires_at: now() + STATE_MS };
    return { state: seal.seal('state', JSON.stringify(named)), id, browser };
  },
  ownerOfState: (state: string): string | null => readSealed(State, seal.open('state', state))?.owner ?? null,
  /** A state that came back in time and in its own browser, by one of the values that it brought. Throws `SignInRefused` for any other. */
  stateIn: (state: string, browsers: readonly string[]): LinkPurpose & { id: string } => {
    const found = readSealed(State, seal.open('state', state));
    if (found === null) throw new SignInRefused('invalid');
    const { id, browser: expected, expires_at, ...purpose } = found;
    if (!browsers.some((browser) => isSame(hashOf(browser), expected))) throw new SignInRefused('other_browser');
    if (expires_at <= now()) throw new SignInRefused('expired');
    return { ...purposeIn(purpose), id };
  },
});
