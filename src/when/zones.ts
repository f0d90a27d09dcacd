import type { Placed } from './said.ts';
import { zonedAt } from './temporal.ts';

/** Unambiguous abbreviations, with the id of a zone that has their fixed UTC offset. */
const ABBREVIATED: Record<string, string> = {
  UTC: 'UTC GMT WEZ',
  '+01:00': 'CET MEZ WEST WESZ',
  '+02:00': 'CEST MESZ EET SAST',
  '+03:00': 'EEST MSK',
  '+05:00': 'PKT',
  '+05:45': 'NPT',
  '+07:00': 'ICT WIB',
  '+08:00': 'HKT SGT PHT AWST WITA',
  '+09:00': 'JST KST',
  '+09:30': 'ACST',
  '+10:00': 'AEST',
  '+10:30': 'ACDT',
  '+11:00': 'AEDT',
  '+12:00': 'NZST',
  '+13:00': 'NZDT',
  '-02:30': 'NDT',
  '-03:00': 'ADT BRT',
  '-03:30': 'NST',
  '-04:00': 'EDT',
  '-05:00': 'EST CDT',
  '-06:00': 'MDT',
  '-07:00': 'MST PDT',
  '-08:00': 'PST AKDT',
  '-09:00': 'AKST',
  '-10:00': 'HST',
};

/** American zones in short, which begin a title if a word follows ("CT scan"). */
const AMERICAN: Record<string, string> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
};

/** Abbreviations shared by several zones, or that may be words of a title. */
const UNSURE = 'AMT|ART|AST|BST|CAT|COT|CST|EAT|ECT|GET|GST|IST|MET|PET|SST|WAT|WET|WIT|WST';

/** Names before "time" or 时间 that differ from the name of the zone's city. */
const PLACES: Record<string, string> = {
  UTC: 'universal,greenwich,greenwich mean,coordinated universal,世界,格林威治,格林尼治',
  'America/Chicago': 'central,芝加哥,美国中部',
  'America/Denver': 'mountain',
  'America/Los_Angeles': 'pacific,san francisco,seattle,洛杉矶,旧金山,西雅图,美西,美国西部,太平洋',
  'America/New_York': 'eastern,boston,washington,纽约,美东,美国东部',
  'Asia/Bangkok': '曼谷,泰国',
  'Asia/Dubai': '迪拜',
  'Asia/Hong_Kong': '香港',
  'Asia/Kolkata': 'india,indian,delhi,mumbai,印度,孟买',
  'Asia/Seoul': 'korea,korean,首尔,韩国',
  'Asia/Shanghai': 'beijing,china,chinese,shenzhen,北京,中国,上海',
  'Asia/Singapore': '新加坡',
  'Asia/Taipei': '台北,台湾',
  'Asia/Tokyo': 'japan,japanese,东京,日本',
  'Australia/Melbourne': '墨尔本',
  'Australia/Sydney': '悉尼',
  'Europe/Berlin': 'central european,germany,german,munich,frankfurt,hamburg,柏林,德国',
  'Europe/London': 'uk,british,伦敦,英国',
  'Europe/Moscow': '莫斯科',
  'Europe/Paris': 'france,french,巴黎,法国',
};
/** Places with more than one zone. */
const SEVERAL = 'us,american,canadian,european,australian,russian,美国,加拿大,俄罗斯,澳大利亚,澳洲,欧洲';

const OFFSETS = new Map(
  Object.entries(ABBREVIATED).flatMap(([offset, names]) => names.split(' ').map((name) => [name, offset] as const)),
);
const ZONES = new Map([
  ...Object.entries(PLACES).flatMap(([zone, names]) => names.split(',').map((name) => [name, zone] as const)),
  ...SEVERAL.split(',').map((name) => [name, null] as const),
]);

/** Largest UTC offset of a zone, in minutes. */
const DISTANCE_MAX = 14 * 60;

/** A UTC offset in minutes as a zone id. */
export const zoneAt = (minutes: number): string => {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};

/** A zone id in words that are understood as that zone. */
export const zoneWords = (zone: string): string => (/^[+-]/.test(zone) ? `UTC${zone}` : zone);

/** The name if there is such a zone, else null. */
const existing = (zone: string): string | null => {
  try {
    return zonedAt(0, zone).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** All zones by the name of their city, as places are called. */
const zonesByCity = (): Map<string, string> =>
  new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      zone.replace(/^.*\//, '').replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
  );

const AREAS = 'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US';
const BEFORE = '(?<![A-Za-z/._-])';
const AFTER = '(?![\\w/])';
const HAN_PLACES = [...ZONES.keys()].filter((name) => /\p{Script=Han}/u.test(name)).join('|');

/** How zones are written, and which zone that is; null if it is uncertain. */
const WRITTEN: [pattern: RegExp, zoneOf: (found: string[]) => string | null][] = [
  [
    new RegExp(`${BEFORE}(?:UTC|GMT) ?([+-])(\\d{1,2})(?::?([0-5]\\d))?(?![\\d:])`, 'gi'),
    ([, sign, hours, minutes]) => {
      const distance = Number(hours) * 60 + Number(minutes ?? 0);
      return distance > DISTANCE_MAX ? null : zoneAt(sign === '-' ? -distance : distance);
    },
  ],
  [
    new RegExp(`${BEFORE}(?:${[...OFFSETS.keys()].join('|')})${AFTER}`, 'gi'),
    ([name]) => OFFSETS.get(name!.toUpperCase())!,
  ],
  [/(?<=\d:\d\d(?::\d\d)? ?)Z(?!\w)/g, () => 'UTC'],
  [
    new RegExp(`${BEFORE}(?:${Object.keys(AMERICAN).join('|')})${AFTER}(?! ?[A-Za-z])`, 'g'),
    ([name]) => AMERICAN[name!]!,
  ],
  [new RegExp(`${BEFORE}(?:${Object.keys(AMERICAN).join('|')}|${UNSURE})${AFTER}`, 'g'), () => null],
  [new RegExp(`${BEFORE}(?:${AREAS})/[A-Za-z][\\w+-]*(?:/[A-Za-z][\\w-]*)?`, 'gi'), ([name]) => existing(name!)],
  [new RegExp(`(${HAN_PLACES})(?:当地|标准)?时间`, 'g'), ([, place]) => ZONES.get(place!)!],
  [/(?:协调)?世界(?:协调)?时(?!间)/g, () => 'UTC'],
];

/** Up to three words before "time". */
const PLACE_TIME =
  /(?<![a-z_-])((?:(?!(?:standard|daylight|summer) )[a-z]+ ){1,3})(?:(?:standard|daylight|summer) )?time(?!\w)/gi;

/** The names of zones in a text, with brackets around them. An uncertain one means nothing. */
export const findZones = (text: string): Placed[] => {
  const found: Placed[] = [];
  let left = text;
  const take = (zone: string | null, from: number, to: number): void => {
    const isBracketed = left[from - 1] === '(' && left[to] === ')';
    const [start, end] = isBracketed ? [from - 1, to + 1] : [from, to];
    found.push({ said: zone === null ? {} : { zone }, start, end });
    left = `${left.slice(0, start)}${'\0'.repeat(end - start)}${left.slice(end)}`;
  };
  for (const [pattern, zoneOf] of WRITTEN)
    for (const match of left.matchAll(pattern)) take(zoneOf([...match]), match.index, match.index + match[0].length);
  const places = [...left.matchAll(PLACE_TIME)];
  const cities = places.length === 0 ? new Map<string, string>() : zonesByCity();
  for (const match of places) {
    const said = match[1]!.trimEnd();
    const words = said.split(' ');
    const names = words.map((_, first) => words.slice(first).join(' '));
    const name = names.find((each) => ZONES.has(each.toLowerCase()) || cities.has(each.toLowerCase()));
    if (name === undefined) continue;
    const [place, start] = [name.toLowerCase(), match.index + said.length - name.length];
    take((ZONES.has(place) ? ZONES.get(place) : cities.get(place)) ?? null, start, match.index + match[0].length);
  }
  return found;
};
