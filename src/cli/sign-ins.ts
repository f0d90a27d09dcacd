import { z } from 'zod';
import { SignInLink, SignInView } from '../../contracts/sign-ins.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { pathOf } from './client.ts';
import { withService } from './connection.ts';
import type { CliOptions } from './settings.ts';

/** `tripact sign-ins`: the MCP servers at which the caller can sign in, and where they are. */
export const showSignIns = (options: CliOptions): Promise<void> =>
  withService(options, 'sign-ins', 'read', async ({ client }) => {
    const listed = await client.get('sign-ins', z.object({ sign_ins: z.array(SignInView) }));
    for (const each of listed?.sign_ins ?? []) {
      const since = each.signed_in_at === null ? 'not signed in' : `signed in since ${each.signed_in_at}`;
      console.log(options.json === true ? jsonLine(each) : printable(`${each.server}  ${since}`));
    }
    if (listed?.sign_ins.length === 0) console.error('The service offers no sign-in');
  });

/** `tripact sign-in`: prints the address at which the caller signs in at a server. Opens nothing. */
export const signIn = (server: string, options: CliOptions): Promise<void> =>
  withService(options, 'sign-in', 'work', async ({ client }) => {
    const { url } = await client.post(pathOf('sign-ins', server), SignInLink);
    console.error('Open this in your browser within five minutes:');
    console.log(printable(url));
  });

/** `tripact sign-out`: forgets the caller's tokens at a server. */
export const signOut = (server: string, options: CliOptions): Promise<void> =>
  withService(options, 'sign-out', 'work', async ({ client }) => {
    await client.remove(pathOf('sign-ins', server));
    console.error(printable(`Signed out at ${server}`));
  });
