import type { Words } from './request.ts';

const TODO = '(?:to-? ?dos?|tasks?)';
const TODO_LIST = `${TODO}(?: (?:list|items?))?`;
const EVENTS = '(?:schedules?|calendar|agenda|appointments?|events?|meetings?)';
const EVENT = '(?:event|appointment|meeting|call|lunch|dinner|breakfast|interview|visit|session)';
const MY = '(?:(?:my|the|all|of) )*';
const NEW = String.raw`(?:(?:an?|another|the|my|some|new|following|these|\d+|two|three|four|five|six|seven|eight|nine|ten) )*`;
const IDS = String.raw`(?:numbers? |nos?\.? ?)?(?<ids>#?\d+(?: ?(?:, ?and|,|and|&) ?#?\d+)*)`;
const SHOW = `(?:(?:show|list|view|display|see|check|give|tell|read|get) (?:me )?|what(?:['’]?s| is| are)? |which )`;
const DELETE = '(?:delete|remove|cancel|drop|erase)';
const FINISHED = '(?:done|completed?|finished)';

/** An hour of a day: a statement such as "meeting with Bob tomorrow at 9am" is an entry only with one. */
const CLOCK = String.raw`(?:at (?:\d{1,2}|noon|midnight)|\d{1,2}(?::\d{2})? ?[ap]m)\b`;

const re = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'is');

/** How requests about todos and schedules are said in English. */
export const english: Words = {
  phrases: [
    { kind: 'web.search', pattern: re('google (?:for )?(?<words>.+)') },
    {
      kind: 'web.search',
      pattern: re('(?:search|look) (?:on )?(?:the )?(?:web|internet|online) (?:for|about) (?<words>.+)'),
    },
    {
      kind: 'web.search',
      pattern: re('(?:search|look up|find) (?:for )?(?<words>.+?) (?:online|on the (?:web|internet))'),
    },
    {
      kind: 'todo.search',
      pattern: re(
        `(?:search|find|look (?:up|for|in|through)) (?:in |for )?${MY}${TODO_LIST} (?:(?:for|about|with|containing|named|called|matching) )?(?<words>.+)`,
      ),
    },
    {
      kind: 'todo.search',
      pattern: re(`(?:search|find|look (?:up|for)) (?:for )?(?<words>.+?) (?:in|on|among) ${MY}${TODO_LIST}`),
    },
    { kind: 'todo.search', pattern: re('todo search (?<words>.+)') },
    {
      kind: 'todo.done',
      pattern: re(
        `(?:mark|set|check off|tick off|complete|finish|close) ${MY}(?:${TODO} )?${IDS}(?: (?:as )?${FINISHED})?`,
      ),
    },
    { kind: 'todo.done', pattern: re(`(?:${TODO} )${IDS} (?:(?:is|are) )?${FINISHED}`) },
    { kind: 'todo.done', pattern: re(`todo done ${IDS}`) },
    {
      kind: 'todo.done',
      pattern: re(`(?:mark|set) ${MY}(?:${TODO} )?(?<name>.+?) (?:as )?${FINISHED}`),
    },
    {
      kind: 'todo.done',
      pattern: re(`(?:complete|finish|check off|tick off) ${MY}${TODO}(?: (?:to )?(?<name>.+))?`),
    },
    { kind: 'todo.delete', pattern: re(`(?:${DELETE} ${MY}${TODO}|todo delete) ${IDS}`) },
    { kind: 'todo.delete', pattern: re(`${DELETE} (?<name>.+?) from ${MY}${TODO_LIST}`) },
    { kind: 'todo.delete', pattern: re(`${DELETE} ${MY}${TODO}(?: (?:to )?(?<name>.+))?`) },
    {
      kind: 'schedule.delete',
      pattern: re(`(?:${DELETE} ${MY}${EVENTS}(?: (?:item|entry))?|schedule delete) ${IDS}`),
    },
    {
      kind: 'schedule.delete',
      pattern: re(`${DELETE} ${MY}(?<name>(?:.+? )?(?:appointment|meeting|event)(?: (?:with|called|named|about) .+)?)`),
    },
    {
      kind: 'schedule.view',
      pattern: re(
        `${SHOW}(?:on |in )?${MY}${EVENTS}(?<rest>(?: (?:do i have|are there|look like|for|on|in|of|like))?(?: .*)?)`,
      ),
    },
    { kind: 'schedule.view', pattern: re('(?:schedule|calendar) (?:list|view)(?<rest>(?: .*)?)') },
    {
      kind: 'schedule.view',
      pattern: re('my (?:schedule|calendar|agenda)(?<rest>(?: (?:for|on) .*)?)'),
    },
    {
      kind: 'schedule.view',
      pattern: re('(?:what (?:do i have|am i doing|is planned)|do i have anything)(?<rest> .*)'),
    },
    {
      kind: 'todo.list',
      pattern: re(
        `${SHOW}(?:on |in )?(?<before>(?:(?:my|the|all|of|open|overdue|upcoming|today['’]?s?|inbox) )*)${TODO_LIST}(?<rest>.*)`,
      ),
    },
    {
      kind: 'todo.list',
      pattern: re(`what(?:['’]?s| is) (?<before>overdue|due(?: today)?)(?: now)?`),
    },
    {
      kind: 'todo.list',
      pattern: re(`(?<before>(?:my |overdue |upcoming |today['’]s )*)${TODO_LIST}`),
    },
    {
      kind: 'todo.remind',
      pattern: re(String.raw`remind me(?! \d+ \w+ (?:before|earlier))(?: (?:to|that|about|of))?(?: (?<text>.*))?`),
    },
    {
      kind: 'todo.remind',
      pattern: re(`(?:set|add|create|make) ${NEW}reminders?(?: ?[:,]| (?:to|for|about))? ?(?<text>.*)`),
    },
    {
      kind: 'todo.add',
      pattern: re(`(?:add|put) (?:to|on|onto) ${MY}${TODO_LIST} ?:? ?(?<text>.*)`),
    },
    {
      kind: 'todo.add',
      pattern: re(
        `(?:add|create|make|new|put|write down|note(?: down)?|save|enter) ${NEW}${TODO}(?: (?:items?|entry|entries))?(?: ?[:,-] ?| (?:to|for|about|called|named|titled|saying|that says) | |$)(?<text>.*)`,
      ),
    },
    {
      kind: 'todo.add',
      pattern: re(`(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}${TODO_LIST}(?: (?<after>.+))?`),
    },
    { kind: 'todo.add', pattern: re(`(?:new )?${TODO}(?: add | ?: ?)(?<text>.+)`) },
    {
      kind: 'todo.add',
      pattern: re(`(?:remember|do(?:n['’]t| not) (?:let me )?forget) (?:to |about )?(?<text>.+)`),
    },
    {
      kind: 'schedule.add',
      pattern: re(
        `(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}(?:calendar|schedule|agenda)(?: (?<after>.+))?`,
      ),
    },
    {
      kind: 'schedule.add',
      pattern: re(String.raw`(?:schedule|book|arrange)(?: add\b)?(?: ?:)?(?: (?<text>.*))?`),
    },
    {
      kind: 'schedule.add',
      pattern: re(
        String.raw`(?:add|create|make|new|put|set up|set|plan|organi[sz]e) ${NEW}(?<text>(?:[\w'’-]+ ){0,3}?${EVENT}\b.*)`,
      ),
    },
    {
      kind: 'schedule.add',
      pattern: re(`(?<text>(?:meeting|appointment|interview|lunch|dinner|breakfast) (?:.* )?${CLOCK}.*)`),
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
    {
      pattern: /(?<![\s,(])[\s,(]*\b(?:with\s+|at\s+)?(?:an?\s+)?priority\s*(?:[:=]\s*)?(?<n>\d{1,4})\b\)?/i,
      priority: null,
    },
    {
      pattern: /(?<![\s,(])[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?(?:high(?:est)?|top)[\s-]priority\b\)?/i,
      priority: 0,
    },
    {
      pattern: /(?<![\s,(])[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?(?:medium|normal)[\s-]priority\b\)?/i,
      priority: 1,
    },
    { pattern: /(?<![\s,(])[\s,(]*\b(?:with\s+|at\s+|as\s+)?(?:an?\s+)?low(?:est)?[\s-]priority\b\)?/i, priority: 2 },
    { pattern: /\burgent\s+(?=to-?\s?do|task)|(?<![\s,(])[\s,(]+urgent\)?$/i, priority: 0 },
  ],
  tag: /(?<![\s,(])[\s,(]*\b(?:tagged(?:\s+(?:as|with))?|(?:with\s+)?(?:the\s+)?tag)\s+["'#]?(?<tag>[\p{L}\p{N}_-]+)["']?\)?/iu,
  durations: [
    { pattern: /(?<![\s,])[\s,]*\b(?:for|lasting)\s+(?<n>\d+(?:\.\d+)?)[\s-]*(?:minutes?|mins?)\b/i, minutes: 1 },
    { pattern: /(?<![\s,])[\s,]*\b(?:for|lasting)\s+(?<n>\d+(?:\.\d+)?)[\s-]*(?:hours?|hrs?|h)\b/i, minutes: 60 },
    { pattern: /(?<![\s,])[\s,]*\b(?:for|lasting)\s+half\s+an\s+hour\b/i, minutes: 30 },
    { pattern: /(?<![\s,])[\s,]*\b(?:for|lasting)\s+an?\s+hour\b/i, minutes: 60 },
  ],
  repetition: /\b(?:(?:every|each)(?:\s+other)?(?:\s+(?:day|weekday|workday))?|daily)(?:\s+(?:on|at))?\s*$/i,
  beforeTime: /(?<![\s,])(?:[\s,]*\b(?:by|due|on|at|for|before|until|from|in|starting|to)\b){1,4}(?:\s+the)?\s*$/i,
  afterTime: /^\s*(?:,|at\b|on\b|to\b|that\b|about\b)?\s*/i,
  titleEdges:
    /^(?:(?:an?|the|for|to|my|called|named|titled|about|new)\s+)+|(?<!\s)(?:\s+(?:the|for|at|on|by|to|and|with)){1,4}$/i,
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
