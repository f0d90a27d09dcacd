import type { FoundTimes } from '../../when/find-times.ts';
import { minutesIn, written } from '../../when/hour-said.ts';
import type { PartOfDay } from '../../when/time-token.ts';
import { figures } from './command-line.ts';
import { entriesIn } from './entries.ts';
import { settleTime } from './settle-time.ts';
import { call, type Outcome, type Work, type WorkContext } from './work.ts';

/** From when to when each part of the day lasts; a text compares as the clock does. */
const PARTS: Record<PartOfDay, [from: string, to: string]> = {
  dawn: ['00:00', '06:00'],
  morning: ['06:00', '12:00'],
  noon: ['12:00', '13:00'],
  afternoon: ['12:00', '18:00'],
  evening: ['18:00', '24:00'],
  night: ['20:00', '24:00'],
};
const WHOLE_DAY: [from: string, to: string] = ['00:00', '24:00'];

/** How long a time that is asked for by its beginning alone should be free, in minutes. */
const ASKED_MINUTES = 60;

const SPAN = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})–(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}:\d{2})/;

const plusMinutes = (clock: string, minutes: number): string => {
  const at = Math.min(minutesIn(clock) + minutes, 24 * 60);
  return written(Math.floor(at / 60), at % 60);
};

/** Says whether anything on the schedule is in the way at a time: a part of a day, an hour, from one to another, or a day. */
export function* isFree(times: FoundTimes, context: WorkContext): Work<Outcome> {
  const { messages } = context;
  const hasHour = times.clock !== null || times.instant !== null;
  const asked = hasHour ? times : { ...times, part: null };
  const { at, minutes } = yield* settleTime(asked, hasHour ? 'event' : 'due', messages.freeTime, context);
  const [date = '', clock = ''] = figures(at, context.timezone).split(' ');
  const { result, ok } = yield* call('schedule', `view day ${date}`);
  if (!ok) return { isDone: false, text: result };
  const day = times.part === null ? WHOLE_DAY : PARTS[times.part];
  const [from, to] = hasHour ? [clock, plusMinutes(clock, minutes ?? ASKED_MINUTES)] : day;
  const inTheWay = entriesIn(result).filter(({ details }) => {
    const [, start, begin, end = start, until] = SPAN.exec(details) ?? [];
    return `${start} ${begin}` < `${date} ${to}` && `${end} ${until}` > `${date} ${from}`;
  });
  const text = messages.free(
    `${date} ${from}–${to}`,
    inTheWay.map(({ line }) => line),
  );
  return { isDone: true, text };
}
