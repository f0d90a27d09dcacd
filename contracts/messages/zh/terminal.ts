import type { terminal as english } from '../en/terminal.ts';

export const terminal = {
  approvalKeys: 'y：运行 · n：不运行 · always：运行，且本任务中不再询问该工具 · edit：先修改输入',
  newInput: '新的输入：',
  cancelling: '正在取消任务；再按一次 Ctrl-C 立即退出',
  cost: (amount, currency) => `费用：${amount} ${currency}`,
  onService: (url) => `使用 ${url} 的服务`,
  taskOf: (task, session) => `任务 ${task}，会话 ${session}`,
  session: (session) => `会话 ${session}`,
  answerWith: (run, chat) => `回答：${run} "<回答>"（或对话：${chat}）`,
  goOnWith: (run, chat) => `继续：${run} continue（或对话：${chat}）`,
  kept: (chat) => `会话已保留；返回：${chat}`,
  goesOn: (url) => `任务在 ${url} 的服务中继续执行`,
  goesOnLater: '任务在此停下，下次有服务或命令使用该数据目录时继续执行',
} satisfies typeof english;
