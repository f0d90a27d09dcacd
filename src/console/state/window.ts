import { type ReadonlySignal, signal } from '@preact/signals';

const matching = (query: string): ReadonlySignal<boolean> => {
  const list = matchMedia(query);
  const is = signal(list.matches);
  list.addEventListener('change', () => {
    is.value = list.matches;
  });
  return is;
};

/** The window is as narrow as a phone's: one pane at a time, and the rail below it. The style sheets have the same. */
export const isPhone = matching('(width <= 760px)');

/** There is no room for the inspector beside the views: one pane at a time. The sheet's styles have the same. */
export const isOnePane = matching('(width < 1000px)');

/** There is no room for a session's figures and actions beside its title. */
export const isHeadNarrow = matching('(width <= 1080px)');

/** There is no room for the list beside a session. */
export const isNarrow = matching('(width <= 1200px)');

/** The timeline and the machine have room enough beside the list. */
export const isWide = matching('(width >= 1600px)');
