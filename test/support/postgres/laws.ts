import pg from 'pg';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { replay } from '../../../src/history/replay.ts';

/** Makes the database record each commit of an owner with its fence. */
export const recordCommits = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ made: string }>("SELECT pg_get_functiondef('enter'::regproc) AS made");
  const made = rows[0]!.made;
  const end = made.lastIndexOf('END');
  await client.query('CREATE TABLE commits (number bigint GENERATED ALWAYS AS IDENTITY, owner text, fence bigint)');
  await client.query(
    `${made.slice(0, end)} INSERT INTO commits (owner, fence) VALUES (owner_name, known); ${made.slice(end)}`,
  );
  await client.end();
};

/** Commits of an owner with a fence, after one with a higher fence. */
const UNDER_AN_OLD_FENCE = `SELECT owner, fence, highest FROM (
  SELECT owner, fence, max(fence) OVER (PARTITION BY owner ORDER BY number) AS highest FROM commits) AS those
  WHERE fence < highest`;

/** Todos by text: how often each is stored, and how often a command asked for it. */
const TODOS = 'SELECT owner, text, count(*) AS count FROM todos GROUP BY owner, text';
const COMMANDS = `SELECT owner, split_part(substr(input, 11), ' --', 1) AS text, count(*) AS count FROM turns
  WHERE input LIKE '/todo add %' GROUP BY 1, 2`;

const outcomesOf = (entries: readonly TraceEntry[]): string[] =>
  entries.flatMap(({ task_id, event }) =>
    task_id !== null && 'effect' in event && event.type !== 'result.superseded' ? [`${task_id}.${event.effect}`] : [],
  );

const addedBy = (entries: readonly TraceEntry[]): string[] =>
  entries.flatMap(({ event }) =>
    event.type === 'observation.recorded' && event.tool === 'todo' && event.ok && event.input.startsWith('add ')
      ? [event.input.slice('add '.length)]
      : [],
  );

export interface Judged {
  /** The violated laws, one sentence each. */
  broken: string[];
  /** The traces of all sessions. */
  entries: TraceEntry[];
  /** Commits of owners so far. */
  commits: number;
}

/**
 * Checks a cluster whose work has ended: each trace has no gaps and replays, each effect has one outcome, each turn is
 * finished, the todos match the observations and commands, and no commit had an old fence.
 */
export const judge = async (
  databaseUrl: string,
  traceOf: (owner: string, session: string) => Promise<TraceEntry[]>,
): Promise<Judged> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const rows = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(sql)).rows;
  const broken: string[] = [];
  const entries: TraceEntry[] = [];
  try {
    const expected = new Map<string, number>();
    const expect = (owner: string, text: string, count = 1): void => {
      const name = `${owner} "${text}"`;
      expected.set(name, (expected.get(name) ?? 0) + count);
    };
    for (const { owner, session_id } of await rows<{ owner: string; session_id: string }>('SELECT * FROM sessions')) {
      const trace = await traceOf(owner, session_id);
      entries.push(...trace);
      // Commands alone leave no entry.
      const replayed = trace.length === 0 ? { ok: true as const } : await replay(trace, { gapless: true });
      if (!replayed.ok) broken.push(`the trace of ${owner} ${session_id} does not replay: ${replayed.message}`);
      for (const text of addedBy(trace)) expect(owner, text);
    }
    for (const [effect, those] of Map.groupBy(outcomesOf(entries), (each) => each))
      if (those.length > 1) broken.push(`${effect} has ${those.length} outcomes`);
    for (const { turn_id } of await rows<{ turn_id: string }>('SELECT turn_id FROM turns WHERE finished_at IS NULL'))
      broken.push(`${turn_id} is not finished`);
    for (const { owner, text, count } of await rows<{ owner: string; text: string; count: string }>(COMMANDS))
      expect(owner, text, Number(count));
    const todos = await rows<{ owner: string; text: string; count: string }>(TODOS);
    const stored = new Map(todos.map(({ owner, text, count }) => [`${owner} "${text}"`, Number(count)]));
    for (const name of new Set([...expected.keys(), ...stored.keys()]))
      if (expected.get(name) !== stored.get(name))
        broken.push(`${name}: ${stored.get(name) ?? 0} todos, ${expected.get(name) ?? 0} observations and commands`);
    for (const { owner, fence, highest } of await rows<Record<string, string>>(UNDER_AN_OLD_FENCE))
      broken.push(`a commit of ${owner} under fence ${fence} after ${highest}`);
    const [counted] = await rows<{ count: string }>('SELECT count(*) AS count FROM commits');
    return { broken, entries, commits: Number(counted!.count) };
  } finally {
    await client.end();
  }
};
