import type { CallbackState, CallbackView } from '../../contracts/callback.ts';
import { printable } from '../lib/printable.ts';
import { type ListOptions, openLists, pageWanted, printList, shownTime } from './lists.ts';
import { openService, type ServiceOptions, serviceWords } from './open-service.ts';

export interface CallbackOptions extends ListOptions {
  state?: CallbackState;
}

/** `tripact callbacks`: what is to be posted to programs, was delivered, or was given up, newest first. */
export const showCallbacks = async (options: CallbackOptions): Promise<void> => {
  const { state } = options;
  const lists = await openLists(options);
  try {
    const rowOf = ({ id, type, url, state, attempts, created_at, last_error }: CallbackView): string[] => [
      ...[id, type, url ?? 'webhook', state, String(attempts)],
      ...[shownTime(created_at, lists.timezone), last_error ?? ''],
    ];
    const titles = ['CALLBACK', 'EVENT', 'TO', 'STATE', 'POSTS', 'SINCE', 'LAST ERROR'];
    const again = ['callbacks', ...serviceWords(options), ...(state === undefined ? [] : ['--state', state])];
    const page = await lists.callbacks(state, pageWanted(options));
    printList(page, { titles, rowOf, none: 'There is no such callback', again }, options.json === true);
  } finally {
    await lists.close();
  }
};

/** `tripact callbacks resend`: has a callback posted now, whatever came of it before. */
export const resendCallback = async (id: string, options: ServiceOptions): Promise<void> => {
  const { client, close } = await openService(options, 'callbacks resend');
  try {
    const { type, url } = await client.resendCallback(id);
    console.error(printable(`${type} is posted again to ${url ?? 'the webhook'}`));
  } finally {
    await close();
  }
};
