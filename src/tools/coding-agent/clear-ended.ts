import type { BridgeFolder } from './bridge-folder.ts';
import { commandName, reportNames } from './command-file.ts';
import type { Ledger } from './ledger.ts';
import type { BridgeParts } from './sweep.ts';

/** Where what has ended is kept. */
const ENDED_FOLDERS: readonly BridgeFolder[] = [
  'commandsProcessed',
  'reportsProcessed',
  'reportsUnknown',
  'ledgersEnded',
];

/** How much of what has ended a bridge may keep. */
export interface KeptLimits {
  files: number;
  bytes: number;
  /** Days that it is kept; null: as long as the limits allow. */
  days: number | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

interface EndedFile {
  folder: BridgeFolder;
  name: string;
  bytes: number;
  /** When it was moved there, epoch milliseconds: unlike the time of its last change, whoever wrote it can't choose that one. */
  since: number;
}

/** The files that this task may read again, in whatever folder they are. */
const namesIn = ({ commands }: Ledger): string[] =>
  commands.flatMap(({ id, report }) => [commandName(id), ...reportNames(id), ...(report === null ? [] : [report])]);

/** Removes files, the given ones only, and never one that an open task names; gives how many went. One that can't be removed is logged. */
const removeEnded = async ({ bridge, ledgers, log }: BridgeParts, files: readonly EndedFile[]): Promise<number> => {
  if (files.length === 0) return 0;
  // Read after the files were listed: a report is in its ledger before it is in its folder.
  const old = new Set(files.map(({ name }) => name));
  const needed = new Set<string>();
  for await (const ledger of ledgers.open()) for (const name of namesIn(ledger)) if (old.has(name)) needed.add(name);
  let removed = 0;
  let failure: unknown;
  for (const { folder, name } of files) {
    if (folder !== 'ledgersEnded' && needed.has(name)) continue;
    await bridge.remove(folder, name).then(
      () => {
        removed += 1;
      },
      (error: unknown) => {
        failure ??= error;
      },
    );
  }
  if (failure !== undefined) log.warn({ err: failure }, "old files in the coding agent's bridge can not be removed");
  return removed;
};

const newestFirst = (a: EndedFile, b: EndedFile): number => b.since - a.since;

/**
 * Removes processed commands and reports, reports that belonged to no command, and ledgers of ended tasks: those that are older than their days, and the
 * oldest of what is beyond the limits. Leaves folders alone, and whatever a task that has not ended may read again. Holds a list of
 * twice as many files as may be kept at most.
 */
export const clearEnded = async (parts: BridgeParts, { files, bytes, days }: KeptLimits): Promise<void> => {
  const { bridge, log, now } = parts;
  const before = days === null ? Number.NEGATIVE_INFINITY : now() - days * DAY_MS;
  let removed = 0;
  const kept: EndedFile[] = [];
  const cut = async (): Promise<void> => {
    kept.sort(newestFirst);
    removed += await removeEnded(parts, kept.splice(files));
  };
  for (const folder of ENDED_FOLDERS)
    for await (const name of bridge.names(folder, 'files')) {
      const state = await bridge.stateOf(folder, name);
      if (state === null) continue;
      kept.push({ folder, name, bytes: state.bytes, since: state.changedAt });
      if (kept.length >= 2 * files + 1) await cut();
    }
  await cut();
  let sum = 0;
  removed += await removeEnded(
    parts,
    kept.filter((file) => {
      sum += file.bytes;
      return sum > bytes || file.since < before;
    }),
  );
  if (removed > 0) log.info({ files: removed }, "removed old files from the coding agent's bridge");
};
