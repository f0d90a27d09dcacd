import type { BridgeFolder } from './bridge.ts';
import type { BridgeParts } from './collect-reports.ts';
import { commandName, isEndCommand } from './command.ts';

/** Where files that are done with are kept. */
const ENDED_FOLDERS: readonly BridgeFolder[] = [
  'commandsProcessed',
  'reportsProcessed',
  'reportsUnknown',
  'ledgersEnded',
];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How much of what has ended a bridge keeps. */
export interface KeptLimits {
  files: number;
  /** Days that it is kept; null: as long as the limit of files allows. */
  days: number | null;
}

/** Moves aside `end`s that were pending for a day: an agent that is off for a night still sees them. */
export const withdrawEnds = async ({ bridge, now }: BridgeParts): Promise<void> => {
  for (const name of await bridge.names('commandsPending')) {
    const state = await bridge.statOf('commandsPending', name);
    if (state === null || now() - state.mtimeMs < DAY_MS) continue;
    if (isEndCommand((await bridge.read('commandsPending', name)) ?? ''))
      await bridge.move(name, 'commandsPending', 'commandsProcessed');
  }
};

/** Removes files that are done with: those that are too old, and the oldest beyond the limit. Never a folder, and never what an open task may read again. */
export const clearEnded = async ({ bridge, ledgers, log, now }: BridgeParts, { files, days }: KeptLimits) => {
  const ended: { folder: BridgeFolder; name: string; since: number }[] = [];
  for (const folder of ENDED_FOLDERS)
    for (const name of await bridge.names(folder)) {
      const state = await bridge.statOf(folder, name);
      if (state !== null) ended.push({ folder, name, since: state.ctimeMs });
    }
  // Read after the files were listed: a report is in its ledger before it is in its folder.
  const open = await ledgers.open();
  const needed = new Set(
    open.flatMap(({ commands }) => commands.flatMap(({ id, report }) => [commandName(id), report])),
  );
  const before = days === null ? Number.NEGATIVE_INFINITY : now() - days * DAY_MS;
  const old = ended
    .toSorted((a, b) => b.since - a.since)
    .filter(({ since }, at) => at >= files || since < before)
    .filter(({ folder, name }) => folder === 'ledgersEnded' || !needed.has(name));
  for (const { folder, name } of old) await bridge.remove(folder, name);
  if (old.length > 0) log.info({ files: old.length }, "removed old files from the coding agent's bridge");
};
