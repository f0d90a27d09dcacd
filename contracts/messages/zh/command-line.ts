import type { commandLine as english } from '../en/command-line.ts';

export const commandLine = {
  usage: '用法：',
  unclosedQuote: (quote) => `引号 ${quote} 没有闭合。`,
  unknownOption: (name) => `没有 --${name} 这个选项。`,
  missingValue: (name) => `--${name} 后面要写值。`,
  repeatedOption: (name) => `--${name} 写了不止一次。`,
  notInRange: (name, min, max, text) => `${name} 必须是 ${min} 到 ${max} 之间的整数，不能是“${text}”。`,
  missingId: '缺少编号。',
  invalidId: (text) => `“${text}”不是编号，编号是数字。`,
  tooManyIds: (max) => `一条命令最多写 ${max} 个编号，其余的请另写一条。`,
  unexpectedArgument: (text) => `多余的参数“${text}”。`,
  missingSubcommand: '缺少子命令。',
  unknownSubcommand: (command) => `没有 ${command} 这个命令。`,
  nothingToChange: '没有要修改的内容，请写明新的值或选项。',
  tooManyReminders: (max: number) => `提醒已有 ${max} 条：请先用 --remind none 去掉一些。`,
  more: (count) => `…… 还有 ${count} 条`,
} satisfies typeof english;
