import { readFileSync } from 'node:fs';
import type { ServiceLimits } from '../../contracts/service-limits.ts';

/** Descriptors that no connection takes: the database, the modules that are loaded late, logs, a few files and tools. */
const KEPT = 64;

/** Of the others, the share that connections may take; the rest is for models, callbacks, files and tools. */
const SHARE = 3 / 4;

/** Connections that there may be in any case. */
const CONNECTIONS_MIN = 16;

/** What the system says of this process; nothing where it is not Linux. */
const systemLimits = (): string => {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
};

/** The limits with no more connections than this process has file descriptors for: without one left, no file could be read. As they are where the system names no limit. */
export const withinDescriptors = (limits: ServiceLimits, system = systemLimits()): ServiceLimits => {
  const files = Number(/^Max open files\s+(\d+)/m.exec(system)?.[1] ?? Number.POSITIVE_INFINITY);
  const most = Math.max(CONNECTIONS_MIN, Math.floor((files - KEPT) * SHARE));
  return { ...limits, connections: Math.min(limits.connections, most) };
};
