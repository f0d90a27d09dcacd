/**
 * An act: one thing that was done, by an entry of a history, without its words. An auditor sees who did what, when, and by which machine and model;
 * texts are there as their hashes, so that a text at hand can be compared.
 */
import { hash } from 'node:crypto';
import type { EventOf } from '../../contracts/event.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export const sha256 = (text: string): string => hash('sha256', text);

/** The kind of act; the members depend on it. */
export interface Act {
  readonly act: string;
  readonly [member: string]: unknown;
}

const hashed = (text: string | null | undefined): string | null => (text == null ? null : sha256(text));

const hashedJson = (value: unknown): string => sha256(JSON.stringify(value));

const called = (
  effect: number,
  { tool, input, ok, result }: { tool: string; input: string; ok: boolean; result: string },
): Act => ({ act: 'called', effect, tool, input: hashed(input), ok, result: hashed(result) });

/** The call that an approval let run; a yes in words is known by nothing else. */
const released = ({ effects }: TaskTraceEntry) => {
  const [first] = effects;
  return first?.type === 'tool.call' && first.params.resumed === undefined
    ? { tool: first.params.tool, input: hashed(first.params.input) }
    : null;
};

const decided = (entry: TaskTraceEntry): Act[] => {
  const { event } = entry;
  if (event.type !== 'decision.received') return [];
  const { decision, turn_id } = event;
  const act = decision.type === 'reject' ? 'refused' : 'approved';
  return [{ act, decision: decision.type, turn_id, ...released(entry), reason: hashed(decision.reason) }];
};

const said = (entry: TaskTraceEntry, turn_id: string, text: string): Act[] => {
  const call = released(entry);
  if (call !== null) return [{ act: 'approved', decision: 'in_words', turn_id, ...call, reason: hashed(text) }];
  return [{ act: 'said', turn_id, text: hashed(text) }];
};

/** The verdict of a tool's policy on a call; none where a person is asked. */
const judged = ({ next_action, approval }: EventOf<'thought.made'>): Act[] => {
  if (next_action === null || approval === undefined || approval.verdict === 'ask') return [];
  const act = approval.verdict === 'deny' ? 'refused' : 'approved';
  const { tool, input } = next_action;
  return [{ act, decision: 'policy', tool, input: hashed(input), reason: hashed(approval.reason) }];
};

const replied = (entry: TaskTraceEntry, model: string | undefined): Act[] => {
  const { event, state } = entry;
  if (event.type !== 'thought.made' && event.type !== 'replan.made') return [];
  if (event.type === 'replan.made' && event.status === 'replanned')
    return [{ act: 'planned', model, items: event.plan.length, plan: hashedJson(event.plan) }];
  if (event.type === 'thought.made' && event.next_action !== null) return judged(event);
  if (event.type === 'thought.made' && event.question !== null)
    return [{ act: 'asked_user', model, text: hashed(event.question) }];
  if (state !== 'done') return [];
  return [{ act: 'answered', model, outcome: event.outcome ?? 'completed', text: hashed(event.response) }];
};

const ofTask = (entry: TaskTraceEntry): Act[] => {
  const { event } = entry;
  switch (event.type) {
    case 'task.opened':
      return [{ act: 'asked', turn_id: event.turn_id, text: hashed(event.goal), agent: event.agent }];
    case 'plan.made':
      return [{ act: 'planned', model: event.usage?.model, items: event.plan.length, plan: hashedJson(event.plan) }];
    case 'thought.made':
    case 'replan.made':
      return replied(entry, event.usage?.model);
    case 'observation.recorded':
      return [called(event.effect, event)];
    case 'observations.recorded':
      return event.observations.map((each) => called(event.effect, each));
    case 'tool.asked':
      return event.requests.map(({ kind, message }) => {
        const { effect, server, tool } = event;
        return { act: 'asked_user', effect, server, tool, kind, text: hashed(message) };
      });
    case 'verification.finished':
      return [{ act: 'verified', effect: event.effect, ok: event.ok, output: hashed(event.output) }];
    case 'result.superseded':
      return [{ act: 'called', effect: event.effect, late: true, result: hashed(event.outcome) }];
    case 'effect.abandoned':
      return [{ act: 'abandoned', effect: event.effect, begins: event.begins }];
    case 'decision.received':
      return decided(entry);
    case 'answer.received':
      return event.signed_in === undefined
        ? said(entry, event.turn_id, event.text)
        : [{ act: 'signed_in', turn_id: event.turn_id, server: event.signed_in }];
    case 'steer.received':
      return [{ act: 'said', turn_id: event.turn_id, text: hashed(event.text) }];
    case 'plan.edited':
      return [{ act: 'changed', what: 'plan', turn_id: event.turn_id, edits: hashedJson(event.edits) }];
    case 'machine.changed':
      return [{ act: 'changed', what: 'machine', from: event.from, to: event.to }];
    case 'task.resumed':
      return [{ act: 'resumed', turn_id: event.turn_id }];
    case 'task.cancelled':
      return [{ act: 'cancelled', turn_id: event.turn_id }];
    case 'question.expired':
      return [{ act: 'expired', expired_at: event.expired_at }];
    case 'model.unavailable':
    case 'quota.exhausted':
      return [{ act: 'stopped', why: event.type, reason: hashed(event.reason) }];
    // A contract that was missed is asked again, and did nothing.
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
      return [];
    default:
      return event satisfies never;
  }
};

const ofSession = (entry: TraceEntry): Act[] => {
  if (entry.event.type !== 'session.forked') return [];
  const { from_session_id, from_task_id, at_seq } = entry.event;
  return [{ act: 'forked', from_session_id, from_task_id, at_seq }];
};

/** The acts that an entry tells of, in their order; most entries tell of one, some of none. `entry` is the entry's chain. */
export const actsOf = (owner: string, entry: TraceEntry): Act[] => {
  const { at, session_id, task_id, seq, machine, chain } = entry;
  const acts = entry.task_id === null ? ofSession(entry) : ofTask(entry);
  const { by } = entry.event as { by?: unknown };
  return acts.map(({ act, ...members }) => ({
    act,
    at,
    owner,
    session_id,
    task_id,
    seq,
    machine,
    ...members,
    ...(by !== undefined && { by }),
    ...(chain !== undefined && { entry: chain }),
  }));
};
