import type { Language } from '../../../contracts/text.ts';

const english = {
  about: (agent: string) => `The agent ${agent}.`,
  usage:
    'It works by itself and does not see this conversation: tell it in words what to do, with all it needs to know.',
  message: 'What it is to do, in words.',
  asks: 'It asks for more input.',
  noOutput: '(the agent ended without an answer)',
  media: (name: string) => `(a file: ${name})`,
  notCalled: (agent: string, reason: string) => `the agent "${agent}" could not be called: ${reason}; nothing was sent`,
  lost: (agent: string, reason: string) =>
    `the connection to the agent "${agent}" was lost: ${reason}; outcome unknown: it may have begun. Check before you send it again`,
  lostBefore: (agent: string) =>
    `outcome unknown: the service stopped while it called the agent "${agent}", which knows no task of that call. Check before you send it again`,
  refused: (agent: string, reason: string) => `the agent "${agent}" refused: ${reason}`,
  ended: (agent: string, state: string) => `the agent "${agent}" ended the task as ${state}`,
  /** Said to the agent, where its user has done what it wanted. */
  authorized: 'Done.',
  declined: (agent: string) => `the user declined to answer the agent "${agent}"; its task is cancelled`,
  asksTooMuch: (agent: string, max: number) =>
    `the agent "${agent}" asks more than ${max} questions in one call; its task is cancelled`,
};

const chinese: typeof english = {
  about: (agent) => `智能体 ${agent}。`,
  usage: '它独立工作，看不到本对话：请用文字说明要做什么，并给出它需要的全部信息。',
  message: '用文字说明要做什么。',
  asks: '它需要更多信息。',
  noOutput: '（智能体结束时没有给出答复）',
  media: (name) => `（文件：${name}）`,
  notCalled: (agent, reason) => `无法调用智能体“${agent}”：${reason}；什么也没有发送`,
  lost: (agent, reason) => `与智能体“${agent}”失去连接：${reason}；结果未知：它可能已经开始。重新发送之前请先检查`,
  lostBefore: (agent) => `结果未知：服务在调用智能体“${agent}”期间停止，而它没有这次调用的任务。重新发送之前请先检查`,
  refused: (agent, reason) => `智能体“${agent}”拒绝了：${reason}`,
  ended: (agent, state) => `智能体“${agent}”结束了任务，状态为 ${state}`,
  authorized: '已完成。',
  declined: (agent) => `用户拒绝回答智能体“${agent}”；它的任务已取消`,
  asksTooMuch: (agent, max) => `智能体“${agent}”在一次调用中的提问超过 ${max} 个；它的任务已取消`,
};

export const a2aMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
