import type { FeedbackLine } from '../../contracts/feedback.ts';

/** True for a line of feedback, which follows a trace's entries and isn't an entry itself. It may be malformed. */
export const isFeedbackLine = (line: unknown): line is FeedbackLine =>
  typeof line === 'object' && line !== null && 'feedback' in line;
