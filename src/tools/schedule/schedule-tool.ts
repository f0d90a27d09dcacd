import { createItemsTool } from '../owned-items.ts';
import { addEvent, scheduleOptions, switchRepetition, updateEvent } from './change-schedule.ts';
import { scheduleMessages } from './messages.ts';
import { listEvents, scheduleEvents, viewEvents } from './show-schedule.ts';

/** The `schedule` tool, which is the `/schedule` command too (SPEC 8). It changes the caller's own events only. */
export const scheduleTool = createItemsTool('schedule', scheduleMessages, {
  add: { run: addEvent, options: scheduleOptions },
  update: { run: updateEvent, options: scheduleOptions },
  repeat: { run: switchRepetition },
  list: { run: listEvents },
  view: { run: viewEvents },
  get: { run: scheduleEvents.get },
  delete: { run: scheduleEvents.delete },
});
