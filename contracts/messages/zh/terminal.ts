import type { terminal as english } from '../en/terminal.ts';

export const terminal = {
  approvalKeys: 'y：运行 · n：不运行 · always：运行，且本任务中不再询问该工具 · edit：先修改输入',
  newInput: '新的输入：',
} satisfies typeof english;
