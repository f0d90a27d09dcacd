import type { Phase } from '../../task.ts';
import type * as english from '../en/commands.ts';
import { missionFile } from './progress.ts';

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
    agents: '本服务的智能体',
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
  agents: '智能体。会话的第一条消息选定其中一个：',
  agentHere: '处理本会话',
  noTools: '没有工具。',
  toolOrigin: {
    built_in: () => '内置',
    config: () => '来自配置文件',
    mcp: (server) => `来自 MCP 服务器 ${server}`,
    a2a: () => 'A2A 智能体',
  },
  forUsers: '仅供用户使用',
  noSuchToolPage: (pages) => `工具列表有第 1 至 ${pages} 页。`,
  nextToolPage: (page, pages) => `（第 ${page} 页，共 ${pages} 页；下一页：/tools ${page + 1}）`,
  noSuchTool: (name, names) => `没有工具 ${name}。现有工具：${names.join('、')}。`,
  serverAway: (server, reason) =>
    reason === null
      ? `MCP 服务器 ${server} 仍在连接；连接后就会有它的工具。`
      : `MCP 服务器 ${server} 未连接：${reason}。`,
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
} satisfies typeof english.commands;

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
  wholeCommand: '命令',
  invalidField: (field, problem) => `${field} 不合要求：${problem}。`,
  missingField: (field) => `缺少 ${field}。`,
  invalidJson: '这不是有效的 JSON。',
  roundedNumber: '其中有位数超出 JSON 精度的数字：请写成字符串。',
} satisfies typeof english.commandLine;

export const usage = {
  tool: '/tool <名称> <输入>',
  tools: '/tools [页码]',
  planEdit: {
    add: '/plan add <步骤>',
    drop: '/plan drop <编号>（或 delete）',
    move: '/plan move <编号> <目标编号>',
    mark: '/plan mark <编号> <not_started|in_progress|completed|blocked|dropped>',
  },
} satisfies typeof english.usage;

const orTalk = (chat: string | null): string => (chat === null ? '' : `（或对话：${chat}）`);

export const terminal = {
  approvalKeys: 'y：运行 · n：不运行 · always：运行，且本任务中不再询问该工具 · edit：先修改输入',
  newInput: '新的输入：',
  cancelling: '正在取消任务；再按一次 Ctrl-C 立即退出',
  cost: (amount, currency) => `费用：${amount} ${currency}`,
  scriptLeft: (answers, file) => `${file} 中还有 ${answers} 个回答，供任务的后续步骤使用`,
  scriptUnused: (answers, file) => `任务结束时，${file} 中最后 ${answers} 个回答没有用到`,
  onService: (url) => `使用 ${url} 的服务`,
  taskOf: (task, session) => `任务 ${task}，会话 ${session}`,
  session: (session) => `会话 ${session}`,
  answerWith: (run, chat) => `回答：${run} "<回答>"${orTalk(chat)}`,
  goOnWith: (run, chat) => `继续：${run} continue${orTalk(chat)}`,
  kept: (chat) => `会话已保留；返回：${chat}`,
  goesOn: (url) => `任务在 ${url} 的服务中继续执行`,
  goesOnLater: '任务在此停下，下次有服务或命令使用该数据目录时继续执行',
} satisfies typeof english.terminal;
