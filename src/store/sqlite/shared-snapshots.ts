import type { Database } from 'better-sqlite3';
import type { SnapshotParts } from '../../engine/snapshot-parts.ts';

/** Makes what stores a new fork's snapshot, inside the caller's transaction: what it has in common with others is stored once. Gives the bytes of its body. */
export const prepareSharedSnapshots = (db: Database) => {
  const addBody = db.prepare<[Buffer, string]>(
    'INSERT INTO snapshot_bodies (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const bodyId = db.prepare<[Buffer], number>('SELECT id FROM snapshot_bodies WHERE hash = ?').pluck();
  const add = db.prepare<[number, number, number, string, number]>(
    'INSERT INTO snapshots (task, seq, machine, body, shared) VALUES (?, ?, ?, ?, ?)',
  );
  return (task: number, seq: number, machine: number, { beginning, rest, hash }: SnapshotParts): number => {
    addBody.run(hash, rest);
    add.run(task, seq, machine, beginning, bodyId.get(hash)!);
    return Buffer.byteLength(beginning) + Buffer.byteLength(rest);
  };
};
