import { defineTexts } from '../text/language.ts';
import type { Doing } from './tool-doings.ts';

/** A call in words, which is done or not. */
type Words = (isDone: boolean) => string;

/** English for a call that is done, and for one that is not. */
const en =
  (done: string, running: string): Words =>
  (isDone) =>
    isDone ? done : running;

/** The same in Chinese. */
const zh =
  (words: string): Words =>
  (isDone) =>
    `${isDone ? '已' : '正在'}${words}`;

/** The work of the built-in tools, done and not. */
const doings = defineTexts<Record<Doing, readonly [Words, Words]>>({
  'files list': [en('Listed the files', 'Listing the files'), zh('列出文件')],
  'files read': [en('Read', 'Reading'), zh('读取')],
  'files write': [en('Wrote', 'Writing'), zh('写入')],
  'files append': [en('Added to', 'Adding to'), zh('追加到')],
  'files replace': [en('Changed', 'Changing'), zh('修改')],
  'files delete': [en('Deleted', 'Deleting'), zh('删除')],
  'todo add': [en('Added a todo', 'Adding a todo'), zh('添加待办')],
  'todo list': [en('Listed the todos', 'Listing the todos'), zh('列出待办')],
  'todo search': [en('Searched the todos', 'Searching the todos'), zh('搜索待办')],
  'todo get': [en('Looked at a todo', 'Looking at a todo'), zh('查看待办')],
  'todo update': [en('Changed a todo', 'Changing a todo'), zh('修改待办')],
  'todo done': [en('Completed a todo', 'Completing a todo'), zh('完成待办')],
  'todo delete': [en('Deleted todos', 'Deleting todos'), zh('删除待办')],
  view: [en('Listed the todos', 'Listing the todos'), zh('列出待办')],
  'schedule add': [en('Added an event', 'Adding an event'), zh('添加日程')],
  'schedule list': [en('Listed the events', 'Listing the events'), zh('列出日程')],
  'schedule get': [en('Looked at an event', 'Looking at an event'), zh('查看日程')],
  'schedule view': [en('Looked at the calendar', 'Looking at the calendar'), zh('查看日历')],
  'schedule update': [en('Changed an event', 'Changing an event'), zh('修改日程')],
  'schedule repeat': [en('Changed how an event repeats', 'Changing how an event repeats'), zh('修改日程的重复')],
  'schedule delete': [en('Deleted events', 'Deleting events'), zh('删除日程')],
  'schedule goal': [en('Scheduled a goal', 'Scheduling a goal'), zh('安排定时目标')],
  'schedule goals': [en('Looked at the scheduled goals', 'Looking at the scheduled goals'), zh('查看定时目标')],
  'planning create': [en('Made a named plan', 'Making a named plan'), zh('新建命名计划')],
  'planning update': [en('Changed a named plan', 'Changing a named plan'), zh('修改命名计划')],
  'planning list': [en('Listed the named plans', 'Listing the named plans'), zh('列出命名计划')],
  'planning get': [en('Looked at a named plan', 'Looking at a named plan'), zh('查看命名计划')],
  'planning set_active': [en('Chose a named plan', 'Choosing a named plan'), zh('选用命名计划')],
  'planning mark_step': [en('Marked a step', 'Marking a step'), zh('标记步骤')],
  'planning delete': [en('Deleted a named plan', 'Deleting a named plan'), zh('删除命名计划')],
  remember: [en('Remembered', 'Remembering'), zh('记住')],
  'remember list': [en('Listed the facts', 'Listing the facts'), zh('列出记住的内容')],
  'remember delete': [en('Forgot', 'Forgetting'), zh('忘记')],
  skill: [en('Read the skill', 'Reading the skill'), zh('阅读技能')],
  read_result: [en('Read on in a result', 'Reading on in a result'), zh('继续读取结果')],
  internet_search: [en('Searched the web for', 'Searching the web for'), zh('在网上搜索')],
  coding_agent: [en('Had the coding agent work', 'Having the coding agent work'), zh('让编程代理工作')],
});

/** The work of a call in words. */
export const doingText = (doing: Doing, isDone: boolean): string => doings.value[doing](isDone);
