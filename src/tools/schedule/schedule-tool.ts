import { createItemsTool, onEach } from '../owned-items.ts';
import { addEvent, deleteEvent, scheduleOptions, switchRepetition, updateEvent } from './change-schedule.ts';
import { scheduleMessages } from './messages.ts';
import { existingEvent, getEvent, listEvents, viewEvents } from './show-schedule.ts';

/** The `schedule` tool, which is the `/schedule` command too (SPEC 8). It changes the caller's own events only. */
export const scheduleTool = createItemsTool('schedule', scheduleMessages, {
  add: { run: addEvent, options: scheduleOptions },
  update: { run: updateEvent, options: scheduleOptions },
  repeat: { run: switchRepetition },
  list: { run: listEvents },
  view: { run: viewEvents },
  get: { run: getEvent },
  delete: { run: onEach(existingEvent, deleteEvent) },
});
