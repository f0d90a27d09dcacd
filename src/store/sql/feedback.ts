import { Feedback, type FeedbackCounts, type FeedbackLine, type Rating } from '../../../contracts/feedback.ts';
import { TRACE_VERSION } from '../../../contracts/trace.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { type Queries, query } from '../../lib/queries.ts';
import { pageOf } from './pages.ts';

/** The columns of a turn that have its feedback. */
export interface RatedRow {
  rating: string | null;
  /** The rest of it as JSON. */
  feedback: string | null;
}

export const feedbackOf = ({ rating, feedback }: RatedRow): Feedback | null =>
  feedback === null ? null : Feedback.parse({ rating, ...JSON.parse(feedback) });

/** Stores what a user thought of a turn's reply; null: nothing any more. False: there is no such turn with a reply. */
export function* rateTurn(owner: string, turn_id: string, feedback: Feedback | null): Queries<boolean> {
  const { rating = null, ...rest } = feedback ?? {};
  const rated = yield* query(
    `UPDATE turns SET rating = @rating, feedback = @feedback
     WHERE turn_id = @turn_id AND owner = @owner AND finished_at IS NOT NULL RETURNING id`,
    { owner, turn_id, rating, feedback: feedback && JSON.stringify(rest) },
  );
  return rated.length > 0;
}

interface LineRow extends RatedRow {
  cursor: number;
  session_id: string;
  task_id: string | null;
  turn_id: string;
}

/** The feedback on a session's turns as lines of a trace, the oldest turn first; `taskId` null: on those of all its tasks. */
export function* listFeedback(
  owner: string,
  session: number,
  taskId: string | null,
  { limit, after }: PageRequest,
): Queries<Page<FeedbackLine>> {
  const rows = yield* query<LineRow>(
    `SELECT u.id AS cursor, s.session_id, t.task_id, u.turn_id, u.rating, u.feedback
     FROM turns u JOIN sessions s ON {s.owner = u.owner AND} s.id = u.session
     LEFT JOIN tasks t ON {t.owner = u.owner AND} t.id = u.task
     WHERE {u.owner = @owner AND} u.session = @session AND u.rating IS NOT NULL AND u.id > @after
       ${taskId === null ? '' : 'AND t.task_id = @task_id'} ORDER BY u.id LIMIT @limit`,
    { owner, session, task_id: taskId, after: Number(after ?? 0), limit },
  );
  return pageOf(rows, limit, ({ session_id, task_id, turn_id, ...rated }) => ({
    v: TRACE_VERSION,
    session_id,
    task_id,
    turn_id,
    feedback: feedbackOf(rated)!,
  }));
}

const countOf = (rating: Rating): string =>
  `(SELECT count(*) FROM turns WHERE {owner = s.owner AND} session = s.id AND rating = '${rating}') AS rated_${rating}`;

/** Columns of a session `s`: how many of its replies were rated up and down. */
export const RATED = `${countOf('up')}, ${countOf('down')}`;

/** A condition on a session `s`: one of its replies was rated `@feedback`. */
export const IS_RATED = `AND EXISTS (SELECT 1 FROM turns u WHERE {u.owner = s.owner AND} u.session = s.id
  AND u.rating IS NOT NULL AND u.rating = @feedback)`;

export const countsIn = ({
  rated_up: up,
  rated_down: down,
}: {
  rated_up: number;
  rated_down: number;
}): {
  feedback?: FeedbackCounts;
} => (up + down === 0 ? {} : { feedback: { up, down } });
