import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The median of some values; NaN for none. */
export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return sorted.length === 0 ? Number.NaN : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Bytes of all files below a folder, without those that a server deletes meanwhile. */
export const folderBytes = (dir: string): number =>
  readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sum + folderBytes(path);
    return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);

/** Numbers from a file in Linux's /proc; empty if there is no such file. */
const procFields = (path: string, pattern: RegExp): number[] => {
  try {
    return (pattern.exec(readFileSync(path, 'utf8')) ?? []).slice(1).map(Number);
  } catch {
    return [];
  }
};

/** A number from a file in Linux's /proc; 0 if there is none. */
const procField = (path: string, pattern: RegExp): number => procFields(path, pattern)[0] ?? 0;

/** The process `root` and its children; empty without /proc. */
const family = (root: number): number[] => {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return [root, ...pids.map(Number).filter((pid) => procField(`/proc/${pid}/status`, /^PPid:\s+(\d+)/m) === root)];
  } catch {
    return [];
  }
};

/** This process's peak memory, in bytes. */
export const peakRss = (): number => process.resourceUsage().maxRSS * 1_024;

/** Milliseconds of one tick of the kernel's CPU accounting (USER_HZ is 100 on Linux). */
const TICK_MS = 10;

/** The processes of the server named by `BENCH_SERVER_PID`; empty if there is none. */
const server = (): number[] => {
  const root = process.env['BENCH_SERVER_PID'];
  return root === undefined ? [] : family(Number(root));
};

/** Processor time of the server so far, in microseconds. */
export const serverCpu = (): number => {
  // Fields 14 and 15 after the command's name, which may contain spaces.
  const stat = /\) \S+(?: -?\d+){10} (\d+) (\d+)/;
  const ticks = server().map((pid) => procFields(`/proc/${pid}/stat`, stat).reduce((sum, each) => sum + each, 0));
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS * 1_000;
};

/** Memory of the server in bytes, counting pages shared by its processes once; 0: no server. */
export const serverRss = (): number => {
  const kib = server().map((pid) => procField(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m));
  return kib.reduce((sum, each) => sum + each, 0) * 1_024;
};
