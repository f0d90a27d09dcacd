import type { Command } from './port.ts';

const CONTROLS = {
  en: [
    '/continue — go on with the paused task',
    '/resume [task_id] — go on with a paused task of this session',
    '/cancel — cancel the running, waiting or last paused task',
    '/plan add|drop|move|mark … — change the plan of a task that waits or is paused',
    '/help — this list',
  ],
  zh: [
    '/continue — 继续已暂停的任务',
    '/resume [task_id] — 恢复本会话的某个暂停任务',
    '/cancel — 取消正在执行、等待或最近暂停的任务',
    '/plan add|drop|move|mark … — 修改等待中或已暂停任务的计划',
    '/help — 显示本列表',
  ],
};

/** The list of all slash commands with their forms. */
export const helpText = (commands: Command[], language: 'en' | 'zh'): string => {
  const forms = commands.map(({ name, summary, usage }) =>
    [`/${name} — ${summary}`, ...usage.split('\n').map((line) => `    ${line}`)].join('\n'),
  );
  const title = language === 'zh' ? '可用命令：' : 'Commands:';
  return [title, ...forms, ...CONTROLS[language]].join('\n');
};
