import { defineTexts } from '../text/define-texts.ts';

/** A description of each slash command (SPEC 8); the service lists them too, with "/help". */
export const commandTexts = defineTexts(
  {
    '/help': 'all commands',
    '/status': 'where the task stands',
    '/continue': 'go on with the paused task',
    '/resume': 'go on with a paused task, by its id',
    '/cancel': 'end the current task',
    '/plan': 'show the plan, or named plans: list, create, update, mark, activate, delete',
    '/todo': 'add, list, search, get, update, done, delete',
    '/view': 'todos: all, today, overdue, upcoming, inbox',
    '/schedule': 'add, list, get, view, update, repeat, delete',
    '/memory': 'what later sessions know of you: add, list, delete',
    '/tools': 'the tools and their usage',
    '/tool': 'try a tool: its name, then its input',
  },
  {
    '/help': '所有命令',
    '/status': '任务进展',
    '/continue': '继续已暂停的任务',
    '/resume': '按 id 继续某个已暂停的任务',
    '/cancel': '结束当前任务',
    '/plan': '查看计划；命名计划：list、create、update、mark、activate、delete',
    '/todo': 'add、list、search、get、update、done、delete',
    '/view': '待办视图：all、today、overdue、upcoming、inbox',
    '/schedule': 'add、list、get、view、update、repeat、delete',
    '/memory': '以后的会话也知道的事：add、list、delete',
    '/tools': '工具及其用法',
    '/tool': '试用工具：名称加输入',
  },
);
