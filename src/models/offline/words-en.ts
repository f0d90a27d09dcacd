import type { Words } from './request.ts';

const TODO = String.raw`(?:to-?\s?dos?|tasks?)`;
const TODO_LIST = String.raw`${TODO}(?:\s+(?:list|items?))?`;
const EVENTS = `(?:schedules?|calendar|agenda|appointments?|events?|meetings?)`;
const EVENT = `(?:event|appointment|meeting|call|lunch|dinner|breakfast|interview|visit|session)`;
const MY = String.raw`(?:(?:my|the|all|of)\s+)*`;
const NEW = String.raw`(?:(?:an?|another|the|my|some|new|following|these|\d+|two|three|four|five|six|seven|eight|nine|ten)\s+)*`;
const IDS = String.raw`(?:numbers?\s+|nos?\.?\s*)?(?<ids>#?\d+(?:\s*(?:,\s*and|,|and|&)\s*#?\d+)*)`;
const SHOW = String.raw`(?:(?:show|list|view|display|see|check|give|tell|read|get)\s+(?:me\s+)?|what(?:['’]?s|\s+is|\s+are)?\s+|which\s+)`;
const DELETE = '(?:delete|remove|cancel|drop|erase)';
const FINISHED = '(?:done|completed?|finished)';

/** An hour of a day: a statement such as "meeting with Bob tomorrow at 9am" is an entry only with one. */
const CLOCK = String.raw`(?:at\s+(?:\d{1,2}|noon|midnight)|\d{1,2}(?::\d{2})?\s*[ap]m)\b`;

const re = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'is');

/** How requests about todos and schedules are said in English. */
export const english: Words = {
  phrases: [
    { kind: 'web.search', pattern: re(String.raw`google\s+(?:for\s+)?(?<words>.+)`) },
    {
      kind: 'web.search',
      pattern: re(
        String.raw`(?:search|look)\s+(?:on\s+)?(?:the\s+)?(?:web|internet|online)\s+(?:for|about)\s+(?<words>.+)`,
      ),
    },
    {
      kind: 'web.search',
      pattern: re(
        String.raw`(?:search|look\s+up|find)\s+(?:for\s+)?(?<words>.+?)\s+(?:online|on\s+the\s+(?:web|internet))`,
      ),
    },
    {
      kind: 'todo.search',
      pattern: re(
        String.raw`(?:search|find|look\s+(?:up|for|in|through))\s+(?:in\s+|for\s+)?${MY}${TODO_LIST}\s+(?:(?:for|about|with|containing|named|called|matching)\s+)?(?<words>.+)`,
      ),
    },
    {
      kind: 'todo.search',
      pattern: re(
        String.raw`(?:search|find|look\s+(?:up|for))\s+(?:for\s+)?(?<words>.+?)\s+(?:in|on|among)\s+${MY}${TODO_LIST}`,
      ),
    },
    { kind: 'todo.search', pattern: re(String.raw`todo\s+search\s+(?<words>.+)`) },
    {
      kind: 'todo.done',
      pattern: re(
        String.raw`(?:mark|set|check\s+off|tick\s+off|complete|finish|close)\s+${MY}(?:${TODO}\s+)?${IDS}(?:\s+(?:as\s+)?${FINISHED})?`,
      ),
    },
    { kind: 'todo.done', pattern: re(String.raw`(?:${TODO}\s+)${IDS}\s+(?:(?:is|are)\s+)?${FINISHED}`) },
    { kind: 'todo.done', pattern: re(String.raw`todo\s+done\s+${IDS}`) },
    {
      kind: 'todo.done',
      pattern: re(String.raw`(?:mark|set)\s+${MY}(?:${TODO}\s+)?(?<name>.+?)\s+(?:as\s+)?${FINISHED}`),
    },
    {
      kind: 'todo.done',
      pattern: re(String.raw`(?:complete|finish|check\s+off|tick\s+off)\s+${MY}${TODO}(?:\s+(?:to\s+)?(?<name>.+))?`),
    },
    { kind: 'todo.delete', pattern: re(String.raw`(?:${DELETE}\s+${MY}${TODO}|todo\s+delete)\s+${IDS}`) },
    { kind: 'todo.delete', pattern: re(String.raw`${DELETE}\s+(?<name>.+?)\s+from\s+${MY}${TODO_LIST}`) },
    { kind: 'todo.delete', pattern: re(String.raw`${DELETE}\s+${MY}${TODO}(?:\s+(?:to\s+)?(?<name>.+))?`) },
    {
      kind: 'schedule.delete',
      pattern: re(String.raw`(?:${DELETE}\s+${MY}${EVENTS}(?:\s+(?:item|entry))?|schedule\s+delete)\s+${IDS}`),
    },
    {
      kind: 'schedule.delete',
      pattern: re(
        String.raw`${DELETE}\s+${MY}(?<name>(?:.+?\s+)?(?:appointment|meeting|event)(?:\s+(?:with|called|named|about)\s+.+)?)`,
      ),
    },
    {
      kind: 'schedule.view',
      pattern: re(
        String.raw`${SHOW}(?:on\s+|in\s+)?${MY}${EVENTS}(?<rest>(?:\s+(?:do\s+i\s+have|are\s+there|look\s+like|for|on|in|of|like))?(?:\s+.*)?)`,
      ),
    },
    { kind: 'schedule.view', pattern: re(String.raw`(?:schedule|calendar)\s+(?:list|view)(?<rest>(?:\s+.*)?)`) },
    {
      kind: 'schedule.view',
      pattern: re(String.raw`my\s+(?:schedule|calendar|agenda)(?<rest>(?:\s+(?:for|on)\s+.*)?)`),
    },
    {
      kind: 'schedule.view',
      pattern: re(
        String.raw`(?:what\s+(?:do\s+i\s+have|am\s+i\s+doing|is\s+planned)|do\s+i\s+have\s+anything)(?<rest>\s+.*)`,
      ),
    },
    {
      kind: 'todo.list',
      pattern: re(
        String.raw`${SHOW}(?:on\s+|in\s+)?(?<before>(?:(?:my|the|all|of|open|overdue|upcoming|today['’]?s?|inbox)\s+)*)${TODO_LIST}(?<rest>.*)`,
      ),
    },
    {
      kind: 'todo.list',
      pattern: re(String.raw`what(?:['’]?s|\s+is)\s+(?<before>overdue|due(?:\s+today)?)(?:\s+now)?`),
    },
    {
      kind: 'todo.list',
      pattern: re(String.raw`(?<before>(?:my\s+|overdue\s+|upcoming\s+|today['’]s\s+)*)${TODO_LIST}`),
    },
    {
      kind: 'todo.remind',
      pattern: re(
        String.raw`remind\s+me(?!\s+\d+\s+\w+\s+(?:before|earlier))(?:\s+(?:to|that|about|of))?(?:\s+(?<text>.*))?`,
      ),
    },
    {
      kind: 'todo.remind',
      pattern: re(String.raw`(?:set|add|create|make)\s+${NEW}reminders?(?:\s*[:,]|\s+(?:to|for|about))?\s*(?<text>.*)`),
    },
    {
      kind: 'todo.add',
      pattern: re(String.raw`(?:add|put)\s+(?:to|on|onto)\s+${MY}${TODO_LIST}\s*:?\s*(?<text>.*)`),
    },
    {
      kind: 'todo.add',
      pattern: re(
        String.raw`(?:add|create|make|new|put|write\s+down|note(?:\s+down)?|save|enter)\s+${NEW}${TODO}(?:\s+(?:items?|entry|entries))?(?:\s*[:,-]\s*|\s+(?:to|for|about|called|named|titled|saying|that\s+says)\s+|\s+|$)(?<text>.*)`,
      ),
    },
    {
      kind: 'todo.add',
      pattern: re(
        String.raw`(?:add|put)\s+(?<text>.+?)\s+(?:to|on|onto|in|into)\s+${MY}${TODO_LIST}(?:\s+(?<after>.+))?`,
      ),
    },
    { kind: 'todo.add', pattern: re(String.raw`(?:new\s+)?${TODO}(?:\s+add\s+|\s*:\s*)(?<text>.+)`) },
    {
      kind: 'todo.add',
      pattern: re(
        String.raw`(?:remember|do(?:n['’]t|\s+not)\s+(?:let\s+me\s+)?forget)\s+(?:to\s+|about\s+)?(?<text>.+)`,
      ),
    },
    {
      kind: 'schedule.add',
      pattern: re(
        String.raw`(?:add|put)\s+(?<text>.+?)\s+(?:to|on|onto|in|into)\s+${MY}(?:calendar|schedule|agenda)(?:\s+(?<after>.+))?`,
      ),
    },
    {
      kind: 'schedule.add',
      pattern: re(String.raw`(?:schedule|book|arrange)(?:\s+add\b)?(?:\s*:)?(?:\s+(?<text>.*))?`),
    },
    {
      kind: 'schedule.add',
      pattern: re(
        String.raw`(?:add|create|make|new|put|set\s+up|set|plan|organi[sz]e)\s+${NEW}(?<text>(?:[\w'’-]+\s+){0,3}?${EVENT}\b.*)`,
      ),
    },
    {
      kind: 'schedule.add',
      pattern: re(String.raw`(?<text>(?:meeting|appointment|interview|lunch|dinner|breakfast)\s+(?:.*\s)?${CLOCK}.*)`),
    },
  ],
  politeness:
    /^(?:(?:please|kindly|ok(?:ay)?|can you|could you|would you|will you|i want to|i need to|i(?:['’]d| would) like (?:you )?to|help me(?: to)?|let['’]s|then|also|and)\b[\s,]*)+/i,
  greeting:
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please|today|ok(?:ay)?)(?: there| tripact)?$/i,
  question:
    /^(?:what|who|whom|whose|why|how|where|when|which|is|are|does|did|tell me|write me|explain|translate|summari[sz]e|calculate|remind me)\b/i,
  plural: /^\W*(?:\w+\s+){0,5}?(?:todos|to-dos|to dos|tasks|reminders)\b/i,
  priorities: [
    { pattern: /[\s,(]*\b(?:with\s+|at\s+)?(?:an?\s+)?priority\s*[:=]?\s*(?<n>\d{1,4})\b\)?/i, priority: null },
    { pattern: /[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?(?:high(?:est)?|top)[\s-]priority\b\)?/i, priority: 0 },
    { pattern: /[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?(?:medium|normal)[\s-]priority\b\)?/i, priority: 1 },
    { pattern: /[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?low(?:est)?[\s-]priority\b\)?/i, priority: 2 },
    { pattern: /\burgent\s+(?=to-?\s?do|task)|[\s,(]+urgent\)?$/i, priority: 0 },
  ],
  tag: /[\s,(]*\b(?:tagged(?:\s+(?:as|with))?|(?:with\s+)?(?:the\s+)?tag)\s+["'#]?(?<tag>[\p{L}\p{N}_-]+)["']?\)?/iu,
  durations: [
    { pattern: /[\s,]*\b(?:for|lasting)\s+(?<n>\d+(?:\.\d+)?)[\s-]*(?:minutes?|mins?)\b/i, minutes: 1 },
    { pattern: /[\s,]*\b(?:for|lasting)\s+(?<n>\d+(?:\.\d+)?)[\s-]*(?:hours?|hrs?|h)\b/i, minutes: 60 },
    { pattern: /[\s,]*\b(?:for|lasting)\s+half\s+an\s+hour\b/i, minutes: 30 },
    { pattern: /[\s,]*\b(?:for|lasting)\s+an?\s+hour\b/i, minutes: 60 },
  ],
  repetition: /\b(?:(?:every|each)(?:\s+other)?(?:\s+(?:day|weekday|workday))?|daily)(?:\s+(?:on|at))?\s*$/i,
  beforeTime: /(?:[\s,]*\b(?:by|due|on|at|for|before|until|from|in|starting|to)\b)+(?:\s+the)?\s*$/i,
  afterTime: /^\s*(?:,|at\b|on\b|to\b|that\b|about\b)?\s*/i,
  titleEdges: /^(?:(?:an?|the|for|to|my|called|named|titled|about|new)\s+)+|(?:\s+(?:the|for|at|on|by|to|and|with))+$/i,
  emptyTitle: /^(?:event|something|an? ?event|item|entry|thing|it|one)?$/i,
  views: [
    { pattern: /\boverdue\b/i, view: 'overdue' },
    { pattern: /\btoday\b/i, view: 'today' },
    { pattern: /\bupcoming\b/i, view: 'upcoming' },
    { pattern: /\binbox\b/i, view: 'inbox' },
  ],
  spans: [
    { pattern: /\bthis week\b/i, span: 'week', date: null },
    { pattern: /\bthis month\b/i, span: 'month', date: null },
    { pattern: /\bnext week\b/i, span: 'week', date: 'in 7 days' },
    { pattern: /\bnext month\b/i, span: 'month', date: 'in 1 month' },
    { pattern: /\btoday\b/i, span: 'day', date: null },
  ],
  decline: /^(?:skip(?: it| this)?|never ?mind|forget (?:it|about it)|leave it|no,? thanks|cancel(?: it)?)[.!]?$/i,
};
