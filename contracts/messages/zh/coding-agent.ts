import type { codingAgent as english } from '../en/coding-agent.ts';

export const codingAgent = {
  usage: '<用完整的句子写明要编程代理做什么>',
  headings: { description: '任务描述', constraints: '约束条件', expected: '预期输出' },
  none: '无。',
  sessionEnds: '任务已结束；这个会话不会再收到其他请求。',
  withdrawn: (commands) => `不再需要以下命令的报告：${commands.join('、')}。`,
  missingInstruction: '缺少给编程代理的指令。',
  emptyReport: '（报告没有其他内容。）',
  unreadableReport: (problem, file, text) =>
    `编程代理作了回答，但${problem}。它保存为 ${file}。${text === '' ? '' : `\n\n内容如下：\n${text}`}`,
  lateReport: (command, status, text) => `更早的命令 ${command} 的报告来得太迟：\n${status}\n\n${text}`,
  noReport: (timeoutMs) =>
    `编程代理没有在 ${timeoutMs} 毫秒内提交报告。对这一步再次调用会重试；是否有编程代理在监视桥接文件夹的 commands/pending？`,
  bridgeFailed: (code) => `桥接文件夹无法使用（${code}）：请查看 TRIPACT_BRIDGE_DIR 和日志。`,
  bridgeUnusable: (folder) => `桥接文件夹中的 ${folder} 是链接或不是文件夹`,
  taskEnded: '任务已结束，不再向编程代理发送内容',
  problem: {
    not_a_file: () => '报告不是普通文件',
    empty: () => '报告是空的',
    no_front_matter: () => '报告没有两行“---”之间的头部信息',
    front_matter_too_large: () => '报告的头部信息太大',
    invalid_yaml: () => '报告的头部信息不是有效的 YAML',
    no_status: () => '报告没有 SUCCESS、FAILED 或 PARTIAL_SUCCESS 的状态',
    other_task: (detail) => `报告写的是另一个任务 ${detail}`,
  },
} satisfies typeof english;
