import type { Move } from './known-paths.ts';

let wanted: object | null = null;
let noted: Move[] = [];

/** XState makes actors of its own on the way, which begin with an event of their own: only what our event leads to counts. */
const isOf = (event: object): boolean => event === wanted || ('input' in event && event.input === wanted);

/** Notes what the machine asks or does for an event, while somebody wants to know. */
export const note = (event: object, move: Move): void => {
  if (wanted !== null && isOf(event)) noted.push(move);
};

/** What XState does with this event, and all that it asks and does on the way, in order. */
export const noting = <Result>(event: object, transition: () => Result): { result: Result; moves: Move[] } => {
  wanted = event;
  noted = [];
  try {
    return { result: transition(), moves: noted };
  } finally {
    wanted = null;
  }
};
