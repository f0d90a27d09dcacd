import { FeedbackLine } from '../../contracts/feedback.ts';
import { isFeedbackLine } from './feedback-line.ts';
import { readAs } from './read-line.ts';

/**
 * A trace's entries as parsed, unchecked JSON, without the lines of feedback, which `onFeedback` gets. Throws
 * `TRACE_NOT_READABLE` for feedback that cannot be read.
 */
export async function* traceEntries(
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  onFeedback?: (line: FeedbackLine) => void,
): AsyncGenerator<unknown, void, undefined> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (isFeedbackLine(line)) {
      const feedback = readAs(FeedbackLine, line, number);
      onFeedback?.(feedback);
    } else yield line;
  }
}
