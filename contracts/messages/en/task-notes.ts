import { utcMinute } from '../utc-minute.ts';

/** What the machine itself notes on a task: in its plan, its observations, its failures and its pauses (SPEC 3, 5, 6). */
export const taskNotes = {
  unknownExecutor: (itemId: string, name: string) => `item ${itemId}: no executor "${name}", so default runs it`,
  unknownTool: (itemId: string, tool: string) => `item ${itemId}: no tool "${tool}"`,
  planCut: (count: number, kept: number, max: number) =>
    `the plan of ${count} items is cut to ${kept}; the limit is ${max}`,
  waitsFor: (step: string, ids: string[]) => `"${step}" waits for ${ids.join(', ')}`,
  deadlock: (waiting: string[]) => `Deadlock, no item can run: ${waiting.join('; ')}`,
  failedAction: (tool: string, result: string) => `${tool}: ${result}`,
  sameResult: (times: number) => `the same action gave the same result ${times} times`,
  interrupted: (times: number) => `begun ${times} times without an outcome`,
  /** `reason` is in English: it names what differs in the machine's own terms. */
  machineChanged: (_from: string, _to: string, reason: string) => reason,
  /** `resetsAt` is in epoch milliseconds, a midnight in UTC. */
  tokenQuota: (used: number, limit: number, resetsAt: number) =>
    `${used} of the ${limit} tokens of this day are used; the next one begins at ${utcMinute(resetsAt)}`,
};
