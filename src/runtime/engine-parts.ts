import type { Logger } from 'pino';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Commands } from '../commands/commands.ts';
import type { OnTaskMoved } from '../session/change.ts';
import type { SessionKey } from '../session/image.ts';
import type { DueGoals, DueReminders, LeftPlan, TaskDefaults } from '../session/input.ts';
import type { Store } from '../store/port.ts';
import type { Telemetry } from '../telemetry/port.ts';
import type { TurnFiles } from '../workspace/port.ts';
import type { WebhookKeys } from './outbox/webhook-keys.ts';
import type { EffectDeps } from './perform/effect-deps.ts';

/** Parts of an engine, which `src/app/` provides. */
export interface EngineParts {
  store: Store;
  effects: Omit<EffectDeps, 'access' | 'now' | 'log'>;
  defaults: TaskDefaults;
  commands: Commands;
  reminders: DueReminders;
  goals: DueGoals;
  limits: ServiceLimits;
  /** The time zone of sessions whose users named none. */
  hostTimezone: string;
  now(): number;
  log: Logger;
  /** Keys that sign callbacks to an address; none: no signature. */
  webhookKeys?: WebhookKeys | undefined;
  /** Where the events of all sessions are posted; absent: nowhere. */
  webhookUrl?: string | null;
  callbackPostsMax?: number | undefined;
  /** Posts a callback, and decides which addresses are allowed. */
  postCallback(url: string, init: RequestInit): Promise<Response>;
  /** Reads the unfinished plan that another system left in a session's folder; default: none. */
  leftPlan?: ((session: SessionKey) => Promise<LeftPlan | 'not_text' | undefined>) | undefined;
  /** Keeps the files of turns; absent: turns with files are refused. */
  turnFiles?: TurnFiles | undefined;
  /** Called after each commit, and again after a crash, then without entries. */
  onTaskMoved: OnTaskMoved;
  /**
   * Resolves once a session's files show the state of its answered turns; no reply is sent before. Null: they already
   * do. Never rejects.
   */
  filesShown?: ((session: SessionKey) => Promise<void> | null) | undefined;
  /** A task has ended, which may not be the session's active one. Called after the commit. Never throws. */
  onTaskEnded(task_id: string): void;
  /** A session was removed. It accepts no input before this returns. Never throws. */
  onSessionRemoved(session: SessionKey): void;
  telemetry?: Telemetry | undefined;
}
