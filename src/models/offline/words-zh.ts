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
const MOVE_TO = '(?:改到|改成|改为|改在|推迟到|延后到|延期到|提前到|挪到|移到|调到|调整到|换到)';
const ALL = '(?<all>我?所有|我?全部)(?:的|我的)?';
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
    { kind: 'done', entry: 'todo', pattern: re(`(?:把|将)?${ALL}${TODO_LIST}都?(?:标记|标|设)?(?:为|成)?${DONE}了?`) },
    { kind: 'done', entry: 'todo', pattern: re(`${DONE}了?${ALL}${TODO_LIST}`) },
    { kind: 'done', entry: 'todo', pattern: re(`${DONE}了?(?:我的)?${TODO}?${IDS}${TODO}?了?`) },
    {
      kind: 'done',
      entry: 'todo',
      pattern: re(`(?:把|将)${TODO}?${IDS}${TODO}?(?:标记|标|设)?(?:为|成)?已?(?:完成|做完|办完)了?`),
    },
    { kind: 'done', entry: 'todo', pattern: re(`${TODO}${IDS}(?:已经|已)?${DONE}了?`) },
    { kind: 'done', entry: 'todo', pattern: re('(?:把|将)?(?<name>.*?)(?:标记|标|设)(?:为|成)?已?完成') },
    { kind: 'done', entry: 'todo', pattern: re(`${DONE}了?(?:我的)?${TODO}?[:： ]{0,3}(?<name>.*)`) },
    { kind: 'done', entry: 'todo', pattern: re(`我?(?:把|将)?(?<name>.+?)(?:已经|已|都)?${DONE}了`) },
    { kind: 'delete', entry: 'todo', pattern: re(`(?:${DELETE}|清空|清除)${ALL}${TODO_LIST}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`(?<all>清空|清除)(?:我的)?${TODO_LIST}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`(?:把|将)?${ALL}${TODO_LIST}(?:都|全部)?${DELETE}`) },
    { kind: 'delete', entry: 'schedule', pattern: re(`(?:${DELETE}|清空|清除)${ALL}${EVENTS}`) },
    { kind: 'delete', entry: 'schedule', pattern: re(`(?<all>清空|清除)(?:我的)?${EVENTS}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`${DELETE}(?:我的)?${TODO}${IDS}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`${DELETE}${IDS}${TODO}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`(?:把|将)${TODO}${IDS}${DELETE}`) },
    { kind: 'delete', entry: 'todo', pattern: re(`${DELETE}(?:我的)?${TODO}[:： ]{0,3}(?<name>.*)`) },
    { kind: 'delete', entry: 'schedule', pattern: re(`${DELETE}(?:我的)?${EVENTS}${IDS}`) },
    { kind: 'delete', entry: 'schedule', pattern: re(`${DELETE}${IDS}${EVENTS}`) },
    { kind: 'delete', entry: 'schedule', pattern: re(`(?:把|将)${EVENTS}${IDS}${DELETE}`) },
    { kind: 'delete', pattern: re(`(?:把|将)(?<name>.+?)${DELETE}`) },
    { kind: 'delete', pattern: re(`${DELETE}(?<name>.+)`) },
    { kind: 'move', pattern: re(`(?:把|将)?(?<name>.*?)${MOVE_TO}(?<when>.+)`) },
    { kind: 'move', pattern: re('(?:把|将)?(?<name>.*?)(?:推迟|延后|延期|(?<earlier>提前|提早))(?<when>.+)') },
    { kind: 'free', pattern: re('我?(?<text>.*?)(?:有空|有没有空|有时间|有没有时间|空闲|忙)(?:吗|么|不忙)?') },
    { kind: 'find', pattern: re('我?(?:什么时候|何时|几点|哪天|哪一天)[要去会]?(?<name>.+)') },
    { kind: 'find', pattern: re('我?(?<name>.+?)(?:是|在|的时间是)?(?:什么时候|何时|几点|哪天|哪一天|什么时间)的?') },
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
    /^(?:(?:请|麻烦(?:你|您)?|帮我|帮忙|给我|我想要?|我要|我需要|能不能|可不可以|能否|可以|你能|您能|你|您|先|首先|其次|接下来|最后|然后|再|并且|还要|也)[\s,，]*)+/u,
  greeting:
    /^(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|谢谢|请|帮助|你是谁|你(?:能|会|可以)(?:做|干)?些?(?:什么|啥)|有什么功能|怎么用)[啊呀呢]?$/u,
  question:
    /^(?:什么|谁|为什么|为何|怎么|如何|哪|告诉我|写一?[首篇个]|讲|翻译|解释|计算|给.{1,10}发|发(?:邮件|短信|微信)|播放|点外卖|叫外卖|打车|订(?:机票|酒店|火车票|外卖)|买(?:机票|火车票)|打开|关闭)|[吗呢]$/u,
  tells: /怎么|怎样|什么|多少|为何|昨天|前天|刚才|取消|推迟|改到|删除|完成|[了吗呢]$/u,
  evening: /晚饭|晚餐|晚宴|聚会|派对|夜宵|电影|演唱会|音乐会|酒吧|看戏|KTV/iu,
  plural: new RegExp(`^${ADD}(?:${MANY}|以下)`, 'u'),
  priorities: [
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*优先级[:：为是]?\s*(?<n>\d{1,4})[)）]?的?/u, priority: null },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:高优先级|优先级[:：为是]?高|最高优先级)[)）]?的?/u, priority: 0 },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:中优先级|优先级[:：为是]?中)[)）]?的?/u, priority: 1 },
    { pattern: /(?<![\s,，、(（])[\s,，、(（]*(?:低优先级|优先级[:：为是]?低)[)）]?的?/u, priority: 2 },
    { pattern: /(?<=个|条|^.{0,4})紧急的?(?=待办|任务)|(?<![\s,，、(（])[\s,，、(（]+紧急[)）]?$/u, priority: 0 },
  ],
  tag: /(?<![\s,，、(（])[\s,，、(（]*标签[:：为是]?\s*["“#]?(?<tag>[\p{L}\p{N}_-]+)["”]?[)）]?/u,
  titleEdges: /^(?:(?:一[个次场下]|关于|的|[,，:：])\s*)+|(?<!\s)(?:\s*(?:的|在|于)){1,4}$/gu,
  emptyTitle: /^(?:事|事情|活动|日程|事项|东西|一下)?$/u,
  reference:
    /^(?:它|这个|那个|这件事|那件事|[这那][个场条次](?:会议?|会面|日程|预约|安排|待办|任务|提醒)|该日程|该待办)?$/u,
  generic:
    /^(?:我的?|和|跟|与|的|要|去|见面|见|会议|开会|会面|预约|日程|安排|活动|约会|待办|任务|事项|事情?|有){1,4}|(?:的|见面|会议|开会|会面|预约|日程|安排|活动|约会|待办|任务|事项|事情?){1,4}$/gu,
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
