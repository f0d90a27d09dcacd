import type { FeedbackLine } from '../../contracts/feedback.ts';

/** True for a line of feedback, which stands behind a trace's entries and is none of them. It may be malformed. */
export const isFeedbackLine = (line: unknown): line is FeedbackLine =>
  typeof line === 'object' && line !== null && 'feedback' in line;
