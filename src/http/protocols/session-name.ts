import { createHash } from 'node:crypto';
import { SessionId } from '../../../contracts/ids.ts';

/** The session that a front end's own id stands for: the id itself where it can be a session's name, else a name made from it. */
export const sessionNamed = (id: string): string =>
  SessionId.safeParse(id).success ? id : `c-${createHash('sha256').update(id).digest('base64url')}`;
