import { randomId } from '../api/random-id.ts';
import { sessionHref } from '../app/parse-route.ts';
import { navigate } from '../app/route.ts';

/** Length of a new session's name, behind its prefix. */
const NAME_CHARS = 8;

/** Opens a session that has not begun; its first input makes it. */
export const openNewSession = (): void => navigate(sessionHref(`chat-${randomId(NAME_CHARS)}`));
