import type { SessionView } from '../../../contracts/http.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { Engine } from '../../../src/runtime/port.ts';

/**
 * A stub engine for behaviour that the real one cannot be made to show on demand: failures, full limits, endless
 * entries. It stores nothing, and every call without a given answer throws.
 */
export const stubEngine = (answers: Partial<Engine>): Engine => {
  const given: Partial<Engine> = {
    start: async () => {},
    activity: async () => ({
      turns_running: 0,
      turns_queued: 0,
      effects_open: {
        'model.plan': 0,
        'model.thought': 0,
        'model.replan': 0,
        'tool.call': 0,
        'tool.batch': 0,
        'verify.run': 0,
      },
      callbacks_pending: 0,
    }),
    isReady: async () => true,
    drain: async () => {},
    close: async () => {},
    ...answers,
  };
  const unused = (name: string) => (): never => {
    throw new Error(`the stub engine was asked for ${name}`);
  };
  return new Proxy(given, {
    get: (engine, name: string) => engine[name as keyof Engine] ?? unused(name),
  }) as Engine;
};

const AT = '2026-01-05T09:00:00.000Z';

/** A session as a stub engine shows it. */
export const someSession = (last_seq: number): SessionView => ({
  session_id: 's1',
  title: null,
  forked_from: null,
  agent: null,
  timezone: 'UTC',
  phase: null,
  active_task: null,
  last_task: null,
  queue: [],
  last_seq,
  created_at: AT,
  updated_at: AT,
});

/** A turn as a stub engine shows it. */
export const someTurn = (finished: boolean): TurnView => ({
  id: 'turn_1',
  session_id: 's1',
  task_id: null,
  kind: 'task',
  input: 'Do something',
  status: finished ? 'answered' : 'running',
  output: finished ? 'Done' : null,
  question: null,
  options: null,
  approval: null,
  task: null,
  created_at: AT,
  finished_at: finished ? AT : null,
});
