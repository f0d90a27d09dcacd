import type { By } from '../../contracts/by.ts';
import type { LeftStep, PlanEdit, SessionEvent, TaskEvent } from '../../contracts/event.ts';
import type { EditedStep } from '../../contracts/http.ts';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { SkillHashes } from '../../contracts/skill.ts';
import type { Catalogue, ConfirmPlan, Memory, ReplanMode, TaskLimits, ToolResult } from '../../contracts/task.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Commands } from '../commands/commands.ts';
import type { CopiedEvent } from '../history/fork.ts';
import type { Queries } from '../lib/queries.ts';
import type { Model } from '../models/port.ts';
import type { ToolCall } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { ActHashes } from './change.ts';
import type { NewTurn, SessionKey } from './image.ts';
import type { LimitedCount, OwnerCounts } from './owner-counts.ts';

/** The agents of the service by name. */
export interface AgentNames {
  /** Empty: the service has one agent, without a name. */
  readonly names: readonly string[];
  /** The agent of sessions that named none; null: there are no names. */
  readonly standard: string | null;
}

/** Settings of a new task, from the configuration. */
export interface TaskDefaults {
  readonly limits: TaskLimits;
  readonly agents: AgentNames;
  /** The tools and executors of an agent; none where it is gone. */
  catalogue(agent: string | null): Catalogue;
  readonly confirmPlan: ConfirmPlan;
  readonly planning: boolean;
  readonly replan: ReplanMode;
  readonly chain: boolean;
  readonly verifies: boolean;
  readonly questionExpiry: number | null;
  remembered(owner: string): Queries<Memory>;
  /** The hashes of the skills that a task of the agent with this catalogue can read. */
  skills(agent: string | null, catalogue: Catalogue): SkillHashes;
  /** Why no model can be asked (SPEC 2), or null. */
  readonly modelProblem: string | null;
}

/** An unfinished plan that another system left in a session's folder. */
export interface LeftPlan {
  readonly goal: string;
  readonly steps: LeftStep[];
}

export interface IncomingTurn {
  readonly type: 'turn';
  readonly turn: NewTurn;
  /** The id of the task that it may open. */
  readonly task_id: string;
  /** A task was running when it arrived, so it does not answer a question asked since (SPEC 2.5). */
  readonly cameWhileRunning: boolean;
  /**
   * For a continue phrase without a paused task: another system's plan to continue (SPEC 10), or `not_text` if its file
   * has another encoding.
   */
  readonly leftPlan?: LeftPlan | 'not_text' | undefined;
  readonly turnsPerDay: number | null;
}

/**
 * A call of a transactional tool. It runs inside the commit of its observation, so it happens exactly once (SPEC 7).
 */
export interface EffectWork {
  readonly type: 'effect_work';
  readonly task_id: string;
  readonly effect: number;
  readonly tool: string;
  readonly input: string;
  readonly call: ToolCall;
}

/** The outcome of an effect: an event, or work that its commit does. */
export type Outcome = TaskEvent | EffectWork;

/** The history that a forked session starts with, and the user's input there. */
export interface Fork {
  readonly type: 'fork';
  readonly turn: NewTurn;
  readonly forked: Extract<SessionEvent, { type: 'session.forked' }>;
  /** The events in order, `task.opened` first; folded before, because a commit holds up all others. */
  readonly history: readonly CopiedEvent[];
  /** Whether the user gave an input where the fork starts. Without one the fork continues as the original did. */
  readonly hasInput: boolean;
  readonly turnsPerDay: number | null;
}

/** Everything that can change a session, as data. New ids come with it. */
export type SessionInput =
  | IncomingTurn
  | Fork
  /** The outcome of the effect that the event names, and how long it took in milliseconds; absent: unknown. */
  | { readonly type: 'effect_result'; readonly event: TaskEvent; readonly duration_ms?: number }
  | EffectWork
  /** The session is free, and its oldest queued turn is next. */
  | { readonly type: 'queued_next'; readonly task_id: string }
  /**
   * The open effect, left by an earlier process, is about to be performed again. This is stored first, so that a crash
   * counts.
   */
  | { readonly type: 'effect_begun' }
  /** The process stops, and it has not begun the open effect, which it asked for: the next one may begin it as if for the first time. */
  | { readonly type: 'effect_left' }
  /**
   * The outcome of an effect that a cancel made pointless; `usage` is that of a model call that returned nevertheless.
   */
  | {
      readonly type: 'late_result';
      readonly task_id: string;
      readonly effect: number;
      readonly outcome: string;
      readonly usage: CallUsage | undefined;
    }
  /** Cancels one task by its id. An ended task stays unchanged. */
  | { readonly type: 'cancel'; readonly task_id: string; readonly by?: By | undefined }
  /**
   * Takes everything due in this session at `at`, so that each comes once; anything due before `upSince` is late (SPEC
   * 6, 8).
   */
  | {
      readonly type: 'due';
      readonly at: number;
      readonly upSince: number;
      /** Ids for the turns that goals become, `GOALS_AT_ONCE` of them. */
      readonly turn_ids: readonly string[];
      /** Turns that the owner may send a day; null: unlimited. */
      readonly turnsPerDay: number | null;
    }
  /** A user's edits of a task's plan, all or none; indexes refer to the `plan` of the task's view (SPEC 3). */
  | {
      readonly type: 'plan_edits';
      readonly task_id: string;
      readonly edits: readonly PlanEdit[];
      readonly by?: By | undefined;
    }
  /** An edited plan.json of a task: its steps become the task's plan (SPEC 10). */
  | {
      readonly type: 'plan_file';
      readonly task_id: string;
      readonly steps: readonly EditedStep[];
      readonly by?: By | undefined;
    }
  /** Creates the session if it is new. */
  | { readonly type: 'session_opened' }
  /** A tool that a user tried has finished; `output` is the reply. */
  | { readonly type: 'tool_tried'; readonly turn_id: string; readonly result: ToolResult }
  /** After a start: nobody knows what the tools did that the last process called for users in these turns. */
  | { readonly type: 'tool_runs_lost'; readonly turn_ids: readonly string[] }
  /**
   * Removes a session that was not changed at or after `before`, epoch milliseconds; with `includeWaiting` also if a
   * task waits or is paused.
   */
  | {
      readonly type: 'removal';
      readonly before: number;
      readonly includeWaiting: boolean;
      readonly hashes: ActHashes | null;
    }
  /** Removes a session with everything that runs and waits in it. */
  | { readonly type: 'owner_removed'; readonly hashes: ActHashes | null };

export type InputOf<Type extends SessionInput['type']> = Extract<SessionInput, { type: Type }>;

/** The source of a session's due reminders, each given once; one due before `upSince` is late. */
export interface DueReminders {
  takeDueOf(
    session: SessionKey,
    at: number,
    upSince: number,
  ): Queries<Extract<SessionEvent, { type: 'reminder.due' }>[]>;
}

/** A scheduled goal that has come due; `due_at` in epoch milliseconds. */
export interface DueGoal {
  readonly id: number;
  readonly goal: string;
  readonly callback_url: string | null;
  readonly due_at: number;
  readonly late: boolean;
  /** The turn or task of its last time is not over. */
  readonly isUnfinished: boolean;
}

/** The source of a session's due goals, each given once. */
export interface DueGoals {
  takeDueOf(session: SessionKey, at: number, upSince: number): Queries<DueGoal[]>;
  started(owner: string, id: number, turn_id: string): Queries<void>;
}

/** Stored facts outside a session's image, as of the commit that queries them. */
export interface StoredFacts {
  /** When a task's question expired, in epoch milliseconds; null: not by `at`, or there is none. */
  questionExpired(owner: string, taskId: string, at: number): Queries<number | null>;
  /** Counts of an owner, without this decision. Sessions that are certainly fewer than `sessionsMax` may be given as 0. */
  countsOf(
    owner: string,
    names: readonly LimitedCount[],
    sessionsMax: number,
  ): Queries<Pick<OwnerCounts, LimitedCount>>;
  /** Turns with a task that the owner sent on a day, as `dayOf` counts days. */
  turnsOfDay(owner: string, day: number): Queries<number>;
}

/** Context of decisions beside the session and the input. */
export interface DecisionContext {
  readonly defaults: TaskDefaults;
  readonly commands: Commands;
  readonly reminders: DueReminders;
  readonly goals: DueGoals;
  readonly facts: StoredFacts;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly model: Pick<Model, 'nameFor'>;
  readonly limits: ServiceLimits;
  /** Events are also sent to the service's webhook. */
  readonly hasWebhook: boolean;
  /** The time of the decision, in epoch milliseconds. */
  readonly now: number;
}
