import type { FastifyInstance } from 'fastify';
import { SignInLink, SignInRequest, SignInView } from '../../../contracts/sign-ins.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isoOrNull } from '../../lib/iso-time.ts';
import { SignInRefused } from '../../sign-in/port.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

const notFound = (): ServiceError =>
  new ServiceError('SIGN_IN_NOT_FOUND', 'There is no sign-in of yours at a server with that name');

/** `/v1/sign-ins`: a caller's sign-ins at MCP servers (SPEC 8). Nothing here shows a token. */
export const addSignInRoutes = (app: FastifyInstance, { signIns }: Pick<RouteParts, 'signIns'>): void => {
  const { route, list } = routesOf(app, 'sign-ins');

  list('/v1/sign-ins', 'listSignIns', {
    summary: 'The MCP servers at which you can sign in',
    description: 'With when you did. Empty where the service offers no sign-in.',
    items: { sign_ins: SignInView },
    read: async ({ owner }) => ({
      items: ((await signIns?.list(owner)) ?? []).map(({ server, signed_in_at }) => ({
        server,
        signed_in_at: isoOrNull(signed_in_at),
      })),
      next: null,
    }),
  });

  route('POST /v1/sign-ins/:server', 'beginSignIn', {
    summary: 'An address at which you sign in',
    description:
      'For front ends, whose users have no key: send the browser of exactly the user whom the request names to `url` within five minutes. It shows whose sign-in it is. ' +
      'With the `url` of a question the task that asked goes on by itself afterwards.',
    body: SignInRequest.nullish(),
    returns: SignInLink,
    handle: async ({ params: { server }, body, owner }) => {
      if (signIns === null) throw notFound();
      try {
        const url = body?.url ?? signIns.linkFor(owner, server, 'en').url;
        const purpose = signIns.purposeOf(url.split('/').at(-1) ?? '');
        if (purpose.owner !== owner || purpose.server !== server) throw notFound();
        return { url: `${url}?ticket=${signIns.ticketFor(purpose)}` };
      } catch (error) {
        throw error instanceof SignInRefused ? notFound() : error;
      }
    },
  });

  route('DELETE /v1/sign-ins/:server', 'revokeSignIn', {
    summary: 'Sign out at an MCP server',
    description: 'Its tokens are forgotten, and the issuer is told so if it can be reached.',
    handle: async ({ params, owner }) => {
      if (signIns === null || !(await signIns.revoke(owner, params.server))) throw notFound();
    },
  });
};
