import { openReadOnly, type ReadOnlyStore, type StoredTrace } from '../engine/sqlite/read-only.ts';
import { ServiceError } from '../errors.ts';

/** One trace of a data folder, and the store it is read from. */
export interface OpenedTrace {
  trace: StoredTrace;
  store: Pick<ReadOnlyStore, 'version' | 'close'>;
}

const theOne = (traces: StoredTrace[], id: string): StoredTrace => {
  const [trace, ...others] = traces;
  if (trace === undefined) throw new ServiceError('NOT_FOUND', `There is no task and no session "${id}"`);
  if (others.length === 0) return trace;
  const owners = traces.map(({ owner }) => owner).join(', ');
  throw new ServiceError(
    'INVALID_REQUEST',
    `Several owners have a session "${id}"; add --owner with one of: ${owners}`,
  );
};

/** Finds a task's or a session's trace in a data folder, whether or not a service runs on it. Throws when not exactly one is meant. */
export const openStoredTrace = (dataDir: string, id: string, owner: string | undefined): OpenedTrace => {
  const store = openReadOnly(dataDir);
  try {
    const traces = store.traces(id).filter((trace) => owner === undefined || trace.owner === owner);
    return { trace: theOne(traces, id), store };
  } catch (error) {
    store.close();
    throw error;
  }
};
