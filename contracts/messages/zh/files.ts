import type { files as english } from '../en/files.ts';

export const files = {
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
  lineCut: (line, chars) => `（第 ${line} 行已截断：共 ${chars} 个字符）`,
  onlyBeginning: (path, bytes) => `（${path} 有 ${bytes} 字节，只能读取开头部分）`,
  changed: {
    write: (path, bytes) => `已写入 ${path}：${bytes} 字节。`,
    append: (path, bytes) => `已追加到 ${path}：现有 ${bytes} 字节。`,
    replace: (path, bytes) => `已替换 ${path} 中的段落：现有 ${bytes} 字节。`,
    delete: (path) => `已删除 ${path}。`,
  },
  missingPath: '缺少路径。',
  missingText: '缺少内容；空内容请写 ""。',
  missingPassages: '请给出原文和新文，各加引号。',
  passageNotFound: (path) => `${path} 中没有这段文字。`,
  passageNotUnique: (path, count, isCut) =>
    `${path} 中这段文字出现${isCut ? '至少' : ''} ${count} 次：请给出更多上下文。`,
  refused: {
    invalid_path: (path) => `“${path}”不是这里的文件路径：请用 / 分隔名称，例如 notes/today.md，不能含“..”。`,
    service_file: (path) => `${path} 由服务维护：可以读取，不能修改。`,
    not_found: (path) => `没有 ${path}。`,
    not_a_file: (path) => `${path} 不是普通文件。`,
    not_text: (path) => `${path} 不是文本文件。`,
    file_too_large: (path, max) => `${path} 超过了单个文件的上限 ${max} 字节。`,
    session_full: () => '本会话的文件已占满可用空间：请先删除一些。',
    too_many_files: () => '本会话的文件数已达上限：请先删除一些。',
    changed_meanwhile: (path) => `执行中断期间 ${path} 被其他程序修改，无法确定操作是否已完成：请先读取该文件。`,
  },
} satisfies typeof english;
