import type { Effect } from '../../contracts/event.ts';
import { isSettled, type PauseReason } from '../../contracts/task.ts';
import type { Log } from '../lib/log.ts';
import type { CommitReport, EffectOrigin, Telemetry, TraceOf } from './port.ts';

/** Pauses that an operator should investigate. */
const FAULTS: readonly PauseReason[] = [
  'crash_loop',
  'model_unavailable',
  'machine_changed',
  'contract_failure',
  'verification_failed',
];

/** The tool or model of an effect. */
const askedOf = (effect: Effect, { model }: EffectOrigin) => {
  const { type } = effect;
  if (type === 'tool.call') return { effect: type, tool: effect.params.tool };
  return type === 'verify.run' ? { effect: type } : { effect: type, model };
};

/** Why a task ended without success, in one word; null for any other state. */
const failureOf = ({ state, context }: CommitReport['steps'][number]['task']): string | null => {
  if (state === 'failed') return 'step_limit';
  return state === 'done' && context.outcome === 'failed' ? 'given_up' : null;
};

/**
 * Logs each task that pauses or fails and each tool that fails, and at debug level each event of a task's machine with
 * the task's state. Never a word of users, models or tools.
 */
export const createLogLines = (log: Log, traceOf: TraceOf): Telemetry => {
  const logsSteps = log.isLevelEnabled('debug');
  /** The last effect of each running task. */
  const last = new Map<string, ReturnType<typeof askedOf>>();

  const logSettled = ({ session_id, turns }: CommitReport, task: CommitReport['steps'][number]['task']): void => {
    const { state, context } = task;
    const { task_id, pause_reason } = context;
    const of = turns.findLast(({ turn }) => turn.task_id === task_id)?.turn;
    const line = {
      session_id,
      task_id,
      ...(of !== undefined && { turn_id: of.id, turn_status: of.status }),
      ...last.get(task_id),
      ...traceOf(task_id),
    };
    const failure = failureOf(task);
    if (failure !== null) log.warn({ ...line, reason: failure }, 'a task failed');
    else if (state === 'paused' && pause_reason !== null)
      log[FAULTS.includes(pause_reason) ? 'warn' : 'info']({ ...line, reason: pause_reason }, 'a task is paused');
    last.delete(task_id);
  };

  return {
    committed: (report) => {
      for (const { event, task } of report.steps) {
        const { task_id, step_count, step_limit } = task.context;
        const { session_id } = report;
        if (logsSteps)
          log.debug(
            { session_id, task_id, step_count, step_limit, state: task.state, event: event.type, ...traceOf(task_id) },
            'step',
          );
        if (isSettled(task.state)) logSettled(report, task);
      }
    },
    happened: () => {},
    effectStarted: (effect, origin) => {
      const { session_id, task_id, effect_id, turn_id } = origin;
      const asked = askedOf(effect, origin);
      if (task_id !== null) last.set(task_id, asked);
      return {
        run: (perform) => perform(),
        ended: (outcome) => {
          if (asked.tool === undefined || outcome !== 'failed') return;
          const ids = { session_id, ...(task_id !== null && { task_id }), ...(turn_id !== null && { turn_id }) };
          log.info({ ...ids, effect_id, tool: asked.tool, ...traceOf(task_id ?? effect_id) }, 'a tool failed');
        },
      };
    },
  };
};
