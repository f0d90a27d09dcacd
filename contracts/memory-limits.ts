import { limitRows } from './limit-row.ts';

const MIB = 1024 * 1024;

/** What turns and tasks may hold in memory, of an owner and of all. */
export const memoryLimits = limitRows({
  unfinished_bytes: {
    scope: 'owner',
    unit: 'bytes of input',
    limit: 64 * MIB,
    at_limit: '429',
    reason: 'Turns that wait or run are held in memory, over all of your sessions.',
  },
  unfinished_bytes_in_all: {
    scope: 'service',
    unit: 'bytes of input',
    limit: 128 * MIB,
    at_limit: '429',
    reason:
      'The same of all owners, in about twice as much memory. An owner with less than 1 MiB is served all the same.',
  },
  running_bytes: {
    scope: 'owner',
    unit: 'bytes of tasks',
    limit: 128 * MIB,
    at_limit: '429',
    reason: 'What the tasks that run hold in memory. At it none begins; a quarter beyond it they are paused.',
  },
  running_bytes_in_all: {
    scope: 'service',
    unit: 'bytes of tasks',
    limit: 192 * MIB,
    at_limit: '429',
    reason:
      'The same of all owners, in two to three times as much memory with prompts on their way. A quarter beyond it those of an owner with 8 MiB or more are paused.',
  },
});
