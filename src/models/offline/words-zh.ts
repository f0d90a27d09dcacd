import type { Words } from './request.ts';

const TODO = '(?:待办(?:事项|任务)?|任务|todo)';
const TODO_LIST = '(?:(?:待办|任务)(?:事项|任务)?(?:清单|列表)?|todo)';
const EVENTS = '(?:日程(?:安排|表)?|日历|行程|安排|会议|预约|活动)';
const MANY = String.raw`(?:[两二三四五六七八九十几]|\d+)[个条项件]`;
const NEW = `(?:${MANY}|一[个条项件次场]|[个条项件])?(?:以下|新的|新)?的?`;
const IDS = String.raw` ?(?:第|编号|#)? ?(?<ids>\d+(?: ?(?:号|、|,|，|和|与) ?#?\d+)*) ?(?:号|项|条|个)? ?`;
const ADD = '(?:添加|新增|新建|创建|增加|加上|加|记下|记录|记|建立|建|写下)(?:一下)?';
const FIND = '(?:搜索|搜一下|搜|查找|查询|找一下|找)(?:一下)?';
const DELETE = '(?:删除|删掉|删了|删|移除|取消|去掉)';
const DONE = '(?:完成|做完|办完|搞定|勾掉|勾选)';
const LOOK = '(?:查看|看|显示|列出|列一下|我|所有|全部|还有|都有|有|哪些|什么|啥|一下|未完成|的| )';
const DAY = String.raw`(?:今天|今日|明天|明日|后天|大后天|昨天|(?:这|本|下|上)?(?:个)?(?:周|星期|礼拜)(?:[一二三四五六日天末])?|(?:这|本|下|上)个?月|\d{1,2}月\d{1,2}(?:[日号]|(?!\d))|\d{4}-\d{1,2}-\d{1,2})`;
const VIEW = '(?:逾期|过期|今天|今日|即将到期|即将|接下来|近期|收件箱)';
const ASK = '(?:都|还|里|上|中|有|哪些|什么|啥|是|内容|列表|清单|吗|呢|的| )';
const INTO = '(?:添加到|添加进|加入到|加入|加到|加进|放到|放进|记到|写进|写到)';

const re = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'isu');

/** How requests about todos and schedules are said in Chinese. */
export const chinese: Words = {
  phrases: [
    {
      kind: 'web.search',
      pattern: re('(?:上网|在?网上|到网上|在互联网上?)(?:搜索|搜一下|搜|查找|查询|查一下|查)(?:一下)?(?<words>.+)'),
    },
    { kind: 'web.search', pattern: re('(?:百度|谷歌)(?:一下|搜索)?(?<words>.+)') },
    {
      kind: 'todo.search',
      pattern: re(
        `${FIND}(?:我的)?(?:含有?|包含|关于)?${TODO_LIST}(?:里|中)?(?:的|含有?|包含|关于)?[:： ]{0,3}(?<words>.+)`,
      ),
    },
    { kind: 'todo.search', pattern: re(`(?:在|从)?(?:我的)?${TODO_LIST}(?:里面|里|中)${FIND}(?<words>.+)`) },
    { kind: 'todo.search', pattern: re(`${FIND}(?:关于|包含|含有?)?(?<words>.+?)的?${TODO_LIST}`) },
    { kind: 'todo.done', pattern: re(`${DONE}了?(?:我的)?${TODO}?${IDS}${TODO}?了?`) },
    {
      kind: 'todo.done',
      pattern: re(`(?:把|将)${TODO}?${IDS}${TODO}?(?:标记|标|设)?(?:为|成)?已?(?:完成|做完|办完)了?`),
    },
    { kind: 'todo.done', pattern: re(`${TODO}${IDS}(?:已经|已)?${DONE}了?`) },
    { kind: 'todo.done', pattern: re('(?:把|将)(?<name>.+?)(?:标记|标|设)(?:为|成)?已?完成') },
    { kind: 'todo.done', pattern: re(`${DONE}${TODO}[:： ]{0,3}(?<name>.*)`) },
    { kind: 'todo.delete', pattern: re(`${DELETE}(?:我的)?${TODO}${IDS}`) },
    { kind: 'todo.delete', pattern: re(`${DELETE}${IDS}${TODO}`) },
    { kind: 'todo.delete', pattern: re(`(?:把|将)${TODO}${IDS}${DELETE}`) },
    { kind: 'todo.delete', pattern: re(`${DELETE}(?:我的)?${TODO}[:： ]{0,3}(?<name>.*)`) },
    { kind: 'schedule.delete', pattern: re(`${DELETE}(?:我的)?${EVENTS}${IDS}`) },
    { kind: 'schedule.delete', pattern: re(`${DELETE}${IDS}${EVENTS}`) },
    { kind: 'schedule.delete', pattern: re(`(?:把|将)${EVENTS}${IDS}${DELETE}`) },
    { kind: 'schedule.delete', pattern: re(`${DELETE}(?:我的)?(?<name>.*?${EVENTS})`) },
    { kind: 'todo.list', pattern: re(`(?<before>(?:${LOOK}|${VIEW})*)${TODO_LIST}(?<rest>${ASK}*)`) },
    { kind: 'schedule.view', pattern: re(`(?<before>(?:${LOOK}|${DAY})+)${EVENTS}(?<rest>(?:${ASK}|${DAY})*)`) },
    { kind: 'schedule.view', pattern: re(`(?:日程(?:表|安排)?|日历)(?<rest>(?:${ASK}|${DAY})*)`) },
    { kind: 'todo.remind', pattern: re('(?<before>.{0,40}?)提醒我(?:一下)?(?:要|去)?(?<text>.*)') },
    { kind: 'todo.add', pattern: re(`${ADD}${NEW}${TODO}(?:[:：,，]|叫做?|内容是)? ?(?<text>.*)`) },
    { kind: 'todo.add', pattern: re(`(?:把|将)(?<text>.+?)${INTO}(?:我的)?${TODO_LIST}(?:里面|里|中)?`) },
    { kind: 'todo.add', pattern: re(`${TODO}(?:添加|新增)?[:：] ?(?<text>.+)`) },
    { kind: 'todo.add', pattern: re('(?:记得|记住|别忘了|别忘记|不要忘记?)(?:要)?(?<text>.+)') },
    { kind: 'schedule.add', pattern: re(`(?:把|将)(?<text>.+?)${INTO}(?:我的)?(?:日程|日历)(?:表|里面|里|中)?`) },
    { kind: 'schedule.add', pattern: re('(?:把|将)(?<text>.+?)(?:安排|约)(?:在|到)(?<after>.+)') },
    {
      kind: 'schedule.add',
      pattern: re(`${ADD}${NEW}(?:日程|行程|日历|活动)(?:安排)?[:：,，]? ?(?<text>.*)`),
    },
    { kind: 'schedule.add', pattern: re(`${ADD}${NEW}(?<text>(?:会议|预约).*)`) },
    { kind: 'schedule.add', pattern: re('(?:安排|预约|预定|预订|约)(?:一下)?(?:一[个次场]|[个次场])?(?<text>.*)') },
    {
      kind: 'schedule.add',
      pattern: re(`(?<before>${DAY}.{0,20}?)(?:安排|预约|约)(?:一下)?(?:一[个次场]|[个次场])?(?<text>.*)`),
    },
    {
      kind: 'schedule.add',
      pattern: re(
        `(?<before>${DAY}.{0,12}?[点时:：]\\S{0,3}?)(?:有|要)?(?:一?个)?(?<text>(?:[和跟与同].{1,20}?)?(?:开会|会议|面试|聚餐)(?!.*(?:取消|推迟|改到)).*)`,
      ),
    },
  ],
  politeness:
    /^(?:(?:请|麻烦(?:你|您)?|帮我|帮忙|给我|我想要?|我要|我需要|能不能|可不可以|能否|可以|你能|您能|你|您|先|然后|再|并且|还要|也)[\s,，]*)+/u,
  greeting: /^(?:你好|您好|嗨|早上好|下午好|晚上好|谢谢|请)$/u,
  question: /^(?:什么|谁|为什么|为何|怎么|如何|哪|告诉我|写一?[首篇个]|讲|翻译|解释|计算)|[吗呢]$/u,
  plural: new RegExp(`^${ADD}(?:${MANY}|以下)`, 'u'),
  priorities: [
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*优先级[:：为是]?\s*(?<n>\d{1,4})[)）]?的?/u, priority: null },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:高优先级|优先级[:：为是]?高|最高优先级)[)）]?的?/u, priority: 0 },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:中优先级|优先级[:：为是]?中)[)）]?的?/u, priority: 1 },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:低优先级|优先级[:：为是]?低)[)）]?的?/u, priority: 2 },
    { pattern: /(?<=个|条|^.{0,4})紧急的?(?=待办|任务)|(?<![\s,，、(（])[\s,，、(（]+紧急[)）]?$/u, priority: 0 },
  ],
  tag: /(?<![\s,，、(（])[\s,，、(（]*标签[:：为是]?\s*["“#]?(?<tag>[\p{L}\p{N}_-]+)["”]?[)）]?/u,
  durations: [
    { pattern: /(?<![\s,，])[\s,，]*(?:时长|持续|为时|用时)[:：]?\s*(?<n>\d+)\s*分钟/u, minutes: 1 },
    { pattern: /(?<![\s,，])[\s,，]*(?:时长|持续|为时|用时)[:：]?\s*(?<n>\d+(?:\.\d+)?)\s*个?小时/u, minutes: 60 },
    { pattern: /(?<![\s,，])[\s,，]*(?:时长|持续|为时|用时)[:：]?\s*半个?小时/u, minutes: 30 },
    { pattern: /(?<![\s,，])[\s,，]*(?:时长|持续|为时|用时)[:：]?\s*一个?小时/u, minutes: 60 },
    { pattern: /(?<![\s,，])[\s,，]*(?:时长|持续|为时|用时)[:：]?\s*两个?小时/u, minutes: 120 },
  ],
  repetition: /每个?(?:天|日|工作日)?的?\s*$/u,
  beforeTime: /(?:在|于|定在|截止到?|到期[:：]?|截止[:：]?)\s*$/u,
  afterTime: /^\s*(?:之前|以前|前|的时候|时候)?\s*[,，]?\s*(?:的|要|去)?\s*/u,
  titleEdges: /^(?:(?:一[个次场下]|关于|的|[,，:：])\s*)+|(?<!\s)(?:\s*(?:的|在|于)){1,4}$/u,
  emptyTitle: /^(?:事|事情|活动|日程|事项|东西|一下)?$/u,
  views: [
    { pattern: /逾期|过期/u, view: 'overdue' },
    { pattern: /今天|今日/u, view: 'today' },
    { pattern: /即将|接下来|近期/u, view: 'upcoming' },
    { pattern: /收件箱/u, view: 'inbox' },
  ],
  spans: [
    { pattern: /(?:这|本)个?(?:周|星期|礼拜)(?![一二三四五六日天末])/u, span: 'week', date: null },
    { pattern: /(?:这|本)个?月/u, span: 'month', date: null },
    { pattern: /下个?(?:周|星期|礼拜)(?![一二三四五六日天末])/u, span: 'week', date: '7天后' },
    { pattern: /下个?月(?!\d)/u, span: 'month', date: '一个月后' },
    { pattern: /今天|今日/u, span: 'day', date: null },
  ],
  decline: /^(?:算了|不用了?|跳过|不需要了?|取消|别管了)[。！.!]?$/u,
};
