import type { Language } from '../../../contracts/text.ts';

const english = {
  summary: 'Reads on in a long result whose middle the log leaves out.',
  missing: (id: string) =>
    `There is no whole result of action ${id}: it is not one of this task's long ones, or its file is gone. Take the action again if you need it.`,
  noSuchPlace: (id: string, chars: number) => `The result of action ${id} that is kept has ${chars} characters.`,
  part: (from: number, to: number, chars: number) => `[characters ${from} to ${to} of ${chars}]`,
  next: (from: number) => `[from ${from} reads on]`,
};

const chinese: typeof english = {
  summary: '继续读取某个操作的长结果，日志中省略了它的中间部分。',
  missing: (id) => `没有操作 ${id} 的完整结果：它不是本任务的长结果，或者文件已不存在。需要时请重新执行该操作。`,
  noSuchPlace: (id, chars) => `保存的操作 ${id} 的结果共有 ${chars} 个字符。`,
  part: (from, to, chars) => `[第 ${from} 至 ${to} 个字符，共 ${chars} 个]`,
  next: (from) => `[从 ${from} 继续读取]`,
};

export const readResultMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
