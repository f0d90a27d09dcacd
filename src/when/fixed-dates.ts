import { dated, type TimeRule, timeRule } from './said.ts';
import { zoneAt } from './zones.ts';

const DATE = '(?<!\\d)(?<date>\\d{4}[-/]\\d{1,2}[-/]\\d{1,2})(?!\\d)';
const CLOCK = '(?<h>\\d{1,2}):(?<m>\\d{2})';
const SECONDS = ':\\d{2}(?:\\.\\d{1,9})?';

/** A date in digits, with the hour and the UTC offset if the text has them. */
const readFigures: TimeRule['read'] = ({ date, h, m, z }) => {
  const [year, month, day] = date!.split(/[-/]/).map(Number) as [number, number, number];
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(z ?? '') ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  const isTime = Number(h ?? 0) <= 23 && Number(m ?? 0) <= 59 && Math.abs(offset) <= 18 * 60;
  const said = isTime ? dated({ year, month, day }, 'fully') : {};
  if (h === undefined || said.day === undefined) return said;
  const clock = { hour: Number(h), minute: Number(m), isSure: true };
  return { ...said, clock, ...(z !== undefined && { zone: zoneAt(offset) }) };
};

/** Dates in digits, `2026-12-01`, with an hour, a range of hours, or a timestamp. */
export const fixedDates: TimeRule[] = [
  timeRule(
    `${DATE}(?:T${CLOCK}(?:${SECONDS})?| ?${CLOCK}${SECONDS})(?: ?(?<z>Z|[+-]\\d{2}:?\\d{2}))?(?![\\d:])`,
    'gi',
    readFigures,
  ),
  // Without seconds, "09:00-10:00" contains no UTC offset.
  timeRule(
    `${DATE} ?${CLOCK} ?[-–—~到至] ?(?<h2>\\d{1,2}):(?<m2>\\d{2})(?![\\d:])`,
    'g',
    ({ h2, m2, ...groups }, today) => {
      const until = { hour: Number(h2), minute: Number(m2), isSure: true };
      const said = readFigures(groups, today);
      const isLater = until.hour * 60 + until.minute > Number(groups['h']) * 60 + Number(groups['m']);
      return said.clock !== undefined && isLater && until.hour <= 24 && until.minute <= 59 ? { ...said, until } : {};
    },
  ),
  timeRule(`${DATE}(?: ?${CLOCK}(?: ?(?<z>Z|\\+\\d{2}:?\\d{2}|-\\d{4}))?(?![\\d:]))?`, 'gi', readFigures),
];
