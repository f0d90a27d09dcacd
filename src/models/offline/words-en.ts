import { phrases, type Words } from './request.ts';

const TODO = '(?:to-? ?dos?|tasks?)';
const TODO_LIST = `(?:${TODO}(?: (?:list|items?))?|list)`;
const EVENTS = '(?:schedules?|calendar|agenda|appointments?|events?|meetings?)';
const EVENT = '(?:event|appointment|meeting|call|lunch|dinner|breakfast|interview|visit|session)';
const MY = '(?:(?:my|the|all|of) )*';
const NEW = String.raw`(?:(?:an?|another|the|my|some|new|following|these|\d+|two|three|four|five|six|seven|eight|nine|ten) )*`;
const IDS = String.raw`(?:numbers? |nos?\.? ?)?(?<ids>#?\d+(?: ?(?:, ?and|,|and|&) ?#?\d+)*)`;
const SHOW = `(?:(?:show|list|view|display|see|check|give|tell|read|get) (?:me )?|what(?:['’]?s| is| are)? |which )`;
const DELETE = '(?:delete|remove|cancel|drop|erase|get rid of)';
const FINISH = '(?:mark|set|check off|tick off|complete|finish|close)';
const MOVE =
  '(?:move|reschedule|shift|postpone|delay|put off|(?:change|push)(?= (?:it|that|this|the|my)))(?: the time of)?';
const ALL = '(?<all>all(?: of)?|every|everything(?: in| on)?) (?:(?:my|the|of) )*';
const FINISHED = '(?:done|completed?|finished)';

/** How requests about todos and schedules are said in English. */
export const english: Words = {
  phrases: phrases(
    [
      ['web.search', 'google (?:for )?(?<words>.+)'],
      ['web.search', '(?:search|look) (?:on )?(?:the )?(?:web|internet|online) (?:for|about) (?<words>.+)'],
      ['web.search', '(?:search|look up|find) (?:for )?(?<words>.+?) (?:online|on the (?:web|internet))'],
      [
        'todo.search',
        `(?:search|find|look (?:up|for|in|through)) (?:in |for )?${MY}${TODO_LIST} (?:(?:for|about|with|containing|named|called|matching) )?(?<words>.+)`,
      ],
      ['todo.search', `(?:search|find|look (?:up|for)) (?:for )?(?<words>.+?) (?:in|on|among) ${MY}${TODO_LIST}`],
      ['todo.search', 'todo search (?<words>.+)'],
      ['done', `${FINISH} ${ALL}${TODO_LIST}(?: (?:as )?${FINISHED})?`, 'todo'],
      ['done', `${FINISH} ${MY}(?:${TODO} )?${IDS}(?: (?:as )?${FINISHED})?`, 'todo'],
      ['done', `${TODO} ${IDS} (?:(?:is|are) )?${FINISHED}`, 'todo'],
      ['done', `todo done ${IDS}`, 'todo'],
      ['done', `(?:mark|set) ${MY}(?:${TODO} )?(?<name>.+?) (?:as )?${FINISHED}`, 'todo'],
      [
        'done',
        `(?:complete|finish|check off|tick off|i(?:['’]ve| have)? (?:finished|completed|done)) ${MY}(?:${TODO}(?: to)? ?)?(?<name>.*)`,
        'todo',
      ],
      ['done', `(?<name>.+) (?:is|are) ${FINISHED}`, 'todo'],
      ['delete', `(?:${DELETE}|clear) ${ALL}${TODO_LIST}`, 'todo'],
      ['delete', `(?<all>(?:clear|empty)) ${MY}${TODO_LIST}`, 'todo'],
      ['delete', `(?:${DELETE}|clear) ${ALL}${EVENTS}`, 'schedule'],
      ['delete', `(?<all>(?:clear|empty)) ${MY}${EVENTS}`, 'schedule'],
      ['delete', `(?:${DELETE} ${MY}${TODO}|todo delete) ${IDS}`, 'todo'],
      ['delete', `${DELETE} (?<name>.+?) from ${MY}${TODO_LIST}`, 'todo'],
      ['delete', `${DELETE} ${MY}${TODO}(?: (?:to )?(?<name>.+))?`, 'todo'],
      ['delete', `(?:${DELETE} ${MY}${EVENTS}(?: (?:item|entry))?|schedule delete) ${IDS}`, 'schedule'],
      ['delete', `${DELETE} (?<name>.+?) from ${MY}(?:calendar|schedule|agenda)`, 'schedule'],
      ['delete', '(?:delete|remove|cancel|erase) (?<name>.+)'],
      ['move', `${MOVE} (?<name>.+) (?:to|until|till) (?<when>.+)`],
      ['move', 'make (?<name>it|that|this) (?:at )?(?<when>.+?)(?: instead)?'],
      ['move', '(?<earlier>bring forward) (?<name>.+)'],
      ['move', `(?:move|push|pull|shift|bring) (?<name>.+?) (?:back|(?<earlier>forward|up))(?<when> .+)?`],
      ['move', `${MOVE} (?<name>.+)`],
      ['free', '(?:when )?am i (?:free|available|busy)(?<text>.*)'],
      ['free', 'do i have (?:any )?(?:free )?time(?<text>.*)'],
      ['find', "(?:when|at what time|what time)(?:['’]?s| is| are| do| does| will| am)(?: i| we)? (?<name>.+)"],
      [
        'schedule.view',
        `${SHOW}(?:on |in )?${MY}${EVENTS}(?<rest>(?: (?:do i have|are there|look like|for|on|in|of|like))?(?: .*)?)`,
      ],
      ['schedule.view', '(?:schedule|calendar) (?:list|view)(?<rest>(?: .*)?)'],
      ['schedule.view', 'my (?:schedule|calendar|agenda)(?<rest>(?: (?:for|on) .*)?)'],
      ['todo.list', '(?:what (?:do i (?:have|need) to|must i|should i) do|is there anything to do)(?<rest>(?: .*)?)'],
      ['schedule.view', '(?:what (?:do i have|am i doing|is planned)|do i have anything)(?<rest> .*)'],
      [
        'todo.list',
        `${SHOW}(?:on |in )?(?<before>(?:(?:my|the|all|of|open|overdue|upcoming|today['’]?s?|inbox) )*)${TODO_LIST}(?<rest>.*)`,
      ],
      ['todo.list', `what(?:['’]?s| is) (?<before>overdue|due(?: today)?)(?: now)?`],
      ['todo.list', `(?<before>(?:my |overdue |upcoming |today['’]s )*)${TODO_LIST}`],
      [
        'todo.remind',
        String.raw`remind me(?! (?:\d+|(?:half )?an?|[a-z]+) (?:minutes?|mins?|hours?|days?|weeks?) (?:before|earlier|ahead|in advance))(?: (?:to|that|about|of))?(?: (?<text>.*))?`,
      ],
      ['todo.remind', `(?:set|add|create|make) ${NEW}reminders?(?: ?[:,]| (?:to|for|about))? ?(?<text>.*)`],
      ['todo.add', `(?:add|put) (?:to|on|onto) ${MY}${TODO_LIST} ?:? ?(?<text>.*)`],
      [
        'todo.add',
        `(?:add|create|make|new|put|write down|note(?: down)?|save|enter) ${NEW}${TODO}(?: (?:items?|entry|entries))?(?: ?[:,-] ?| (?:to|for|about|called|named|titled|saying|that says) | |$)(?<text>.*)`,
      ],
      ['todo.add', `(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}${TODO_LIST}(?: (?<after>.+))?`],
      ['todo.add', `(?:new )?${TODO}(?: add | ?: ?)(?<text>.+)`],
      ['todo.add', `(?:remember|do(?:n['’]t| not) (?:let me )?forget) (?:to |about )?(?<text>.+)`],
      [
        'schedule.add',
        `(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}(?:calendar|schedule|agenda)(?: (?<after>.+))?`,
      ],
      ['schedule.add', String.raw`(?:schedule|book|arrange)(?: add\b)?(?: ?:)?(?: (?<text>.*))?`],
      [
        'schedule.add',
        String.raw`(?:add|create|make|new|put|set up|set|plan|organi[sz]e) ${NEW}(?<text>(?:[\w'’-]+ ){0,3}?${EVENT}\b.*)`,
      ],
      [
        'schedule.add',
        String.raw`(?<text>(?:an? )?(?:[\w'’-]+ ){0,4}?${EVENT} (?:.* )?(?:at (?:\d{1,2}|noon)|\d{1,2}(?::\d{2})? ?[ap]m)\b.*)`,
      ],
    ],
    'is',
  ),
  politeness:
    /^(?:(?:please|kindly|(?:i|we) have(?= an? )|there(?:['’]s| is|['’]ll be| will be)|first(?:ly)?(?: of all)?|second(?:ly)?|finally|lastly|last|next|ok(?:ay)?|can you|could you|would you|will you|i want to|i need to|i(?:['’]d| would) like (?:you )?to|help me(?: to)?|let['’]s|then|also|and)\b[\s,]*)+/i,
  greeting:
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please|ok(?:ay)?|help(?: me)?|how are you|what (?:can|do) you do|who are you|what can i (?:do|ask|say)(?: here)?|how does this work)(?: there| tripact)?$/i,
  question:
    /^(?:what|who|whom|whose|why|how|where|when|which|is|are|does|did|tell me|write me|explain|translate|summari[sz]e|calculate|remind me|send|e-?mail|order|play|turn (?:on|off)|draft|post|tweet|(?:book|buy)(?: me)?(?: an?| the)? (?:flight|hotel|taxi|train|tickets?))\b/i,
  statement:
    /\b(?:was|were|had|did|went|yesterday|ago)\b|^(?:i|we|he|she|they|it)(?:['’]\w+)? |^(?:no|yes|not|never)\b/i,
  evening: /\b(?:dinner|supper|party|drinks?|movies?|films?|cinema|concert|theat(?:er|re)|opera|gala|bar|pub)\b/i,
  plural: /^\W*(?:\w+\s+){0,5}?(?:todos|to-dos|to dos|tasks|reminders)\b/i,
  priorityWord: /priority|urgent/i,
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
  titleEdges:
    /^(?:(?:an?|the|for|to|my|called|named|titled|about|new(?! year))\s+)+|(?<!\s)(?:\s+(?:the|for|at|on|by|to|and|with)){1,4}$/gi,
  emptyTitle: /^(?:event|something|an? ?event|item|entry|thing|it|one)?$/i,
  reference:
    /^(?:it|that|this|them|(?:that|this|the) (?:one|meeting|event|appointment|todo|task|reminder|entry|call))$/i,
  generic:
    /\b(?:my|the|an?|our|with|about|to|for|of|on|at|meet|meetings?|appointments?|events?|calls?|todos?|tasks?|reminders?|entry|item|due|have|see|next|scheduled|i|we)\b/gi,
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
