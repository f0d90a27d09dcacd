import type { fixedLimits } from '../../../contracts/fixed-limits.ts';
import type { LimitView } from '../../../contracts/limit-views.ts';
import type { LimitName as ServiceLimitName } from '../../../contracts/service-limits.ts';
import { defineTexts } from '../text/define-texts.ts';
import { language } from '../text/language.ts';

/** Every limit that `GET /v1/limits` has a row for. */
export type LimitName = ServiceLimitName | keyof typeof fixedLimits | 'steps';

/** What is shown of a limit in words. */
export interface LimitText {
  unit: string;
  reason: string;
}

/** The limits in Chinese; one that is missing does not compile. In English they are as the API words them. */
export const chineseLimits: Record<LimitName, LimitText> = {
  connections: { unit: '个连接', reason: '每个打开的连接都占用一个文件描述符和缓冲区。' },
  requests_per_second: { unit: '次请求/秒', reason: '足够一个调用方使用，又不影响其他调用方；短时间内可达两倍。' },
  receiving_bytes: {
    unit: '字节的请求',
    reason: '仍在接收的请求体保存在内存中：按声明的长度计算，没有声明则按已收到的计算。',
  },
  receiving_bytes_in_all: { unit: '字节的请求', reason: '所有所有者合计的上限。' },
  answering_bytes: {
    unit: '字节的请求',
    reason: '请求体保留到回复结束：聊天前端会发送整个对话，而轮次可能很久。',
  },
  answering_bytes_in_all: { unit: '字节的请求', reason: '所有所有者合计的上限；读出的内容最多占两倍。' },
  waiting_requests: {
    unit: '个请求',
    reason: '轮次运行时，每个请求都占着一个连接。发送“Prefer: respond-async”则不占用。',
  },
  waiting_seconds: { unit: '秒', reason: '更久的任务请到它的 Location 查询；轮次本身会继续。' },
  event_streams: { unit: '条事件流', reason: '每条都占着一个连接，并读取其会话的每条记录；它们可能在同一刻全部断开。' },
  event_streams_in_all: { unit: '条事件流', reason: '所有所有者合计的上限，为普通请求留出连接。' },
  replays: { unit: '个同时进行的重放', reason: '让一个所有者不占满；上传过慢的轨迹会以 408 中断。' },
  replays_in_all: { unit: '个同时进行的重放', reason: '每个都把轨迹中的任务放在内存里，并与其他工作轮流执行。' },
  replay_bytes: { unit: '字节', reason: '轨迹以流的方式读取，所以这里限制的是时间而不是内存。' },
  replay_tasks: { unit: '个任务', reason: '轨迹中的每个任务都保留在内存中直到结束，约 7 KB。' },
  queued_turns: { unit: '个轮次', reason: '每个都要等待之前的所有任务，并随会话保存在内存中。' },
  tool_runs: { unit: '次同时试用工具', reason: '每次都可能占用一个进程或连接，直到超时。' },
  owner_tool_runs: { unit: '次同时试用工具', reason: '合计你的所有会话。' },
  session_turns: { unit: '个轮次', reason: '命令及其幂等键也计入；没有人会读更长的对话，请在新会话中继续。' },
  session_entries: { unit: '条轨迹记录', reason: '超出后不再开始新任务：从头跟随的人要读完所有记录。' },
  session_file_bytes: {
    unit: '字节的文件',
    reason: '任务在其文件夹中保存的文本；超出后，无论其余由谁写入，files 工具都不再写入。',
  },
  session_files: { unit: '个文件', reason: '每次写入和列出都要查看所有文件。' },
  sessions: {
    unit: '个会话',
    reason: '每个会话连同其文件夹一直保留，直到被 TRIPACT_RETENTION_DAYS 或 tripact prune 清除。',
  },
  running_tasks: { unit: '个任务', reason: '每个都在内存中，各自等待模型或工具。' },
  forks: { unit: '个分叉会话', reason: '每个分叉开始时，历史中的每条记录都占一行。' },
  fork_entries: { unit: '条历史记录', reason: '每条在同一次提交中占一行，其他写入都要等它。' },
  kept_calls: { unit: '次模型调用', reason: '压缩保存的提示和回答；无论如何在 TRIPACT_KEEP_PROMPTS 天后删除。' },
  unfinished_turns: { unit: '轮次', reason: '等待或运行中的轮次保存在内存中，合计你的所有会话。' },
  bridge_files: {
    unit: '个文件',
    reason: '编程代理已处理完的命令和报告；无论如何都会在 TRIPACT_RETENTION_DAYS 天后删除。任务仍可能读取的会保留。',
  },
  pending_callbacks: { unit: '个轮次', reason: '接收方缓慢或不在时，回调会积压。' },
  pending_webhook_events: {
    unit: '个事件',
    reason: '接收方可能几小时不在，没有调用方需要为此等待：最旧的会被放弃。',
  },
  callback_posts: { unit: '次回调发送', reason: '八次发送约需四小时；之后列为已放弃，可以再次发送。' },
  database_bytes: { unit: '字节', reason: '保存的全部内容；超出后不再保存新内容，直到旧会话被清除。' },
  steers: { unit: '个输入', reason: '任务最多保留这么多补充说明，每一条都会给模型看。' },
  input_bytes: { unit: '字节', reason: '一个轮次是一条消息，不是一个文件。' },
  model_response_bytes: {
    unit: '字节',
    reason: '服务商的响应整体读取；超出时视为没有回答，先重试调用。',
  },
  mcp_message_bytes: { unit: '字节', reason: 'MCP 服务器的消息会整体解析；超出时调用失败。' },
  front_end_values: { unit: '个值', reason: '聊天前端的请求含整个对话，并整体解析；最多 2 MiB、1,000 层。' },
  file_bytes: { unit: '字节', reason: 'files 工具整体读写一个文件。' },
  plan_files: {
    unit: '个文件',
    reason: '先前任务的 plan.<task_id>.json，计入会话的文件数；任务自身始终有其计划。',
  },
  named_plans: { unit: '个计划', reason: '每次列出都显示全部。' },
  todos: { unit: '个待办', reason: '每次列出都要排序全部，包括已完成的。' },
  schedule_events: { unit: '个日程', reason: '每次列出都要读取全部，包括过去的。' },
  repeating_events: { unit: '个日程', reason: '每次查看都要计算它们的所有时间。' },
  reminders: { unit: '个提醒', reason: '每个未到的提醒都是服务将要写入的一个事件。' },
  remembered_conversations: {
    unit: '个回复',
    reason: '只有没有会话 id 的前端需要；更早的对话会在新会话中继续。',
  },
  callbacks_kept: {
    unit: '个回调',
    reason: '一半是已送达的，一半是已放弃的；webhook 另有同样多。它们也会随会话删除。',
  },
  usage_days: { unit: '天', reason: '一年以前的用量不会出现在任何未来的账单里。' },
  jwks_bytes: { unit: '字节', reason: '令牌签发方的密钥保存在内存中，并一次解析。' },
  owner_quotas: { unit: '个配额', reason: '所有者每天可用的量，有配额的各占一个。' },
  access_keys: {
    unit: '个密钥',
    reason: '每个密钥对应一个调用方；过期的仍计入一个月。调用方更多时，请使用签发方的令牌。',
  },
  observations: { unit: '条观察', reason: '更早的在轨迹中，而且没有提示会显示这么多。' },
  abandoned_items: { unit: '个计划项 id', reason: '计划仍在等待的会保留。' },
  past_items: { unit: '个计划项', reason: '多于通常限额下一个任务能完成的数量。' },
  steps: { unit: '步预算', reason: '每步可能花费一次模型调用；任务每 TRIPACT_MAX_STEPS 步暂停一次，到此上限则失败。' },
};

/** A limit in the chosen language; one that this console does not know yet is as the API words it. */
export const limitText = ({ name, unit, reason }: LimitView): LimitText => {
  const known = Object.hasOwn(chineseLimits, name) ? chineseLimits[name as LimitName] : undefined;
  return language.value === 'zh' && known !== undefined ? known : { unit, reason };
};

/** Whose count a limit is. */
export const scopeTexts = defineTexts<Record<LimitView['scope'], string>>(
  { service: 'service', owner: 'owner', session: 'session', task: 'task', request: 'request' },
  { service: '服务', owner: '所有者', session: '会话', task: '任务', request: '请求' },
);

/** What one gets beyond a limit. */
export const atLimitTexts = defineTexts<Record<LimitView['at_limit'], string>>(
  {
    429: '429, try later',
    413: '413, too large',
    503: '503, try later',
    202: '202, ask again',
    refused: 'an error',
    pause: 'the task pauses',
    closed: 'closed',
    oldest_dropped: 'the oldest go',
    given_up: 'given up',
  },
  {
    429: '429，稍后再试',
    413: '413，过大',
    503: '503，稍后再试',
    202: '202，稍后查询',
    refused: '报错',
    pause: '任务暂停',
    closed: '关闭连接',
    oldest_dropped: '丢弃最旧的',
    given_up: '放弃',
  },
);
