import type { Phase } from '../../task.ts';
import type { commands as english } from '../en/commands.ts';
import { missionFile } from './mission-file.ts';

const phases: Record<Phase, string> = {
  intake: '接收',
  planning: '规划',
  executing: '执行',
  recovering: '恢复',
  blocked: '受阻',
  verifying: '验证',
  done: '完成',
};

export const commands = {
  help: '可用命令：',
  unknown: (name) => `没有命令 /${name}。`,
  summaries: {
    todo: '用户的待办清单：添加、查找、修改、完成和删除待办，可带标签、优先级、期限和提醒。',
    view: '按期限查看待办：all 全部、today 今天、overdue 过期、upcoming 今天以后、inbox 没有期限。',
    schedule: '用户的日程：添加、查看、修改和删除，可重复、可提醒，并报告时间冲突。',
    files: '本会话的文本文件，放在自己的文件夹中：列出、读取、写入、追加、替换段落、删除。',
    planning:
      '以名称保存的计划，供会话自用，每一步都有状态：新建、修改、列出、查看、启用、标记步骤、删除。它们不是任务正在执行的计划。',
    coding_agent: '向编程代理发出指令并等待它的报告。编程代理使用自己的文件。',
    internet_search: '搜索网络，给出前 3 条结果的标题、摘要和网址。',
    plan: '本会话任务的计划，以及以名称保存的计划',
    tools: '现有的工具及其用法',
    tool: '直接调用一个工具，不经过任务',
    status: '本会话任务的状态',
  },
  controls: [
    '/continue — 继续已暂停的任务',
    '/resume [task_id] — 恢复本会话的某个暂停任务',
    '/cancel — 取消正在执行、等待或最近暂停的任务',
    '/plan add|drop|move|mark … — 修改等待中或已暂停任务的计划',
    '/help — 显示本列表',
  ],
  tools: (count) => `工具：${count} 个`,
  noTools: '没有工具。',
  toolOrigin: {
    built_in: () => '内置',
    config: () => '来自配置文件',
    mcp: (server) => `来自 MCP 服务器 ${server}`,
  },
  noSuchToolPage: (pages) => `工具列表有第 1 至 ${pages} 页。`,
  nextToolPage: (page, pages) => `（第 ${page} 页，共 ${pages} 页；下一页：/tools ${page + 1}）`,
  noSuchTool: (name, names) => `没有工具 ${name}。现有工具：${names.join('、')}。`,
  toolFailed: (result) => `工具失败：${result}`,
  noTaskYet: '本会话还没有任务。',
  plan: (goal, done, total) => `计划：${goal}（完成 ${done}/${total} 项）`,
  itemStatus: {
    not_started: '未开始',
    in_progress: '进行中',
    completed: '已完成',
    blocked: '受阻',
    dropped: '已去掉',
  },
  dependsOn: (ids) => `（在 ${ids.join('、')} 之后）`,
  task: (id, goal) => `任务 ${id}：${goal}`,
  status: (state, phase, done, total, steps, limit) =>
    `${missionFile.state[state]}（${phases[phase]}），完成 ${done}/${total} 项，已用 ${steps}/${limit} 步`,
  currentItem: (step) => `当前步骤：${step}`,
  waitsForAnswer: (question) => `等待回答：${question}`,
  paused: (reason) => `暂停原因：${reason}`,
  cost: (amount, currency) => `目前花费：${amount} ${currency}`,
  queued: (count) => `排队的输入：${count}`,
} satisfies typeof english;
