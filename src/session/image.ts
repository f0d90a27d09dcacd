import type { Decider } from '../../contracts/approver.ts';
import type { By } from '../../contracts/by.ts';
import { ApprovalDecision, type Effect } from '../../contracts/event.ts';
import type { AttachedFile, SubmittedFile } from '../../contracts/file.ts';
import { TurnOptions, type TurnRequest } from '../../contracts/http.ts';
import type { PlanRun } from '../../contracts/named-plan.ts';
import type { Conversation, TaskState } from '../../contracts/task.ts';
import type { Task } from '../../machines/step.ts';
import type { RunnablePlan } from '../commands/run-plan.ts';
import type { LoadedHistory } from '../history/load.ts';

/** A session, identified by its owner and its name. */
export interface SessionKey {
  readonly owner: string;
  readonly session_id: string;
}

/** A session's key as one text. Neither owners nor session ids contain a line break. */
export const keyText = ({ owner, session_id }: SessionKey): string => `${owner}\n${session_id}`;

/** A user's turn that was validated at the boundary. */
export interface SubmittedTurn extends Omit<TurnRequest, 'input' | 'files'> {
  /** Empty if there is a `decision`, and may be if there are files. */
  input: string;
  /** The user's files. They are stored before the turn. */
  files?: readonly SubmittedFile[] | undefined;
  owner: string;
  session_id: string;
  /** Who sent it; absent: unknown. */
  by?: By | undefined;
  /** Whom the service takes the sender for where an action waits for approvers; absent: the owner, without roles. Not stored. */
  decider?: Decider | undefined;
  /**
   * The question that it answers, by `questionId`. `QUESTION_NOT_OPEN` if the session does not wait for an answer to
   * exactly that one.
   */
  answers?: string;
  /** The sign-in that a waiting call may go on with, and that call. `QUESTION_NOT_OPEN` if the session waits for none of it. */
  signed_in?: { readonly server: string; readonly effect_id: string };
  /** The named plan that it runs; its input only says so. */
  run?: PlanRun;
  /** Equal key and body give the same turn; another body gives `IDEMPOTENCY_KEY_REUSED` (SPEC 11). */
  idempotency_key?: string;
  /** The W3C `traceparent` of the request; not stored. */
  traceparent?: string;
}

/**
 * A session's own facts; times are epoch milliseconds. `id` is the store's number for it, assigned before it is stored.
 */
export interface SessionRecord {
  readonly id: number;
  readonly owner: string;
  readonly session_id: string;
  /** The IANA time zone that its user named last. */
  readonly timezone: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly turn_count: number;
  /** It began with the history of another session's task. */
  readonly is_fork: boolean;
  /** The agent that works in it; null: none was chosen yet. */
  readonly agent: string | null;
}

export interface NewTurn extends Omit<SubmittedTurn, 'files'> {
  readonly turn_id: string;
  /** Its files, stored in the session's folder. */
  readonly files?: AttachedFile[] | undefined;
  /** Nobody sent it: it belongs to a scheduled goal. */
  readonly isGoal?: true;
  /** The task that it opens in place of one for its input: a named plan's. */
  readonly runs?: RunnablePlan;
}

/** A stored, unfinished turn: in the queue (`task_id` null), bound to a task, or waiting for a tool. */
export interface OpenTurn {
  readonly turn_id: string;
  readonly task_id: string | null;
  /**
   * A `command` has no task and waits for the tool that the user tries; a `goal` is the service's own, for a scheduled
   * goal.
   */
  readonly kind: 'task' | 'goal' | 'command';
  readonly input: string;
  readonly options: StoredOptions;
  /** Where its finished turn is posted. */
  readonly callback_url: string | undefined;
  /** Epoch milliseconds. */
  readonly created_at: number;
}

/** The stored facts of a turn beside its words. */
export type StoredOptions = TurnOptions & {
  decision?: ApprovalDecision | undefined;
  by?: By | undefined;
  runs?: RunnablePlan | undefined;
  files?: AttachedFile[] | undefined;
};

const OPTIONS = Object.keys(TurnOptions.shape) as (keyof TurnOptions)[];

/** A turn's options for its task, its decision, the named plan that it runs, its files, and who sent it. */
export const optionsOf = ({ decision, by, runs, files, ...turn }: StoredOptions): StoredOptions => ({
  ...Object.fromEntries(OPTIONS.map((name) => [name, turn[name]])),
  decision: decision && ApprovalDecision.parse(decision),
  by,
  runs,
  files,
});

/** The sender of a turn as one who decides about actions. */
export const deciderOf = ({ owner, decider }: Pick<SubmittedTurn, 'owner' | 'decider'>): Decider =>
  decider ?? { owner, roles: [] };

/** Who sent an input, as its events carry it. */
export const sentBy = ({ by }: { readonly by?: By | undefined }) => (by === undefined ? {} : { by });

/** The part of a turn that events of its task carry beside its words. */
export const broughtBy = ({ metadata, context, answer_schema, files, expires_in, by }: StoredOptions) => ({
  ...(metadata !== undefined && { metadata }),
  ...(context !== undefined && { context }),
  ...(answer_schema !== undefined && { answer_schema }),
  ...(files !== undefined && { files }),
  ...(expires_in !== undefined && { expires_in }),
  ...sentBy({ by }),
});

/** The state of one of the session's tasks: `running` from opening or resuming until it settles. */
export interface TaskStatus {
  readonly task_id: string;
  readonly state: TaskState | 'running';
  /** The seq at which it was last opened, resumed or settled: the session's most recent task has the largest. */
  readonly touched_at_seq: number;
}

/** A task of a session as it was loaded. */
export interface LoadedTask extends LoadedHistory {
  readonly status: TaskStatus;
  /** The effect that its last entry asked for and that has no outcome yet. */
  readonly open: Effect | null;
  readonly begins: number;
  /** The chain of its last entry; null: an older version wrote it. */
  readonly chain: string | null;
}

/** The session's task that runs or waits for the user. */
export interface ActiveTask {
  readonly task: Task;
  /** Another process may have begun the open effect: it was found when this one loaded the session, and not left as one that was not begun. */
  readonly isRetryAfterCrash: boolean;
  /** How often the open effect has begun without an outcome. */
  readonly begins: number;
  /** This process has begun or asked for the open effect; `begins` includes that. */
  readonly isBegun: boolean;
  /** Entries since the last snapshot. */
  readonly unsnapped: number;
  /** A snapshot of the task is stored, or may be. */
  readonly isSnapped: boolean;
  /** The chain of its last entry; null: none yet. */
  readonly chain: string | null;
}

/**
 * A session as of one commit: everything that a decision may read. Throws `NotLoaded` for missing parts, and is then
 * made again with them.
 */
export interface SessionImage {
  readonly session: SessionRecord;
  /** False until its first commit. */
  readonly isStored: boolean;
  /** The seq of its last entry; 0: none. */
  readonly seq: number;
  /** The chain of the last event of the session itself; null: there is none. */
  readonly chain: string | null;
  /** When it was last changed, in epoch milliseconds. */
  readonly used_at: number;
  readonly active: ActiveTask | null;
  readonly open: Effect | null;
  readonly recent: TaskStatus | null;
  /** The most recently paused task; undefined: not loaded. */
  readonly lastPaused: string | null | undefined;
  /** The session's last finished turns with a task, oldest first. The next task opens with them. */
  readonly conversation: Conversation;
  /** All unfinished turns, in order of arrival. */
  readonly turns: readonly OpenTurn[];
  /** Tasks other than the active one that a decision asked for; null: the session has no such task. */
  readonly loaded: ReadonlyMap<string, LoadedTask | null>;
}

/** A decision's need beyond the image: a task by its id, or which task was paused last. */
export type Need = { kind: 'task'; task_id: string } | { kind: 'last_paused' };

/** A decision read something that the image lacks. */
export class NotLoaded extends Error {
  override name = 'NotLoaded';
  readonly need: Need;

  constructor(need: Need) {
    super(`not loaded: ${need.kind}`);
    this.need = need;
  }
}

/** The image of a new, empty session, with the number under which it will be stored. */
export const newSessionImage = (
  id: number,
  { owner, session_id }: SessionKey,
  timezone: string,
  now: number,
): SessionImage => ({
  session: {
    id,
    owner,
    session_id,
    timezone,
    created_at: now,
    updated_at: now,
    turn_count: 0,
    is_fork: false,
    agent: null,
  },
  isStored: false,
  seq: 0,
  chain: null,
  used_at: now,
  active: null,
  open: null,
  recent: null,
  lastPaused: null,
  conversation: [],
  turns: [],
  loaded: new Map(),
});

/** The turns that wait until the session is free, oldest first. */
export const queuedTurns = ({ turns }: SessionImage): OpenTurn[] =>
  turns.filter(({ task_id, kind }) => task_id === null && kind !== 'command');

/** The turns whose tool is being called, or was when the last process ended. */
export const toolTurns = ({ turns }: SessionImage): OpenTurn[] => turns.filter(({ kind }) => kind === 'command');

/** True if the session has this effect of this task open. */
export const isOpen = (
  { active, open }: SessionImage,
  { task_id, effect }: { task_id: string; effect: number },
): boolean => open?.effect === effect && active?.task.context.task_id === task_id;

/**
 * A reloaded session with this process's knowledge of its open effect from earlier images: an effect that only this
 * process asked for is not a repetition. `isInFlight`: it was begun here.
 */
export const withKnownEffect = (
  fresh: SessionImage,
  known: readonly SessionImage[],
  isInFlight: boolean,
): SessionImage => {
  if (fresh.active === null || fresh.open === null) return fresh;
  const active = isInFlight ? { ...fresh.active, isBegun: true } : fresh.active;
  const { effect } = fresh.open;
  const { task_id } = active.task.context;
  const own = known.find((image) => isOpen(image, { task_id, effect }))?.active ?? null;
  // It counts once it has begun.
  const begins = own === null ? 0 : own.begins - (own.isBegun ? 1 : 0);
  if (own === null || own.isRetryAfterCrash || active.begins > begins + 1) return { ...fresh, active };
  return { ...fresh, active: { ...active, isRetryAfterCrash: false, begins: begins + (isInFlight ? 1 : 0) } };
};

/** A session's activity in the sense of SPEC 2: `waiting` for its user, `running` a task or about to, or `free`. */
export const activityOf = (image: SessionImage): 'running' | 'waiting' | 'free' => {
  const { active, open } = image;
  if (active !== null && open === null) return 'waiting';
  return active !== null || queuedTurns(image).length > 0 ? 'running' : 'free';
};
