import type { Language } from '../../../contracts/text.ts';
import { createItemsTool } from '../owned-items.ts';
import type { TransactionalTool } from '../port.ts';
import { addEvent, scheduleOptions, switchRepetition, updateEvent } from './change-schedule.ts';
import { addGoal, goalOptions, showGoals } from './goals.ts';
import { scheduleMessages } from './messages.ts';
import { listEvents, scheduleEvents, viewEvents } from './show-schedule.ts';

const events = {
  add: { run: addEvent, options: scheduleOptions },
  update: { run: updateEvent, options: scheduleOptions },
  repeat: { run: switchRepetition },
  list: { run: listEvents },
  view: { run: viewEvents },
  get: { run: scheduleEvents.get },
  delete: { run: scheduleEvents.delete },
};

const forModels = createItemsTool('schedule', scheduleMessages, events);

const withGoals = (language: Language) => {
  const { summary, usage, usageNotes, goals } = scheduleMessages(language);
  return { summary, usage: { ...usage, ...goals.usage }, usageNotes: `${usageNotes}\n${goals.usageNotes}` };
};

const forUsers = createItemsTool('schedule', withGoals, {
  ...events,
  goal: { run: addGoal, options: goalOptions },
  goals: { run: showGoals },
});

/** The `schedule` tool, also `/schedule` (SPEC 8). Only users can schedule goals: no model gives itself work. */
export const scheduleTool: TransactionalTool = {
  ...forUsers,
  usage: forModels.usage,
  run: (input, call) => (call.command === undefined ? forModels : forUsers).run(input, call),
};
