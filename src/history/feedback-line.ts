import type { FeedbackLine } from '../../contracts/feedback.ts';
import { plainLine } from '../../contracts/text.ts';

/** True for a line of feedback, which stands behind a trace's entries and is none of them. It may be malformed. */
export const isFeedbackLine = (line: unknown): line is FeedbackLine =>
  typeof line === 'object' && line !== null && 'feedback' in line;

/** Longest note in a line of prose, in characters. */
const QUOTED_MAX = 120;

/** Feedback as a line of prose, such as `turn_1 rated down "it was Friday"`. Cuts long notes. */
export const formatFeedback = ({ turn_id, feedback: { rating, note } }: FeedbackLine): string => {
  const said = `${turn_id} rated ${rating}`;
  return note === undefined ? said : `${said} ${JSON.stringify(plainLine(note, QUOTED_MAX))}`;
};
