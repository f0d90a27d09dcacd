import type { Language } from '../../../contracts/text.ts';

const english = {
  summary: 'Sends a command to a coding agent and waits for its report. It works on files of its own.',
  usage: '<what the coding agent should do, in full sentences>',
  headings: { description: 'Task description', constraints: 'Constraints', expected: 'Expected output' },
  none: 'None.',
  sessionEnds: 'The task has ended; nothing more will be asked in this session.',
  missingInstruction: 'The instruction for the coding agent is missing.',
  unreadableReport: (problem: string, file: string, text: string) =>
    `The coding agent sent a report, but ${problem}. It is kept as ${file}.${text === '' ? '' : `\n\nIt reads:\n${text}`}`,
  lateReport: (command: string, text: string) => `An earlier command, ${command}, was reported on too late:\n${text}`,
  noReport: (timeoutMs: number) =>
    `The coding agent sent no report within ${timeoutMs} ms. A further call on this item tries again; is a coding agent watching commands/pending of the bridge folder?`,
  bridgeFailed: (code: string) => `The bridge folder cannot be used (${code}): see TRIPACT_BRIDGE_DIR and the log.`,
  problem: {
    no_status: 'it has no front matter with a status that is SUCCESS, FAILED or PARTIAL_SUCCESS',
    other_task: 'its front matter names another task',
  },
};

const chinese: typeof english = {
  summary: '向编程代理发出指令并等待它的报告。编程代理使用自己的文件。',
  usage: '<用完整的句子写明要编程代理做什么>',
  headings: { description: '任务描述', constraints: '约束条件', expected: '预期输出' },
  none: '无。',
  sessionEnds: '任务已结束；这个会话不会再收到其他请求。',
  missingInstruction: '缺少给编程代理的指令。',
  unreadableReport: (problem, file, text) =>
    `编程代理作了回答，但${problem}。它保存为 ${file}。${text === '' ? '' : `\n\n内容如下：\n${text}`}`,
  lateReport: (command, text) => `更早的命令 ${command} 的报告来得太迟：\n${text}`,
  noReport: (timeoutMs) =>
    `编程代理没有在 ${timeoutMs} 毫秒内提交报告。对这一步再次调用会重试；是否有编程代理在监视桥接文件夹的 commands/pending？`,
  bridgeFailed: (code) => `桥接文件夹无法使用（${code}）：请查看 TRIPACT_BRIDGE_DIR 和日志。`,
  problem: {
    no_status: '报告的头部信息没有 SUCCESS、FAILED 或 PARTIAL_SUCCESS 的状态',
    other_task: '报告的头部信息写的是另一个任务',
  },
};

export const codingAgentMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
