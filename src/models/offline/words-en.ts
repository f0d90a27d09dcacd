import { type EntryKind, phrases } from './request.ts';

const TODO = '(?:to-? ?dos?|tasks?)';
const TODO_LIST = `(?:${TODO}(?: (?:list|items?))?|list)`;
const EVENTS = '(?:schedules?|calendar|agenda|appointments?|events?|meetings?)';
const EVENT = '(?:event|appointment|meeting|call|lunch|dinner|breakfast|interview|visit|session)';
const MY = '(?:(?:my|the|all|of) )*';
const NEW = String.raw`(?:(?:an?|another|the|my|some|new|following|these|\d+|two|three|four|five|six|seven|eight|nine|ten) )*`;
const SHOW = `(?:(?:show|list|view|display|see|check|give|tell|read|get) (?:me )?|what(?:['’]?s| is| are)? |which )`;
const MOVE = '(?:move|reschedule|shift|postpone|delay|put off|push|bring|change)(?: the time of)?';
const DONE = '(?:done|completed?|finished)';

/** How requests about todos and schedules are said in English. Every pattern is tried on every text: people mix languages. */
export const english = {
  phrases: phrases(
    [
      ['web.search', '(?:google|search (?:on )?(?:the )?(?:web|internet|online))(?: for| about)? (?<words>.+)'],
      ['web.search', '(?:search|look up|find) (?:for )?(?<words>.+?) (?:online|on the (?:web|internet))'],
      [
        'todo.search',
        `(?:search|find|look (?:up|for|in|through)) (?:in |for )?${MY}${TODO_LIST} (?:(?:for|about|with|containing|named) )?(?<words>.+)`,
      ],
      ['todo.search', `(?:search|find|look (?:up|for)) (?:for )?(?<words>.+?) (?:in|on|among) ${MY}${TODO_LIST}`],
      ['done', `(?:mark|set|check off|tick off) (?<name>.+?) (?:as )?${DONE}`],
      [
        'done',
        `(?:complete|finish|close|check off|tick off|i(?:['’]ve| have)? (?:finished|completed|done)) (?<name>.+)`,
      ],
      ['done', `(?<name>.+) (?:is|are) ${DONE}`],
      ['delete', `(?:clear|empty) (?<all>${MY}(?:${TODO_LIST}|${EVENTS}))`],
      ['delete', '(?:delete|remove|cancel|erase|get rid of) (?<name>.+)'],
      ['move', `${MOVE} (?<name>.+?) (?:to|until|till) (?<when>.+)`],
      ['move', `${MOVE} (?<name>.+?)(?: (?:back|(?<earlier>forward|up|earlier)))? (?<when>by .+|(?:an?|half|\\d+) .*)`],
      ['move', '(?:make|change|move) (?<name>it|that|this)(?: to| for)? (?<when>.+?)(?: instead)?'],
      ['move', "(?:no|i meant?)[, ]+(?:it(?:['’]s| is) )?(?<when>.+)"],
      ['move', `${MOVE} (?<name>.+)`],
      ['free', '(?:when )?am i (?:free|available|busy)(?<text>.*)'],
      ['free', 'do i have (?:any )?(?:free )?time(?<text>.*)'],
      ['find', "(?:when|at what time|what time)(?:['’]?s| is| are| do| does| will| am)(?: i| we)? (?<name>.+)"],
      [
        'schedule.view',
        `${SHOW}(?:on |in )?${MY}${EVENTS}(?<rest>(?: (?:do i have|are there|look like|for|on|in|of|like))?(?: .*)?)`,
      ],
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
        `(?:add|create|make|new|put|write down|note(?: down)?|save|enter) ${NEW}${TODO}(?: (?:items?|entry|entries))?(?: ?[:,-] ?| (?:to|for|about|called|named|titled|saying) | |$)(?<text>.*)`,
      ],
      ['todo.add', `(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}${TODO_LIST}(?: (?<after>.+))?`],
      ['todo.add', `(?:new )?${TODO}(?: add | ?: ?)(?<text>.+)`],
      ['schedule.add', `add ${NEW}(?<text>(?:[\\w'’-]+ ){0,3}?${EVENT}\\b.*?),? (?:too|as well)(?: (?<after>.+))?`],
      ['todo.add', 'add (?<text>.+?),? (?:too|as well)(?: (?<after>.+))?'],
      ['todo.add', `(?:remember|do(?:n['’]t| not) (?:let me )?forget) (?:to |about )?(?<text>.+)`],
      [
        'schedule.add',
        `(?:add|put) (?<text>.+?) (?:to|on|onto|in|into) ${MY}(?:calendar|schedule|agenda)(?: (?<after>.+))?`,
      ],
      ['schedule.add', '(?:schedule|book|arrange)(?: add\\b)?(?: ?:)?(?: (?<text>.*))?'],
      [
        'schedule.add',
        `(?:add|create|make|new|put|set up|set|plan|organi[sz]e) ${NEW}(?<text>(?:[\\w'’-]+ ){0,3}?${EVENT}\\b.*)`,
      ],
      [
        'schedule.add',
        `(?!call (?!with))(?<text>(?:an? )?(?:[\\w'’-]+ ){0,4}?${EVENT} (?:.* )?(?:at (?:\\d{1,2}|noon)|\\d{1,2}(?::\\d{2})? ?[ap]m)\\b.*)`,
      ],
    ],
    'is',
  ),
  /** Texts that are a todo without being called one. */
  errand: /^(?:buy|get|call|phone|ring|pay|clean|wash|water|fix|mend|renew|return|pick up|feed|walk the) \S/i,
  /** Words before a request that ask for it kindly. */
  politeness:
    /^(?:(?:please|kindly|actually|oh|sorry|wait|(?:i|we) have(?= an? )|there(?:['’]s| is|['’]ll be| will be)|first(?:ly)?(?: of all)?|second(?:ly)?|finally|lastly|last|next|ok(?:ay)?|can you|could you|would you|will you|i want to|i need to|i(?:['’]d| would) like (?:you )?to|help me(?: to)?|let['’]s|then|also|and)\b[\s,]*)+/i,
  /** A preamble that asks for nothing, or asks what there is to ask for. */
  greeting:
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|please|help(?: me)?|how are you|what (?:can|do) you do|who are you|what can i (?:do|ask|say)(?: here)?|how does this work)(?: there| tripact)?$/i,
  thanks: /^(?:thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|ok(?:ay)?|great|perfect)$/i,
  /** The beginning or end of a request that is not for a tool here. */
  question:
    /^(?:what|who|whom|whose|why|how|where|when|which|is|are|does|did|tell me|write me|explain|translate|summari[sz]e|calculate|remind me|send|e-?mail|order|play|turn (?:on|off)|set an? alarm|wake me|draft|post|tweet|(?:book|buy)(?: me)?(?: an?| the)? (?:flight|hotel|taxi|train|tickets?))\b/i,
  /** A sentence that mentions a time and asks for nothing to be put down. */
  statement:
    /\b(?:was|were|had|did|went|yesterday|ago)\b|^(?:i|we|he|she|they|it)(?:['’]\w+)? |^(?:no|yes|not|never|don['’]t|do not|add|create|show|list|mark|delete|move)\b/i,
  /** The head of a request that lists several things. */
  plural: /^\W*(?:\w+\s+){0,5}?(?:todos|to-dos|to dos|tasks|reminders)\b/i,
  /** Words that a title doesn't begin or end with. */
  titleEdges:
    /^(?:(?:an?|the|for|to|my|called|named|titled|about|event(?= called| named| titled| for)|new(?! year))\s+)+|(?<!\s)(?:\s+(?:the|for|at|on|by|to|and|with)){1,4}$/gi,
  /** A title that says nothing, so the real one is asked for. */
  emptyTitle: /^(?:event|something|an? ?event|item|entry|thing|it|one)?$/i,
  /** The whole name of an entry that only points at one mentioned before. */
  reference:
    /^(?:it|that|this|them|(?:that|this|the) (?:one|meeting|event|appointment|todo|task|reminder|entry|call))?$/i,
  /** Words of an entry's name that say what kind of thing it is, and not which. */
  generic:
    /\b(?:my|the|an?|our|with|about|to|for|of|on|at|meet|meetings?|appointments?|events?|calls?|todos?|tasks?|reminders?|entry|item|due|have|see|next|scheduled|i|we)\b/gi,
  /** The whole name of every entry of a kind; `events` where it is not the todos. */
  all: new RegExp(
    `^(?:all(?: of)?|every|everything(?: in| on)?) (?:(?:my|the|of) )*(?:${TODO_LIST}|(?<events>${EVENTS}))$`,
    'i',
  ),
  /** The part of a name that says which kind of entry it is. */
  kinds: [
    { entry: 'todo', pattern: new RegExp(`^${MY}${TODO}(?:$| (?:to )?)| (?:from|on|in) ${MY}${TODO_LIST}$`, 'i') },
    {
      entry: 'schedule',
      pattern: new RegExp(
        `^${MY}${EVENTS}(?: (?:item|entry))? (?=#?\\d+\\b)| (?:from|on|in) ${MY}(?:calendar|schedule|agenda)$`,
        'i',
      ),
    },
  ] satisfies { entry: EntryKind; pattern: RegExp }[],
  views: [
    { pattern: /\boverdue\b/i, view: 'overdue' },
    { pattern: /\btoday\b/i, view: 'today' },
    { pattern: /\bupcoming\b/i, view: 'upcoming' },
    { pattern: /\binbox\b/i, view: 'inbox' },
  ],
  /** A stretch of the schedule. */
  span: /\b(?<which>this|next|last) (?<span>week|month)\b/i,
  /** A whole answer that says "leave it". */
  decline: /^(?:skip(?: it| this)?|never ?mind|forget (?:it|about it)|leave it|no,? thanks|cancel(?: it)?)[.!]?$/i,
};

/** One language's part in the reading of a request. */
export type Words = typeof english;
