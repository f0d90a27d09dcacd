import { spentBudget, stepsAdded, utcMinute } from '../../task-facts.ts';
import { totalTokens } from '../../usage.ts';
import type * as english from '../en/replies.ts';
import { missionFile } from './progress.ts';

const withDetail = (text: string, detail: string | null): string => (detail === null ? text : `${text}：${detail}`);

export const replies = {
  withdrawn: '以上回答无效，已撤回。',
  confirm: (question) => `请确认：${question}`,
  unseenFiles: (names: readonly string[]) => `我无法查看 ${names.join('、')}：所用的模型不读取这类文件。`,
  takenAsNo: '我把这句话当作不同意：该操作没有执行。只有明确回答“是”才会执行。',
  leftBehind: (goal, id) => `另一个任务仍处于暂停：${goal}（发送“/resume ${id}”可继续）`,
  noAnswer: (question, id) => `这是新任务，因为问题已过期，无人回答：${question}（发送“/resume ${id}”会再次提问）`,
  cancelled: (goal) => `已取消：${goal}`,
  done: '已完成',
  why: '为什么还没结束',
  next: '接下来怎么做',
  scriptFault: (why) => `这里由脚本代替模型回答，而脚本无法继续：${why}。请修改该文件，然后发送“继续”。`,
  keyRefused: '模型服务商拒绝了密钥：需要本服务的运维人员设置有效的密钥。',
  promptCut:
    '发给模型服务器的内容超出了它的上下文，开头被悄悄截掉了。需要本服务的运维人员在运行 Ollama 的地方设置 OLLAMA_CONTEXT_LENGTH，例如 32768。',
  nothingDone: '计划中还没有完成的步骤。',
  onlyAnswerMissing: '计划的所有步骤都已完成，只差最后的答复。',
  ended: (step, result) => `${step}：${result}`,
  more: (count) => `……还有 ${count} 项`,
  underWay: (step) => `进行中：${step}`,
  lastSuccess: (action, result) => `最近一次成功：${action}：${result}`,
  left: (steps) => `还要做：${steps}`,
  paused: {
    step_limit: ({ step_count, step_limit }) => `任务已用 ${step_count} 步，上限 ${step_limit} 步。`,
    model_unavailable: () => '模型没有给出回答。',
    contract_failure: ({ replan_failures }) => `模型的重新规划连续 ${replan_failures} 次无法使用。`,
    deadlock: ({ plan_items }) =>
      `计划陷入死锁：剩下的步骤（${plan_items.filter(({ status }) => status === 'blocked').length} 项）都无法执行，每一项都在等待未完成的步骤。`,
    verification_failed: ({ verify_failures, limits }, detail) =>
      withDetail(`写入的内容未通过验证（第 ${verify_failures} 次，上限 ${limits.verify_limit} 次）`, detail),
    replan_limit: ({ replans, limits }) => `任务已重新规划 ${replans} 次，上限 ${limits.max_replans} 次。`,
    crash_loop: (_, detail) => withDetail('同一个动作一再中断', detail),
    machine_changed: () => '任务进行期间服务已更新。',
    budget_exhausted: (task, detail) => {
      const { usage, is_usage_known, token_limit, cost, cost_limit } = task;
      if (detail !== null) return withDetail('今天的配额不允许再调用模型', detail);
      if (!is_usage_known)
        return `模型服务器没有给出某次调用的 token 数，无法知道任务是否还在 ${token_limit === null ? cost_limit : `${token_limit} 个 token`} 以内。`;
      if (spentBudget(task) === 'tokens') return `任务已用 ${totalTokens(usage)} 个 token，上限 ${token_limit} 个。`;
      if (cost === null) return `有一次模型调用没有价格，无法知道任务是否还在 ${cost_limit} 以内。`;
      return `任务已花费 ${cost.amount} ${cost.currency}，上限 ${cost_limit}。`;
    },
    question_expired: ({ last_ask_user_question: question }) => `问题过期，无人回答：${question}`,
  },
  failed: ({ step_count, limits }) => `任务已用 ${step_count} 步；一个任务最多只能用 ${limits.max_total_steps} 步。`,
  toContinue: {
    step_limit: (task) => `发送“继续”最多可再用 ${stepsAdded(task)} 步。`,
    model_unavailable: () =>
      '发送“继续”再试一次，也可以稍后再发。如果还是不行，请开始一个新任务，或询问服务的管理员：原因在服务日志里。',
    contract_failure: () => '发送“继续”再试一次，或换一种说法开始新任务。',
    deadlock: () => '用 /plan 修改计划，或发送“继续”重新规划剩余部分。',
    verification_failed: () => '发送“继续”让它改正，或先自行修正。',
    replan_limit: ({ limits }) => `发送“继续”可再重新规划 ${limits.max_replans} 次。`,
    crash_loop: () => '发送“继续”再试一次。如果还是不行，请询问服务的管理员：原因在服务日志里。',
    machine_changed: () => '发送“继续”重新规划剩余部分。',
    budget_exhausted: (task) => {
      const { limits, pause_detail, cost } = task;
      if (pause_detail !== null) return '有配额后发送“继续”。';
      if (spentBudget(task) === 'tokens' && !task.is_usage_known) return '发送“继续”将不再限制 token 数。';
      if (spentBudget(task) === 'tokens') return `发送“继续”可再用 ${limits.max_task_tokens} 个 token。`;
      if (cost === null) return '发送“继续”将不再限制花费。';
      return `发送“继续”最多可再花费 ${limits.max_task_cost} ${cost.currency}。`;
    },
    question_expired: ({ expired }) => (expired === null ? '发送“继续”重新规划剩余部分。' : '发送“继续”会再次提问。'),
  },
  turnsOfDay: (turns, resetsAt) => `每天最多可以发送 ${turns} 次；新的一天从 ${resetsAt} 开始`,
  afterFailure: '这个任务已结束。把还要做的事作为新消息发送，会开始一个新任务。',
} satisfies typeof english.replies;

export const questions = {
  afterFailures: (step, inARow) => `步骤「${step}」连续失败 ${inARow} 次：`,
  afterRounds: (step, rounds) => `步骤「${step}」达到轮数上限（${rounds} 轮），仍未完成。`,
  withoutTool: (step, tools) =>
    `步骤「${step}」没有可用的工具${tools.length === 0 ? '' : `（它指定的是 ${tools.join('、')}）`}。`,
  afterUnusable: (step, inARow) => `步骤「${step}」没有进展：模型的回答连续 ${inARow} 次无法使用。`,
  whatNext: '接下来该怎么做？',
  confirmPlan: (count, plan) => `计划如下，共 ${count} 项：\n${plan}\n\n可以开始吗？（是 / 否，或说明要改什么）`,
  mayRun: (tool, input) => `可以用以下输入运行工具「${tool}」吗？\n\n${input}`,
  decidedBy: (approvers) => `等待 ${approvers} 批准。`,
  notApprover: (tool, approvers) =>
    `「${tool}」等待 ${approvers} 批准，您的回答不能代为决定。如要放弃任务，请发送 /cancel。`,
  onlyApproversTry: (tool, approvers) => `「${tool}」只有 ${approvers} 可以运行，因此没有运行。`,
  exposed: (tool) => `本任务中有工具「${tool}」从外部取得的结果。`,
  undecided: '它的审批策略无法作出决定。',
  didNotRun: (tool, input) => `可以运行「${tool}」吗？（没有运行。）输入：${input}`,
  approved: '是',
  rejected: '否',
  approvedAlways: '总是',
  edited: (input) => `是，但改用以下输入：${input}`,
  expired: '这个问题已过期，这次的回答没有采用。发送“继续”会再次提问。',
  notOpen: '这个问题已不再等待回答：已有答案，或任务已结束。这次的回答没有采用。',
  answerFirst: '这个对话中有一个问题在等待回答：请先回答它或发送 /cancel，再重新生成先前的回复。',
  planEdited: (tool) => `计划已修改，因此「${tool}」没有运行。要按修改后的计划继续吗？`,
  callGivenUp: (tool) => `计划已修改，因此「${tool}」没有继续。要按修改后的计划继续吗？`,
} satisfies typeof english.questions;

export const forms = {
  asks: (server, tool) => `服务器「${server}」为「${tool}」询问：`,
  sendsYou: (server, tool, host) =>
    `服务器「${server}」请您为「${tool}」打开 ${host} 上的一个页面。只有信任 ${host} 时才打开。`,
  wantsSignIn: (server, host) => `服务器「${server}」需要您登录。${host} 上的这个链接会带您到它的登录页面。`,
  whereItGoes: (server) => `您的回答会发送给「${server}」，请不要填写密码。回答“拒绝”则什么都不提供。`,
  sayIt: '请直接回答这个值。',
  sayAll: '请每行回答一个“字段: 值”，或者回答一个 JSON 对象。',
  thenDone: '打开之后请回答“完成”，或者“拒绝”。',
  thenSignedIn: '登录之后任务会自动继续。也可以回答“拒绝”。',
  done: '完成',
  declined: '拒绝',
  doesNotFit: (faults) => `这个回答不符合要求：\n${faults}`,
  fault: (field, fault) => `- ${field}：${fault}`,
  missing: '缺少',
  unknown: '不是这个表单的字段',
  text: '一段文字',
  number: '一个数字',
  integer: '一个整数',
  yesOrNo: '是或否',
  oneOf: (choices) => `其中之一：${choices.join('、')}`,
  someOf: (choices) => `其中若干个，用逗号分隔：${choices.join('、')}`,
  tooShort: (min) => `至少 ${min} 个字符`,
  tooLong: (max) => `最多 ${max} 个字符`,
  least: (min) => `不小于 ${min}`,
  most: (max) => `不大于 ${max}`,
  fewest: (min) => `至少选 ${min} 个`,
  atMost: (max) => `最多选 ${max} 个`,
  formats: {
    email: '一个邮箱地址',
    uri: '一个网址，例如 https://example.com',
    date: '一个日期，格式为 YYYY-MM-DD',
    'date-time': '一个时间，格式为 YYYY-MM-DDThh:mm:ssZ',
  },
  optional: '可以不填',
  otherwise: (value) => `不填则为 ${value}`,
  onlyInTask: (server) =>
    `服务器「${server}」在继续之前要询问一些内容，只有任务才能等待您的回答：请用文字提出这个要求。`,
  howToAnswer: (fields) => `请每行回答一个“字段: 值”，或者回答一个 JSON 对象。字段有：${fields.join('、')}。`,
  signedIn: (server) => `已在「${server}」登录。`,
} satisfies typeof english.forms;

export const controls = {
  nothingToCancel: '没有可以取消的任务。',
  nothingToResume: '没有已暂停的任务可以继续。',
  leftPlanUnreadable: '文件夹里的 plan.json 不是 UTF-8 或 UTF-16 编码（可能是 GBK）。请另存为 UTF-8 再继续。',
  busyWithAnother: '本会话有另一个任务正在执行或等待回答。请先完成它或 /cancel，再 /resume。',
  stillRunning: '任务已在执行中。',
  planIsInUse: '任务正在执行；只有在等待或暂停时才能修改计划。',
  planWaits: '本会话的任务在等待回答。请先回答或 /cancel，再运行计划。',
  noPlanToEdit: '本会话没有等待中或已暂停的任务，无计划可改。',
  noPlanYet: '任务还没有计划；/continue 会制定计划。',
  planIsFull: '计划已满；请先去掉一个步骤。',
  stepTooLong: (max) => `每个步骤最多 ${max} 个字符，这一个太长了。`,
  noSuchItem: '计划中没有这个编号的步骤。用 /plan 查看。',
  agentGone: (agent, agents) =>
    `本会话由智能体「${agent}」处理，而它已不在配置中。内容都还在：配置中重新有这个名字的智能体后即可继续。${agents.length === 0 ? '新会话照常可用。' : `新会话可以使用 ${agents.join('、')}。`}`,
  noSuchTask: (id) => `本会话没有任务「${id}」。`,
  notPaused: (id, state) =>
    `任务 ${id} 没有暂停，它的状态是：${state === 'running' ? '执行中' : missionFile.state[state]}。`,
  waitsForAnswer: (question) => `任务正在等待你的回答：${question}`,
  planEdited: (plan) => `计划现在是：\n${plan}`,
} satisfies typeof english.controls;

export const taskNotes = {
  unknownExecutor: (itemId, name) => `步骤 ${itemId}：没有执行者“${name}”，由 default 执行`,
  unknownTool: (itemId, tool) => `步骤 ${itemId}：没有工具“${tool}”`,
  planCut: (count, kept, max) => `计划有 ${count} 项，截短为 ${kept} 项；上限是 ${max} 项`,
  waitsFor: (step, ids) => `“${step}”在等待 ${ids.join('、')}`,
  deadlock: (waiting) => `死锁，没有步骤可以执行：${waiting.join('；')}`,
  failedAction: (tool, result) => `${tool}：${result}`,
  agentGone: (agent) => `智能体「${agent}」已不在配置中`,
  sameResult: (times) => `同一个动作 ${times} 次得到同样的结果`,
  interrupted: (times) => `开始了 ${times} 次，都没有结果`,
  machineChanged: (from, to) => `这段历史由 ${from} 写成，现在是 ${to}`,
  tokenQuotaUnknown: (limit) => `每天 ${limit} 个 token，而模型服务器不给出 token 数；请联系运维人员`,
  costQuotaUnknown: (limit, currency) =>
    `每天${currency === null ? '费用' : ''} ${limit}${currency === null ? '' : ` ${currency}`}，而有一次调用的费用未知；请联系运维人员`,
  costQuota: (spent, limit, currency, resetsAt) =>
    `今天的 ${limit} ${currency} 已花费 ${spent}；${utcMinute(resetsAt)} 起是新的一天`,
  tokenQuota: (used, limit, resetsAt) =>
    `今天的 ${limit} 个 token 已用 ${used} 个；${utcMinute(resetsAt)} 起是新的一天`,
} satisfies typeof english.taskNotes;
