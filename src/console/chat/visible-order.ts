/** Signs that nobody sees, and that show the text behind them in another order: what a terminal leaves out. */
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A text with such signs as their codes, in the order of its characters: who says yes to it is to see what runs. */
export const visibleOrder = (text: string): string =>
  text.replace(REORDERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
