import type { fixedLimits, LimitView, LimitName as ServiceLimitName } from '../../../contracts/service-limits.ts';
import { request } from '../api/request.ts';
import { LoadedPart, Table } from '../design/loaded.tsx';
import { Meter } from '../design/meter.tsx';
import { defineTexts, language } from '../text/language.ts';
import { formatBytes, formatNumber } from '../text/numbers.ts';
import { texts } from './texts.ts';

/** Every limit with a row in `GET /v1/limits`. */
type LimitName = ServiceLimitName | keyof typeof fixedLimits;

/** Unit and reason of each limit in Chinese; a missing one does not compile. In English they come from the API. */
export const chineseLimits: Record<LimitName, readonly [unit: string, reason: string]> = {
  requests_per_second: ['次请求/秒', '超出一个调用方所需。'],
  waiting_requests: ['个请求', '每个都占着一个连接；“Prefer: respond-async”则不占用。'],
  waiting_seconds: ['秒', '轮次会继续；请到它的 Location 查询。'],
  event_streams: ['条事件流', '每条都占着一个连接，并读取每条记录。'],
  replays: ['个同时进行的重放', '每个在运行时占用一个进程。'],
  reruns: ['次重跑同时进行', '每次都会询问模型并运行任务。'],
  sessions: ['个会话', '一直保留，直到被 TRIPACT_RETENTION_DAYS 或 tripact prune 清除。'],
  running_tasks: ['个任务', '每个都在内存中，等待模型或工具。'],
  unfinished_turns: ['个轮次', '等待或运行中的轮次，合计你的所有会话。'],
  queued_turns: ['个轮次', '每个都要等待之前的所有任务。'],
  tool_runs: ['次同时试用工具', '每次都可能占用一个进程，直到超时。'],
  pending_callbacks: ['个轮次', '接收方缓慢或不在时，回调会积压。'],
  session_turns: ['个轮次', '命令也计入；请在新会话中继续。'],
  session_entries: ['条轨迹记录', '超出后不再开始新任务，也不再有提醒。'],
  session_files: ['个文件', '每次写入和列出都要查看所有文件。'],
  session_file_bytes: ['字节的文件', '超出后 files 工具不再写入。'],
  kept_calls: ['个模型调用', '无论如何都会在 TRIPACT_KEEP_PROMPTS 天后删除。'],
  fork_entries: ['条历史记录', '分叉在同一次提交中为每条写入一行。'],
  database_bytes: ['字节', '超出后不再保存新内容，直到旧会话被清除。'],
  request_bytes: ['字节', '请求体作为整体解析。'],
  turn_file_bytes: ['字节/文件', '模型提供方不接受更大的文件。'],
  front_end_bytes: ['字节', '聊天前端的请求包含整个对话。'],
  input_bytes: ['字节', '一个轮次是一条消息，不是一个文件。'],
  replay_bytes: ['字节', '轨迹作为整体重放。'],
  named_plans: ['个计划', '每次列出都显示全部。'],
  todos: ['个待办', '每次列出都要排序全部，包括已完成的。'],
  schedule_events: ['个日程', '每次列出都要读取全部。'],
};

/** A limit's words in the chosen language. A limit unknown to this console has the API's words. */
export const limitText = ({ name, unit, reason }: LimitView): { unit: string; reason: string } => {
  const chinese = language.value === 'zh' ? chineseLimits[name as LimitName] : undefined;
  return { unit: chinese?.[0] ?? unit, reason: chinese?.[1] ?? reason };
};

/** Per what a limit counts. */
const scopeTexts = defineTexts<Record<LimitView['scope'], readonly [string, string]>>({
  service: ['service', '服务'],
  owner: ['owner', '所有者'],
  session: ['session', '会话'],
  request: ['request', '请求'],
});

/** The consequence of reaching a limit. */
const atLimitTexts = defineTexts<Record<LimitView['at_limit'], readonly [string, string]>>({
  429: ['429, try later', '429，稍后再试'],
  413: ['413, too large', '413，过大'],
  503: ['503, try later', '503，稍后再试'],
  202: ['202, ask again', '202，稍后查询'],
  refused: ['an error', '报错'],
  oldest_dropped: ['the oldest are dropped', '丢弃最旧的'],
});

/** A unit that counts bytes; large numbers are shown in larger units. */
const BYTES = /^(?:bytes|字节)\s?/;

const amount = ({ unit }: LimitView, value: number): string =>
  BYTES.test(unit) ? formatBytes(value) : formatNumber.value(value);

const Used = ({ limit }: { limit: LimitView }) => {
  if (limit.used === null) return <span class="muted">–</span>;
  const used = amount(limit, limit.used);
  const label = `${used} / ${amount(limit, limit.limit)} ${limitText(limit).unit}`;
  return (
    <>
      {used}
      {limit.used > 0 && <Meter label={label} used={limit.used} limit={limit.limit} />}
    </>
  );
};

const Most = ({ limit }: { limit: LimitView }) => (
  <span title={formatNumber.value(limit.limit)}>
    {amount(limit, limit.limit)} <span class="muted">{limitText(limit).unit.replace(BYTES, '')}</span>
  </span>
);

/** How much of a limit is in use; below zero: it is not counted. */
const shareOf = ({ used, limit }: LimitView): number => (used === null ? -1 : used / limit);

/** Every limit with its current usage, those first that are used most. */
export const LimitsPart = () => (
  <LoadedPart load={(signal) => request<{ limits: LimitView[] }>('/v1/limits', { signal })}>
    {({ limits }) => (
      <Table
        label={texts.value.limits}
        items={limits.toSorted((one, other) => shareOf(other) - shareOf(one))}
        columns={[
          [texts.value.name, ({ name }) => <code>{name}</code>],
          [texts.value.used, (limit) => <Used limit={limit} />, 'numbers'],
          [texts.value.limit, (limit) => <Most limit={limit} />],
          [texts.value.scope, ({ scope }) => scopeTexts.value[scope]],
          [texts.value.atLimit, ({ at_limit }) => atLimitTexts.value[at_limit]],
          [texts.value.why, (limit) => <span class="muted">{limitText(limit).reason}</span>],
        ]}
      />
    )}
  </LoadedPart>
);
