import type { toolCalls as english } from '../en/tool-calls.ts';

export const toolCalls = {
  timedOut: (tool, timeoutMs) => `${tool} 没有在 ${timeoutMs} 毫秒内完成`,
  mayHaveRun: (text) => `${text}；结果未知，它可能已经生效`,
  unknownTool: (tool) => `工具“${tool}”已不可用`,
  changedNothing: (tool, reason) => `${tool} 失败，没有作任何改变：${reason}`,
  failed: (tool, reason) => `${tool} 失败：${reason}`,
  interrupted: '结果未知：执行期间服务停止了，而它不会执行第二次；重做之前请先检查',
  noOutput: '已完成；工具没有返回内容。',
  verifierFailed: (reason) => `验证程序失败：${reason}`,
  verifierTimedOut: (timeoutMs) => `没有在 ${timeoutMs} 毫秒内完成`,
  verifierNotRun: (command, reason) => `无法运行 ${command}：${reason}`,
  exited: (code) => `退出码 ${code}`,
  killed: (signal) => `被 ${signal} 终止`,
  modelAdapterFailed: '模型适配器出错，请查看日志',
} satisfies typeof english;
