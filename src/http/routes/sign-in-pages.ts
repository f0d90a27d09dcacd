import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messages } from '../../../contracts/messages/messages.ts';
import type { Language } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type LinkPurpose, type SignInPages, SignInRefused } from '../../sign-in/port.ts';
import type { RouteParts } from './port.ts';

/** A page of its own words: no script, nothing from elsewhere, and forms only back to the service. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}button,input{font:inherit;padding:.5rem .8rem}input{width:100%;box-sizing:border-box;margin:.5rem 0}';

/** The beginning of the names of cookies: each sign-in of a browser has its own. */
const COOKIE = 'tripact_sign_in_';

/** How long a browser keeps what it has to bring back, in seconds. */
const COOKIE_SECONDS = 600;

/** Longest body of the form, in bytes: a token. */
const FORM_BYTES_MAX = 16 * 1024;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const html = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

const send = (reply: FastifyReply, status: number, language: Language, title: string, body: string, head = '') =>
  reply
    .code(status)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${html(title)}</title><style>${STYLE}</style><h1>${html(title)}</h1>${body}</html>`,
    );

const paragraph = (text: string): string => `<p>${html(text)}</p>`;

/** The values that a browser has kept since its sign-ins began. */
const browsersOf = ({ headers }: FastifyRequest): string[] => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.flatMap(([name = '', value = '']) => (name.startsWith(COOKIE) ? [value] : []));
};

const Form = z.object({ key: z.string().optional(), ticket: z.string().optional() });
const Returned = z.object({ state: z.string(), code: z.string().optional(), iss: z.string().optional() });
const Ticket = z.object({ ticket: z.string().optional() });

type Parts = Pick<RouteParts, 'access' | 'engine'> & { signIns: SignInPages };

/** Proves whose browser it is: by a key or token of the owner, or by a ticket that their front end has just got. */
const isOwner = async (
  { access, signIns }: Parts,
  purpose: LinkPurpose,
  { key, ticket }: z.infer<typeof Form>,
): Promise<boolean> => {
  if (ticket !== undefined) return signIns.isTicket(ticket, purpose);
  const caller = key === undefined ? null : await access.identify(key.trim());
  // A front end's key stands for all of its users.
  return caller !== null && caller.role !== 'front_end' && caller.owner === purpose.owner;
};

/** Sends the browser to the server's own page, with what it has to bring back. */
const goOn = async ({ signIns }: Parts, purpose: LinkPurpose, reply: FastifyReply): Promise<FastifyReply> => {
  const texts = messages(purpose.language).signIn;
  const { url, id, browser } = await signIns.begin(purpose);
  const { protocol, pathname } = new URL(signIns.publicUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${COOKIE}${id}=${browser}; Path=${pathname.replace(/\/$/, '')}/v1/sign-ins; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  );
  // Not a redirect: a form's target may not leave the service by the page's policy.
  const refresh = `<meta http-equiv="refresh" content="0;url=${html(url.href)}">`;
  const link = `<p><a href="${html(url.href)}" rel="noreferrer">${html(texts.goTo(url.host))}</a></p>`;
  return send(reply, 200, purpose.language, texts.title(purpose.server), link, refresh);
};

/** Asks who it is: the page that a link opens where callers have keys. */
const askWho = (
  { owner, server, language }: LinkPurpose,
  ticket: string | undefined,
  reply: FastifyReply,
  refused = false,
) => {
  const texts = messages(language).signIn;
  const field =
    ticket === undefined
      ? `<label>${html(texts.key)}<input type="password" name="key" autocomplete="off" required></label>`
      : `<input type="hidden" name="ticket" value="${html(ticket)}">`;
  const form = `<form method="post">${field}<button>${html(texts.goOn)}</button></form>`;
  const said = refused ? paragraph(texts.notYours) : '';
  return send(
    reply,
    refused ? 403 : 200,
    language,
    texts.title(server),
    `${said}${paragraph(texts.whose(owner, server))}${form}`,
  );
};

const STATUSES: Record<SignInRefused['reason'], number> = { invalid: 404, expired: 410, used: 410, other_browser: 403 };

/** A fault, in words for the person in front of the browser. Shows nothing that came with the request. */
const failed = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (error instanceof ServiceError) throw error;
  const language = (request.headers['accept-language'] ?? '').startsWith('zh') ? 'zh' : 'en';
  const texts = messages(language).signIn;
  if (error instanceof SignInRefused)
    return send(reply, STATUSES[error.reason], language, texts.notDone, paragraph(texts.refused[error.reason]));
  request.log.warn({ err: error }, 'a sign-in failed');
  return send(reply, 502, language, texts.notDone, paragraph(texts.issuerFailed));
};

/** Tells the task that waits for a sign-in. It may wait no longer, and the sign-in counts all the same. */
const resume = async (
  { engine }: Parts,
  { owner, session_id, effect_id, server, language }: LinkPurpose,
): Promise<void> => {
  if (session_id === null || effect_id === null) return;
  const input = messages(language).forms.signedIn(server);
  const signed_in = { server, effect_id };
  try {
    await engine.submit({ owner, session_id, input, signed_in, by: { owner, via: 'sign_in' } });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
};

/** The owner whose home serves a page; null: a page of nobody. */
export const ownerOfPage = (signIns: SignInPages, { params, query }: FastifyRequest): string | null => {
  const { link } = (params ?? {}) as { link?: string };
  const { state } = (query ?? {}) as { state?: unknown };
  try {
    if (link !== undefined) return signIns.purposeOf(link).owner;
    return typeof state === 'string' ? signIns.ownerOfState(state) : null;
  } catch {
    return null;
  }
};

/**
 * The pages that a browser visits to sign in at an MCP server: the link in a question, and the address that the issuer
 * sends it back to. Public, as browsers show no key: each proves for itself whose it is.
 */
export const addSignInPages = (app: FastifyInstance, parts: Parts): void => {
  const { signIns, access } = parts;
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  const hidden = { schema: { hide: true } };

  app.get<{ Params: { link: string } }>('/v1/sign-ins/links/:link', hidden, async (request, reply) => {
    try {
      const purpose = signIns.purposeOf(request.params.link);
      const { ticket } = Ticket.parse(request.query);
      return access.isRequired() ? askWho(purpose, ticket, reply) : await goOn(parts, purpose, reply);
    } catch (error) {
      return failed(error, request, reply);
    }
  });

  app.post<{ Params: { link: string } }>('/v1/sign-ins/links/:link', hidden, async (request, reply) => {
    try {
      const purpose = signIns.purposeOf(request.params.link);
      const form = Form.parse(request.body ?? {});
      // Another site's page could send its own key, and have its visitor sign in for somebody else.
      const isOwnPage = request.headers.origin === new URL(signIns.publicUrl).origin;
      const isTheirs = !access.isRequired() || (await isOwner(parts, purpose, form));
      if (!isOwnPage || !isTheirs) return askWho(purpose, undefined, reply, true);
      return await goOn(parts, purpose, reply);
    } catch (error) {
      return failed(error, request, reply);
    }
  });

  app.get('/v1/sign-ins/callback', hidden, async (request, reply) => {
    try {
      const { data } = Returned.safeParse(request.query);
      if (data === undefined) throw new SignInRefused('invalid');
      const { state, code, iss } = data;
      const purpose = await signIns.finish(state, browsersOf(request), code === undefined ? null : { code, iss });
      await resume(parts, purpose);
      const texts = messages(purpose.language).signIn;
      return send(reply, 200, purpose.language, texts.done(purpose.server), paragraph(texts.goBack));
    } catch (error) {
      return failed(error, request, reply);
    }
  });
};
