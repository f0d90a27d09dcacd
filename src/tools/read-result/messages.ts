import type { Language } from '../../../contracts/text.ts';

const english = {
  summary: 'Reads on in a long result whose middle the log leaves out, or in the text of a file that is shown in part.',
  missing: (id: string) =>
    `There is no whole result of action ${id}: it is not one of this task's long ones, or its file is gone. Take the action again if you need it.`,
  noSuchPlace: (id: string, chars: number) => `The result of action ${id} that is kept has ${chars} characters.`,
  part: (from: number, to: number, chars: number) => `[characters ${from} to ${to} of ${chars}]`,
  noText: (path: string) =>
    `The text of ${path} can't be read: the file is gone or was changed, or nothing here reads files of its type.`,
  endsBefore: (path: string, from: number) => `The text of ${path} ends before character ${from}.`,
  partOfFile: (from: number, to: number) => `[characters ${from} to ${to}]`,
  next: (from: number) => `[from ${from} reads on]`,
};

const chinese: typeof english = {
  summary: '继续读取日志中省略了中间部分的长结果，或只显示了一部分的文件文本。',
  missing: (id) => `没有操作 ${id} 的完整结果：它不是本任务的长结果，或者文件已不存在。需要时请重新执行该操作。`,
  noSuchPlace: (id, chars) => `保存的操作 ${id} 的结果共有 ${chars} 个字符。`,
  part: (from, to, chars) => `[第 ${from} 至 ${to} 个字符，共 ${chars} 个]`,
  noText: (path) => `无法读取 ${path} 的文本：文件已不存在或已被修改，或者这里没有能读取该类型文件的组件。`,
  endsBefore: (path, from) => `${path} 的文本不到第 ${from} 个字符。`,
  partOfFile: (from, to) => `[第 ${from} 至 ${to} 个字符]`,
  next: (from) => `[从 ${from} 继续读取]`,
};

export const readResultMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
