import type { mcp as english } from '../en/mcp.ts';

const uncertain = (isUncertain: boolean): string => (isUncertain ? '；结果未知，它可能已经生效' : '');

export const mcp = {
  refused: (server, reason) => `MCP 服务器“${server}”拒绝了调用：${reason}`,
  wantsInput: (server, isUncertain) => `MCP 服务器“${server}”要先询问用户，这里无法做到${uncertain(isUncertain)}`,
  invalidResult: (server, reason, isUncertain) =>
    `MCP 服务器“${server}”的回答不是结果：${reason}${uncertain(isUncertain)}`,
  notCalled: (server, reason) => `无法调用 MCP 服务器“${server}”：${reason}；什么也没有调用`,
  lost: (server, reason, isUncertain) => `调用期间与 MCP 服务器“${server}”失去连接：${reason}${uncertain(isUncertain)}`,
  down: (server, reason) => `MCP 服务器“${server}”不可用：${reason}；什么也没有调用`,
  oneOf: (options) => `可选：${options.join(' · ')}；也可以另作回答`,
} satisfies typeof english;
