import { createHash } from 'node:crypto';
import type { Line } from './tampering.ts';

/** The lines with their chains, as docs/SPEC.md says them, and not by the service's own code. */
export const chained = (lines: readonly Line[]): Line[] => {
  const before = new Map<string, string>();
  return lines.map(({ chain: _, ...line }) => {
    const of = String(line['task_id'] ?? line['session_id']);
    const text = `${before.get(of) ?? ''}${JSON.stringify(line)}`;
    const chain = createHash('sha256').update(text).digest('hex');
    before.set(of, chain);
    return { ...line, chain };
  });
};
