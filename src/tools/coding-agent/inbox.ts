import type { Bridge } from './bridge-folder.ts';
import { commandName, idOfReport, reportNames } from './command-file.ts';
import { FRONT_BYTES_MAX, namedCommand } from './report-file.ts';

/** Most files of `reports/pending` that one listing takes in: a folder that a program floods is worked off in several. */
const NAMES_MAX = 1_000;

/** The same with those that are still being written, of which nothing but the name is read. */
const NAMES_SEEN_MAX = 10_000;

/** Files that are still being written, by the conventions of editors and programs; they get their real name by rename. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/** A file in `reports/pending`. */
export interface PendingReport {
  name: string;
  /** The command that it belongs to: its name says so, where that is a command of this bridge, else its front matter; null: none. */
  id: string | null;
  /** How long it has not changed, in milliseconds. */
  quietMs: number;
}

/** What lies in `reports/pending`, and to which command it belongs; a folder there is nobody's report, and stays. Reads each file's front matter once for each change of it. */
export interface Inbox {
  /** The name of a report on a command, by its name or by its front matter (SPEC 10); null where none is there. */
  find(id: string): Promise<string | null>;
  list(): Promise<PendingReport[]>;
}

interface SeenFile {
  mark: string;
  since: number;
  named: string | null;
}

/** Makes the inbox of a bridge. It moves nothing. */
export const createInbox = (bridge: Bridge): Inbox => {
  let seen = new Map<string, SeenFile>();
  let listing: Promise<PendingReport[]> | null = null;

  const exists = async (folder: 'commandsPending' | 'commandsProcessed', id: string): Promise<boolean> =>
    (await bridge.stateOf(folder, commandName(id))) !== null;

  const seeNow = async (name: string): Promise<{ file: SeenFile; modifiedAt: number } | null> => {
    const state = await bridge.stateOf('reportsPending', name);
    if (state === null) return null;
    const known = seen.get(name);
    if (known?.mark === state.mark) return { file: known, modifiedAt: state.modifiedAt };
    const text = await bridge.read('reportsPending', name, FRONT_BYTES_MAX);
    const file = { mark: state.mark, since: performance.now(), named: text === null ? null : namedCommand(text) };
    return { file, modifiedAt: state.modifiedAt };
  };

  const listNow = async (): Promise<PendingReport[]> => {
    const next = new Map<string, SeenFile>();
    const reports: PendingReport[] = [];
    let names = 0;
    for await (const name of bridge.names('reportsPending', 'files')) {
      names += 1;
      if (reports.length >= NAMES_MAX || names > NAMES_SEEN_MAX) break;
      if (TEMPORARY.test(name)) continue;
      const found = await seeNow(name);
      if (found === null) continue;
      const { file, modifiedAt } = found;
      next.set(name, file);
      const byName = idOfReport(name);
      const isOwn =
        byName !== null && ((await exists('commandsPending', byName)) || (await exists('commandsProcessed', byName)));
      const quietMs = Math.max(performance.now() - file.since, Date.now() - modifiedAt);
      reports.push({ name, id: isOwn ? byName : (file.named ?? byName), quietMs });
    }
    seen = next;
    return reports;
  };

  /** Calls that wait for reports at the same time share one listing. */
  const list = (): Promise<PendingReport[]> => {
    listing ??= listNow().finally(() => {
      listing = null;
    });
    return listing;
  };

  return {
    list,
    find: async (id) => {
      for (const name of reportNames(id)) if ((await bridge.stateOf('reportsPending', name)) !== null) return name;
      return (await list()).find((report) => report.id === id)?.name ?? null;
    },
  };
};
