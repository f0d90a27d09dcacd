import { parse } from 'chrono-node/en';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTime } from '../../src/models/offline/find-time.ts';

const ANY_DAY = new Date(Date.UTC(2024, 0, 1));

const names = [
  ...['monday', 'Tue', 'wed.', 'thursday', 'FRI', 'saturday', 'sun'],
  ...['january', 'Feb', 'march', 'apr', 'may', 'June', 'jul.', 'august', 'sept', 'oct', 'november', 'dec'],
  ...['s', 'sec', 'seconds', 'm', 'mins', 'minute', 'h', 'hr', 'hours', 'd', 'days', 'w', 'week', 'mo', 'mos', 'month'],
  ...['qtr', 'quarter', 'y', 'yr', 'year', 'now', 'today', 'tonight', 'tomorrow', 'overmorrow', 'tmr', 'tmrw'],
  ...[
    'yesterday',
    'noon',
    'midnight',
    'midday',
    'morning',
    'afternoon',
    'evening',
    'night',
    "o'clock",
    'am',
    'pm',
    'UTC',
  ],
];
const around = [
  ...[
    'a',
    'an',
    'the',
    'few',
    'several',
    'couple of',
    'half',
    'one',
    'two',
    'twelve',
    'first',
    'third',
    'twenty-first',
  ],
  ...[
    'in',
    'for',
    'within',
    'at',
    'on',
    'by',
    'this',
    'last',
    'past',
    'next',
    'after',
    'before',
    'ago',
    'later',
    'from',
  ],
  ...['of', 'end', 'since', 'until', 'to', 'and', 'about', 'then', 'them', 'early', '-', '+', '/', ',', ':', '.'],
  ...['milk', 'buy', 'market', 'a plan', 'them all'],
];
// Whole words only, and no half before them: chrono takes "lasts" for "last s", a second ago, and "half and" for half a day.
const said = fc
  .array(fc.constantFrom(...names, ...around, ...around), { maxLength: 6 })
  .map((words) => words.join(' '))
  .filter((text) => !/half a[mn]/i.test(text));

it('a time that chrono reads in English is never overlooked by the glance that decides whether to load it', () => {
  fc.assert(
    fc.property(said, (text) => {
      const times = parse(text, ANY_DAY, { forwardDate: true }).filter(
        (found) => !/^(?:now|for\s.*)$/i.test(found.text),
      );
      if (times.length > 0) expect(findTime(text)).not.toBeNull();
    }),
    { numRuns: 20_000 },
  );
});

it.each(['milk', 'call them', 'Buy bread and eggs', 'a plan for the garden'])('"%s" names no time', (text) => {
  expect(findTime(text)).toBeNull();
});
