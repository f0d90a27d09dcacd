import { randomId } from '../api/request.ts';
import { HOME } from '../app/parse-route.ts';
import { navigate } from '../app/route.ts';

/** Length of a new session's name, behind its prefix. */
const NAME_CHARS = 8;

/** A name for a session that has not begun; its first input makes it. */
export const newSessionName = (): string => `chat-${randomId(NAME_CHARS)}`;

/** Shows where a session is begun, with its field focused. */
export const openNewSession = (): void => {
  navigate(HOME);
  document.getElementById('message')?.focus();
};
