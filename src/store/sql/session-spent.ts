import type { SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { Cost } from '../../../contracts/usage.ts';
import { isOf, type Queries, query, type Statement, statement } from '../../lib/queries.ts';
import type { SessionRecord } from '../../session/image.ts';
import { pack, unpack } from './frames.ts';
import { listedTask } from './tasks.ts';

/** The store's number of a session, and its owner. */
type SessionNumber = Pick<SessionRecord, 'id' | 'owner'>;

const ADD_TOOL = `INSERT INTO session_tools ({owner,} session, tool) VALUES ({@owner,} @id, @tool) ON CONFLICT DO NOTHING`;

const ADD_COST = `INSERT INTO session_costs ({owner,} session, currency, cost) VALUES ({@owner,} @id, @currency, @cost)
  ON CONFLICT ({owner,} session, currency) DO UPDATE SET cost = add_amounts(session_costs.cost, excluded.cost)`;

/** The tools that an event has results of. */
const toolsIn = (event: TaskEvent | TaskOpened | SessionEvent): string[] => {
  if (event.type === 'observation.recorded') return [event.tool];
  if (event.type !== 'observations.recorded') return [];
  return [...new Set(event.observations.map(({ tool }) => tool))];
};

/** The statements that note the tools that an event of a session has results of. */
export const toolsToNote = ({ id, owner }: SessionNumber, event: TaskEvent | TaskOpened | SessionEvent): Statement[] =>
  toolsIn(event).map((tool) => statement(ADD_TOOL, { owner, id, tool }));

/** The statement that adds the cost of a model call to its session. */
export const costToAdd = ({ id, owner }: SessionNumber, { amount, currency }: Cost): Statement =>
  statement(ADD_COST, { owner, id, currency, cost: amount });

/** The columns of a session's cost, where it is in one currency. */
export const SPENT = `(SELECT CASE WHEN count(*) = 1 THEN max(c.cost) END FROM session_costs c
    WHERE {c.owner = s.owner AND} c.session = s.id) AS cost,
  (SELECT max(c.currency) FROM session_costs c WHERE {c.owner = s.owner AND} c.session = s.id) AS currency`;

/** The session called @tool. */
export const USES_TOOL = `AND EXISTS (SELECT 1 FROM session_tools u
  WHERE {u.owner = s.owner AND} u.session = s.id AND u.tool = @tool)`;

/** The session cost @min_cost or more. */
export const COSTS = `AND EXISTS (SELECT 1 FROM session_costs c
  WHERE {c.owner = s.owner AND} c.session = s.id AND CAST(c.cost AS NUMERIC) >= CAST(@min_cost AS NUMERIC))`;

/** Sessions that are looked through at once. */
const SESSIONS_AT_ONCE = 50;

/** How entries with results of tools begin as they are stored: of one tool, also as an old build wrote it, and of several. */
const ONE = '{"type":"observation.recorded","effect":';
const PACKED = pack(ONE);
const SEVERAL = '{"type":"observations.recorded"';

/** Characters of an entry that have the name of its tool. */
const NAME_IN = 250;

const FOUND = `SELECT s.id, s.owner, CASE WHEN substr(e.event, 1, ${SEVERAL.length}) = @several THEN e.event
    ELSE substr(e.event, 1, ${NAME_IN}) END AS event
  FROM sessions s JOIN entries e ON {e.owner = s.owner AND} e.session = s.id
  WHERE s.id IN (SELECT CAST(value AS BIGINT) FROM json_each(@ids)) AND (substr(e.event, 1, ${SEVERAL.length}) = @several
    OR substr(e.event, 1, ${ONE.length}) = @one OR substr(e.event, 1, ${PACKED.length}) = @packed)`;

/** The tools in an entry as it was found; none in one that is damaged. */
const toolsFound = (event: string): string[] => {
  if (event.startsWith(SEVERAL)) return toolsIn(JSON.parse(event));
  const [, name] =
    /^\{"type":"observation\.recorded","effect":\d+,"tool":("(?:[^"\\]|\\.)*")/.exec(unpack(event)) ?? [];
  return name === undefined ? [] : [JSON.parse(name)];
};

/**
 * Notes the tools of sessions that an older build stored, and the cost of their tasks that have settled; `owner` null:
 * of all owners. For a migration, or an import: nothing may be noted yet.
 */
export function* noteSpent(owner: string | null): Queries<void> {
  for (let after = 0; ; ) {
    const page = yield* query<{ id: number }>(
      `SELECT id FROM sessions WHERE ${isOf(owner)} AND id > @after ORDER BY id LIMIT ${SESSIONS_AT_ONCE}`,
      { owner, after },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    const ids = JSON.stringify(page.map(({ id }) => id));
    const entries = yield* query<SessionNumber & { event: string }>(FOUND, {
      ids,
      one: ONE,
      packed: PACKED,
      several: SEVERAL,
    });
    for (const { id, owner: own, event } of entries)
      for (const tool of toolsFound(event)) yield statement(ADD_TOOL, { id, owner: own, tool });
    const tasks = yield* query<{ session: number; owner: string; task_id: string; view: string }>(
      `SELECT session, owner, task_id, view FROM tasks
       WHERE session IN (SELECT CAST(value AS BIGINT) FROM json_each(@ids)) AND view IS NOT NULL`,
      { ids },
    );
    for (const { session, owner: own, ...task } of tasks) {
      const cost = listedTask(task).view?.cost;
      if (cost !== undefined) yield costToAdd({ id: session, owner: own }, cost);
    }
    after = last.id;
  }
}
