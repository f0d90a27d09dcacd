import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Task } from '../../../machines/step.ts';

/** A snapshot's body in two parts, which together are its JSON: the beginning has all ids of its task, and the rest is the same in each fork. */
const partsOf = ({ context, ...others }: Task): { beginning: string; rest: string } => {
  const { task_id, session_id, open_effect_id, ...known } = context;
  const ids = JSON.stringify({ task_id, session_id, open_effect_id });
  return {
    beginning: `{"context":${ids.slice(0, -1)},`,
    rest: `${JSON.stringify(known).slice(1)},${JSON.stringify(others).slice(1)}`,
  };
};

/** Makes what stores a new fork's snapshot, inside the caller's transaction: what it has in common with others is stored once. Gives the bytes of its body. */
export const prepareSharedSnapshots = (db: Database) => {
  const addBody = db.prepare<[Buffer, string]>(
    'INSERT INTO snapshot_bodies (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const bodyId = db.prepare<[Buffer], number>('SELECT id FROM snapshot_bodies WHERE hash = ?').pluck();
  const add = db.prepare<[number, number, number, string, number]>(
    'INSERT INTO snapshots (task, seq, machine, body, shared) VALUES (?, ?, ?, ?, ?)',
  );
  return (task: number, seq: number, machine: number, snapshot: Task): number => {
    const { beginning, rest } = partsOf(snapshot);
    const hash = createHash('sha256').update(rest).digest();
    addBody.run(hash, rest);
    add.run(task, seq, machine, beginning, bodyId.get(hash)!);
    return Buffer.byteLength(beginning) + Buffer.byteLength(rest);
  };
};
