import type { Log } from '../lib/log.ts';
import { createSeal } from '../lib/seal.ts';
import { CALLBACK_PATH, createLinks, readSealed } from './links.ts';
import { Begun, beginSignIn, type FetchFor, finishSignIn, readOffer, type SignInServer } from './oauth.ts';
import { createOwnerTokens } from './owner-tokens.ts';
import { type Challenge, type SignInPages, SignInRefused, type SignInStore, type SignIns } from './port.ts';

/** How long it is believed where a server's users sign in, in milliseconds. */
const OFFER_MS = 5 * 60_000;

/** Most offers that are remembered: a server may name another place in each refusal. */
const OFFERS_MAX = 100;

interface Parts {
  /** The operator's keys: the first one encrypts, each of them decrypts. */
  secrets: readonly string[];
  /** Where browsers reach the service, without a slash at its end. */
  publicUrl: string;
  servers: Readonly<Record<string, SignInServer>>;
  store: SignInStore;
  fetchFor: FetchFor;
  log: Log;
  now(): number;
}

/** The purpose that a begun sign-in is sealed for. */
const ofPending = (owner: string, server: string): string => JSON.stringify(['pending', owner, server]);

/** Creates the function that says where a server's users sign in, and remembers it for some minutes. */
const createOffers = (serverNamed: (name: string) => SignInServer, fetchFor: FetchFor, now: () => number) => {
  const offers = new Map<string, { at: number; offer: ReturnType<typeof readOffer> }>();
  return (name: string, challenge: Challenge): ReturnType<typeof readOffer> => {
    const key = JSON.stringify([name, challenge]);
    const known = offers.get(key);
    if (known !== undefined && now() - known.at < OFFER_MS) return known.offer;
    const server = serverNamed(name);
    const offer = readOffer(server, challenge, fetchFor(server));
    if (offers.size >= OFFERS_MAX) offers.clear();
    offers.set(key, { at: now(), offer });
    offer.catch(() => offers.delete(key));
    return offer;
  };
};

/** Creates the sign-ins of owners at servers of tools. Tokens are stored sealed, and leave it for their server alone. */
export const createSignIns = (parts: Parts): SignIns & SignInPages => {
  const { secrets, publicUrl, servers, store, fetchFor, log, now } = parts;
  const seal = createSeal(secrets, 'sign-in');
  const links = createLinks(seal, publicUrl, now);
  const tokens = createOwnerTokens({ seal, servers, store, fetchFor, log, now });
  const redirect = `${publicUrl}${CALLBACK_PATH}`;

  const serverNamed = (name: string): SignInServer => {
    const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (server === undefined) throw new SignInRefused('invalid');
    return server;
  };
  const offerOf = createOffers(serverNamed, fetchFor, now);

  return {
    publicUrl,
    token: tokens.token,
    renewed: tokens.renewed,
    list: tokens.list,
    revoke: tokens.revoke,
    revokeAll: tokens.revokeAll,
    purposeOf: links.purposeOf,
    ticketFor: links.ticketFor,
    isTicket: links.isTicket,
    ownerOfState: links.ownerOfState,
    link: async (purpose) => {
      await offerOf(purpose.server, purpose.challenge);
      return links.linkTo(purpose);
    },
    linkFor: (owner, server, language) => {
      serverNamed(server);
      return links.linkTo({ owner, server, session_id: null, effect_id: null, language, challenge: {} });
    },
    begin: async (purpose) => {
      const { owner, server, challenge } = purpose;
      const configured = serverNamed(server);
      const offer = await offerOf(server, challenge);
      const known = await tokens.signedIn(owner, server);
      const { state, id, browser } = links.stateFor(purpose);
      const { url, begun } = await beginSignIn(configured, offer, { redirect, state, known }, fetchFor(configured));
      await store.begin(owner, server, { id, sealed: seal.seal(ofPending(owner, server), JSON.stringify(begun)) });
      return { url, id, browser };
    },
    finish: async (state, browsers, answer) => {
      const { id, ...purpose } = links.stateIn(state, browsers);
      const { owner, server } = purpose;
      const taken = await store.take(owner, server, id);
      const begun = readSealed(Begun, taken === null ? null : seal.open(ofPending(owner, server), taken));
      if (begun === null) throw new SignInRefused('used');
      if (answer === null) throw new Error('the sign-in page gave no code');
      const signedIn = await finishSignIn(begun, answer, now(), fetchFor(serverNamed(server)));
      await tokens.save(owner, server, signedIn, now());
      log.info({ mcp_server: server }, 'an owner has signed in');
      return purpose;
    },
  };
};
