import type { NamedApprovers } from '../../../contracts/approver.ts';
import { iso, isoOrNull } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { execute, type Queries, query } from '../../lib/queries.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { ApprovalReader, OpenApproval } from '../port.ts';
import { unpack } from './frames.ts';
import { NEWEST, pageOf, placeAfter } from './pages.ts';

const TASK = '(SELECT id FROM tasks WHERE task_id = @task_id AND owner = @owner)';

/** Lets approvers find the action that a task waits with. */
export function* openApproval(owner: string, task_id: string, { approvers, self }: NamedApprovers): Queries<void> {
  for (const approver of new Set(approvers))
    yield* execute(
      `INSERT INTO approvals ({owner,} task, approver, self) VALUES ({@owner,} ${TASK}, @approver, @self)`,
      {
        owner,
        task_id,
        approver,
        self: self === false ? 0 : 1,
      },
    );
}

export const closeApproval = (owner: string, task_id: string): Queries<void> =>
  execute(`DELETE FROM approvals WHERE {owner = @owner AND} task = ${TASK}`, { owner, task_id });

interface Row {
  cursor: string;
  owner: string;
  view: string;
  waiting_since: number;
  expires_at: number | null;
}

/**
 * The open approvals that a reader may decide, over all owners, longest waiting first; null: those of all approvers.
 */
export function* listApprovals(
  reader: ApprovalReader | null,
  { limit, after }: PageRequest,
): Queries<Page<OpenApproval>> {
  const { at, id } = after === undefined ? { at: -NEWEST, id: 0 } : placeAfter(after);
  const isReaders = `a.approver IN (SELECT value FROM json_each(@names)) AND (a.self = 1 OR t.owner <> @reader) AND`;
  const rows = yield* query<Row>(
    `SELECT DISTINCT t.waiting_since || '.' || t.id AS cursor, t.id, t.owner, t.view, t.waiting_since, t.expires_at
     FROM approvals a JOIN tasks t ON {t.owner = a.owner AND} t.id = a.task
     WHERE ${reader === null ? '' : isReaders} t.waiting_since IS NOT NULL AND (t.waiting_since, t.id) > (@at, @id)
     ORDER BY t.waiting_since, t.id LIMIT @limit`,
    {
      names: JSON.stringify(reader?.names ?? []),
      reader: reader?.owner ?? '',
      at,
      id,
      limit,
    },
  );
  return pageOf(rows, limit, ({ owner, view, waiting_since, expires_at }) => ({
    owner,
    task: storedTaskView(unpack(view)),
    since: iso(waiting_since),
    expires_at: isoOrNull(expires_at),
  }));
}
