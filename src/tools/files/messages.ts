import type { Language } from '../../../contracts/text.ts';

const english = {
  summary:
    'Text files of this session, in a folder of its own: list, read, write, append to, replace a passage of, delete.',
  usage: {
    list: '/files list [folder] [--page n]',
    read: '/files read <path> [--line n]',
    write: '/files write <path> <text>',
    append: '/files append <path> <text>',
    replace: '/files replace <path> "<old passage>" "<new passage>"',
    delete: '/files delete <path>',
  },
  usageNotes: `The text of write and append is all that follows the path, line ends too; quotes around the whole of it are left out. What is appended
begins on a new line. The old passage must be in the file exactly once. Or as JSON: {"command": "replace", "path", "old", "new"},
{"command": "write", "path", "text"}.`,
  list: (count: number, bytes: number) => `Files: ${count}, ${bytes} bytes in all`,
  emptyList: 'There are no files.',
  line: (path: string, bytes: number, modified: string) => `${path}  ${bytes} bytes  ${modified}`,
  noSuchPage: (page: number, pages: number) => `There is no page ${page}: the list has ${pages}.`,
  nextPage: (page: number, pages: number) => `(page ${page} of ${pages}; for the next one: --page ${page + 1})`,
  notAllSeen: '(This folder has more files than the tool examines.)',
  empty: (path: string) => `${path} is empty.`,
  noSuchLine: (path: string, line: number, lines: number) => `${path} has no line ${line}: it has ${lines}.`,
  part: (path: string, from: number, to: number, lines: number) => `(${path}: lines ${from} to ${to} of ${lines})`,
  nextLine: (path: string, line: number) => `(to read on: /files read ${path} --line ${line})`,
  onlyBeginning: (path: string, bytes: number) => `(${path} has ${bytes} bytes; only its beginning can be read)`,
  changed: {
    write: (path: string, bytes: number) => `Wrote ${path}: it has ${bytes} bytes.`,
    append: (path: string, bytes: number) => `Appended to ${path}: it has ${bytes} bytes now.`,
    replace: (path: string, bytes: number) => `Replaced the passage in ${path}: it has ${bytes} bytes now.`,
    delete: (path: string, _bytes: number) => `Deleted ${path}.`,
  },
  passageNotFound: (path: string) => `${path} does not have this passage.`,
  passageNotUnique: (path: string) => `${path} has this passage more than once: give more of what stands around it.`,
};

const chinese: typeof english = {
  summary: '本会话的文本文件，放在自己的文件夹中：列出、读取、写入、追加、替换段落、删除。',
  usage: {
    list: '/files list [文件夹] [--page n]',
    read: '/files read <路径> [--line n]',
    write: '/files write <路径> <内容>',
    append: '/files append <路径> <内容>',
    replace: '/files replace <路径> "<原文>" "<新文>"',
    delete: '/files delete <路径>',
  },
  usageNotes: `write 和 append 的内容是路径之后的全部文字，包括换行；整体外层的引号会去掉。追加的内容另起一行。
原文在文件中必须恰好出现一次。也可用 JSON：{"command": "replace", "path", "old", "new"}、{"command": "write", "path", "text"}。`,
  list: (count, bytes) => `文件：${count} 个，共 ${bytes} 字节`,
  emptyList: '没有文件。',
  line: (path, bytes, modified) => `${path}  ${bytes} 字节  ${modified}`,
  noSuchPage: (page, pages) => `没有第 ${page} 页：列表共 ${pages} 页。`,
  nextPage: (page, pages) => `（第 ${page} 页，共 ${pages} 页；下一页：--page ${page + 1}）`,
  notAllSeen: '（该文件夹中的内容过多，未全部查看。）',
  empty: (path) => `${path} 是空文件。`,
  noSuchLine: (path, line, lines) => `${path} 没有第 ${line} 行：共 ${lines} 行。`,
  part: (path, from, to, lines) => `（${path}：第 ${from} 至 ${to} 行，共 ${lines} 行）`,
  nextLine: (path, line) => `（继续读取：/files read ${path} --line ${line}）`,
  onlyBeginning: (path, bytes) => `（${path} 有 ${bytes} 字节，只能读取开头部分）`,
  changed: {
    write: (path, bytes) => `已写入 ${path}：${bytes} 字节。`,
    append: (path, bytes) => `已追加到 ${path}：现有 ${bytes} 字节。`,
    replace: (path, bytes) => `已替换 ${path} 中的段落：现有 ${bytes} 字节。`,
    delete: (path) => `已删除 ${path}。`,
  },
  passageNotFound: (path) => `${path} 中没有这段文字。`,
  passageNotUnique: (path) => `${path} 中这段文字不止一处：请给出更多上下文。`,
};

export const filesMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
