/**
 * The kind of a sentence's request, by its verb: a todo (`due`), one with a reminder, an event, a list of these, or a
 * change.
 */
export type PhraseKind = 'due' | 'remind' | 'event' | 'todos' | 'events' | 'done' | 'delete' | 'move';

const TODO = '(?:to-?do|task)s?';
const TODO_LIST = `(?:${TODO}(?: list)?|list)`;
const EVENTS = '(?:schedule|calendar|agenda|appointments?|events?|meetings?)';
const MY = '(?:(?:my|the|all|of) )*';
const NEW = '(?:(?:an?|another|the|my|new) )*';
const SHOW = "(?:show(?: me)?|list|see|what(?:['’]s| is| are)(?: on| in)?)";
const DONE = '(?:done|completed?|finished)';

const ZH_TODO = '(?:待办|任务)(?:事项|清单|列表)*';
const ZH_EVENTS = '(?:日程|日历|行程)(?:安排|表)?';
const ZH_ADD = '(?:添加|新增|新建|创建|加)(?:一下)?(?:一?[个条])?(?:新的)?';
const ZH_LOOK = '(?:查看|看|显示|列出|我|的|有|哪些|什么|所有|全部)*';
const ZH_ASK = '(?:里|上|中|都|有|哪些|什么|是|吗|呢)*';
const ZH_MOVE = '(?:改到|改成|改为|推迟到|提前到|移到|挪到)';

const ROWS: [PhraseKind, pattern: string][] = [
  ['remind', '(?:remind me)(?: (?:to|that|about))?(?: (?<text>.*))?'],
  ['due', `(?:add|create|make|new) ${NEW}(?:to-?do|task)(?: ?[:,-] ?| (?:to|for|about) | |$)(?<text>.*)`],
  ['due', `(?:add|put) (?<text>.+?) (?:to|on) ${MY}${TODO_LIST}`],
  ['due', '(?:to-?do|task): ?(?<text>.+)'],
  ['event', `(?:add|put) (?<text>.+?) (?:to|on|in) ${MY}(?:calendar|schedule|agenda)`],
  ['event', `(?:schedule|arrange)(?:: | |$)${NEW}(?<text>.*)`],
  ['event', `(?:add|create|make|new|set up) ${NEW}(?<text>(?:event|appointment|meeting|call)\\b.*)`],
  ['todos', `${SHOW} ${MY}${TODO_LIST}`],
  ['todos', 'what (?:do i (?:have|need) to|should i) do'],
  ['events', `${SHOW} ${MY}${EVENTS}|what do i have`],
  ['done', `(?:mark|check off|tick off) (?<name>.+?) (?:as )?${DONE}`],
  ['done', '(?:complete|finish) (?<name>.+)'],
  ['delete', '(?:delete|remove|cancel) (?<name>.+)'],
  ['move', '(?:move|reschedule|postpone|change|make) (?<name>.+?) (?:to|until|for) (?<when>.+)'],
  ['move', '(?:make|change) (?<name>it|that|this) (?<when>.+)'],
  ['move', "no[, ]+(?:it(?:['’]s| is) )?(?<when>[^, ].*)"],
  ['remind', '提醒我(?:要|去)?(?<text>.*)'],
  ['due', `${ZH_ADD}${ZH_TODO}[:：,，]? ?(?<text>.*)`],
  ['due', `(?:把|将)?(?<text>.+?)(?:添加到|加入到?|加到|放到)(?:我的)?${ZH_TODO}(?:里|中)?`],
  ['due', `加(?<text>.+?)到(?:我的)?${ZH_TODO}(?:里|中)?`],
  ['event', `${ZH_ADD}${ZH_EVENTS}[:：,，]? ?(?<text>.*)`],
  ['event', '(?:安排|预约)(?:一[个次场])?(?<text>.*)'],
  ['todos', `${ZH_LOOK}${ZH_TODO}${ZH_ASK}`],
  ['events', `${ZH_LOOK}(?:${ZH_EVENTS}|安排)${ZH_ASK}`],
  ['done', '(?:把|将)?(?<name>.+?)标记?为已?完成'],
  ['done', '完成(?<name>.+)'],
  ['delete', '(?:把|将)(?<name>.+?)(?:删除|删掉|取消)'],
  ['delete', '(?:删除|删掉|取消)(?<name>.+)'],
  ['move', `(?:把|将)?(?<name>.*?)${ZH_MOVE}(?<when>.+?)吧?`],
  ['move', '(?:不对|还是)[,， ]*(?:应该)?是?(?<when>[^,， ].*?)吧?'],
];

/**
 * Requests as patterns of the whole sentence; named groups are `text`, `name` and `when`. People mix languages, so
 * every pattern is tried.
 */
export const PHRASES = ROWS.map(([kind, pattern]) => ({ kind, pattern: new RegExp(`^(?:${pattern})$`, 'isu') }));

/** Texts that are a todo without being called one. */
export const ERRAND = /^(?:buy|call|pay|clean|wash|fix|return|pick up) \S|^(?:去?买|给.{1,10}打电话|洗|修|寄|还书)\S/iu;

/** Polite words before a request. */
export const POLITENESS =
  /^(?:(?:(?:please|kindly|actually|ok(?:ay)?|can you|could you|would you|i want to|i need to|i(?:['’]d| would) like to|then|also|and)\b|请|麻烦你?|帮我|我想要?|我要|然后|再|并且?)[\s,，]*)+/iu;

/** Sentences that ask for nothing, or for help. */
export const GREETING =
  /^(?:(?:hi|hello|hey)(?: there| tripact)?|good (?:morning|afternoon|evening)|help(?: me)?|what can (?:you|i) do|who are you|你好|您好|早上好|下午好|晚上好|帮助|你是谁|你[能会]做什么|怎么用)$/iu;
export const THANKS =
  /^(?:thanks(?: a lot)?|thank you(?: very much| so much)?|thx|ok(?:ay)?|great|谢谢[你您]?|多谢|太好了)$/iu;

/** The beginning of a request that these tools cannot do. */
export const OTHER_REQUEST =
  /^(?:what|who|why|how|where|when|which|is|are|am|does|did|tell me|write|explain|translate|calculate|remind me|search|send|e-?mail|order|play|turn|post)\b|^(?:什么|谁|为什么|怎么|如何|哪|告诉我|写|讲|翻译|解释|计算|提醒我|搜索|查|发|播放|点|打开|关闭)|[吗呢]$/iu;

/** A title without content, for which the user is asked for the real one. */
export const EMPTY_TITLE = /^(?:(?:an? )?event|something|事情?|活动|日程|一下)$/iu;

/** A name that only refers to an entry mentioned before. */
export const REFERENCE = /^(?:(?:it|that|this)(?: (?:one|meeting|event|todo|task))?|它|[这那](?:个|件事))?$/iu;

/** The beginning of a name that means every entry of a kind. */
export const ALL = /^(?:all\b|所有|全部)/iu;

/** The words of a name that say which kind of entry it is. */
export const KINDS = [
  {
    entry: 'todo',
    pattern: new RegExp(`^${MY}${TODO}(?: |$)| from ${MY}${TODO_LIST}$|^(?:所有|全部)?的?${ZH_TODO}`, 'iu'),
  },
  {
    entry: 'schedule',
    pattern: new RegExp(
      `^${MY}${EVENTS}(?: (?=#?\\d)|$)| from ${MY}(?:calendar|schedule)$|^(?:所有|全部)?的?${ZH_EVENTS}`,
      'iu',
    ),
  },
] as const;

/** A whole answer that means "leave it". */
export const DECLINE =
  /^(?:skip(?: it)?|never ?mind|forget (?:it|about it)|leave it|no,? thanks|cancel(?: it)?|算了|不用了?|跳过|取消)[。！.!]?$/iu;
