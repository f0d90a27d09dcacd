import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The middle of some values; NaN for none. */
export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return sorted.length === 0 ? Number.NaN : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Bytes of all files of a folder and below; what a server deletes meanwhile is left out. */
export const folderBytes = (dir: string): number =>
  readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sum + folderBytes(path);
    return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);

/** Numbers from a file of Linux's /proc; none where there is no such file. */
const procFields = (path: string, pattern: RegExp): number[] => {
  try {
    return (pattern.exec(readFileSync(path, 'utf8')) ?? []).slice(1).map(Number);
  } catch {
    return [];
  }
};

/** A number from a file of Linux's /proc; 0 where there is none. */
const procField = (path: string, pattern: RegExp): number => procFields(path, pattern)[0] ?? 0;

/** The process `root` and its children; none where there is no /proc. */
const family = (root: number): number[] => {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return [root, ...pids.map(Number).filter((pid) => procField(`/proc/${pid}/status`, /^PPid:\s+(\d+)/m) === root)];
  } catch {
    return [];
  }
};

/** The most memory that this process has used, in bytes. */
export const peakRss = (): number => process.resourceUsage().maxRSS * 1_024;

/** Milliseconds of one tick of the kernel's processor accounting (USER_HZ is 100 on Linux). */
const TICK_MS = 10;

/** The processes of the server that `BENCH_SERVER_PID` names; none where there is none. */
const server = (): number[] => {
  const root = process.env['BENCH_SERVER_PID'];
  return root === undefined ? [] : family(Number(root));
};

/** Processor time of the server so far, in microseconds. */
export const serverCpu = (): number => {
  // Fields 14 and 15 behind the command's name, which may hold spaces.
  const stat = /\) \S+(?: -?\d+){10} (\d+) (\d+)/;
  const ticks = server().map((pid) => procFields(`/proc/${pid}/stat`, stat).reduce((sum, each) => sum + each, 0));
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS * 1_000;
};

/** Memory of the server in bytes, pages that its processes share counted once; 0 for none. */
export const serverRss = (): number => {
  const kib = server().map((pid) => procField(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m));
  return kib.reduce((sum, each) => sum + each, 0) * 1_024;
};
