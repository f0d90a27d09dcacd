import type { fixedLimits, LimitView, LimitName as ServiceLimitName } from '../../../contracts/service-limits.ts';
import { listLimits } from '../api/service-routes.ts';
import { LoadedPart, Table } from '../design/loaded.tsx';
import { Meter } from '../design/meter.tsx';
import { defineTexts, language } from '../text/language.ts';
import { formatBytes, formatNumber } from '../text/numbers.ts';
import { texts } from './texts.ts';

/** Every limit that `GET /v1/limits` has a row for. */
export type LimitName = ServiceLimitName | keyof typeof fixedLimits;

/** The words of a limit. */
export interface LimitText {
  unit: string;
  reason: string;
}

/** The limits in Chinese; one that is missing does not compile. In English they are as the API words them. */
export const chineseLimits: Record<LimitName, LimitText> = {
  requests_per_second: { unit: '次请求/秒', reason: '足够一个调用方使用，又不影响其他调用方。' },
  waiting_requests: {
    unit: '个请求',
    reason: '轮次运行时，每个请求都占着一个连接。发送“Prefer: respond-async”则不占用。',
  },
  waiting_seconds: { unit: '秒', reason: '更久的任务请到它的 Location 查询；轮次本身会继续。' },
  event_streams: { unit: '条事件流', reason: '每条都占着一个连接，并读取其会话的每条记录。' },
  replays: { unit: '个同时进行的重放', reason: '每个都占用一个工作线程。' },
  sessions: {
    unit: '个会话',
    reason: '每个会话连同其文件夹一直保留，直到被 TRIPACT_RETENTION_DAYS 或 tripact prune 清除。',
  },
  running_tasks: { unit: '个任务', reason: '每个都在内存中，各自等待模型或工具。' },
  unfinished_turns: { unit: '个轮次', reason: '等待或运行中的轮次保存在内存中，合计你的所有会话。' },
  queued_turns: { unit: '个轮次', reason: '每个都要等待之前的所有任务。' },
  tool_runs: { unit: '次同时试用工具', reason: '每次都可能占用一个进程或连接，直到超时。' },
  pending_callbacks: { unit: '个轮次', reason: '接收方缓慢或不在时，回调会积压。' },
  session_turns: { unit: '个轮次', reason: '命令也计入；没有人会读更长的对话，请在新会话中继续。' },
  session_entries: { unit: '条轨迹记录', reason: '超出后不再开始新任务：从头跟随的人要读完所有记录。' },
  session_files: { unit: '个文件', reason: '每次写入和列出都要查看所有文件。' },
  session_file_bytes: {
    unit: '字节的文件',
    reason: '任务在其文件夹中保存的文本；超出后，无论其余由谁写入，files 工具都不再写入。',
  },
  fork_entries: { unit: '条历史记录', reason: '每条在同一次提交中占一行，其他写入都要等它。' },
  database_bytes: { unit: '字节', reason: '保存的全部内容；超出后不再保存新内容，直到旧会话被清除。' },
  request_bytes: { unit: '字节', reason: '请求体作为整体解析。' },
  front_end_bytes: { unit: '字节', reason: '聊天前端的请求包含整个对话。' },
  input_bytes: { unit: '字节', reason: '一个轮次是一条消息，不是一个文件。' },
  replay_bytes: { unit: '字节', reason: '轨迹作为整体重放。' },
  named_plans: { unit: '个计划', reason: '每次列出都显示全部。' },
  todos: { unit: '个待办', reason: '每次列出都要排序全部，包括已完成的。' },
  schedule_events: { unit: '个日程', reason: '每次列出都要读取全部，包括过去的。' },
  kept_calls: {
    unit: '个模型调用',
    reason: '压缩保存的提示与回答；无论如何都会在 TRIPACT_KEEP_PROMPTS 天后删除。',
  },
};

/** A limit in the chosen language; one that this console does not know yet is as the API words it. */
export const limitText = ({ name, unit, reason }: LimitView): LimitText => {
  const known = Object.hasOwn(chineseLimits, name) ? chineseLimits[name as LimitName] : undefined;
  return language.value === 'zh' && known !== undefined ? known : { unit, reason };
};

/** Whose count a limit is. */
export const scopeTexts = defineTexts<Record<LimitView['scope'], string>>({
  service: ['service', '服务'],
  owner: ['owner', '所有者'],
  session: ['session', '会话'],
  request: ['request', '请求'],
});

/** The consequence of a limit. */
export const atLimitTexts = defineTexts<Record<LimitView['at_limit'], string>>({
  429: ['429, try later', '429，稍后再试'],
  413: ['413, too large', '413，过大'],
  503: ['503, try later', '503，稍后再试'],
  202: ['202, ask again', '202，稍后查询'],
  refused: ['an error', '报错'],
  oldest_dropped: ['the oldest go', '丢弃最旧的'],
});

/** A unit that counts bytes, which are shown in larger units where there are many. */
const BYTES = /^(?:bytes|字节)\s?/;

const amount = (limit: LimitView, value: number): string =>
  BYTES.test(limit.unit) ? formatBytes(value) : formatNumber.value(value);

const Used = ({ limit }: { limit: LimitView }) => {
  if (limit.used === null) return <span class="muted">–</span>;
  const used = amount(limit, limit.used);
  return (
    <>
      {used}
      <Meter
        label={`${used} / ${amount(limit, limit.limit)} ${limitText(limit).unit}`}
        used={limit.used}
        limit={limit.limit}
      />
    </>
  );
};

const Most = ({ limit }: { limit: LimitView }) => (
  <span title={formatNumber.value(limit.limit)}>
    {amount(limit, limit.limit)} <span class="muted">{limitText(limit).unit.replace(BYTES, '')}</span>
  </span>
);

/** Everything that grows, what of it is in use, and where it ends. */
export const LimitsPart = () => (
  <LoadedPart load={listLimits}>
    {({ limits }) => (
      <Table
        label={texts.value.limits}
        items={limits}
        columns={[
          [texts.value.name, ({ name }) => <code>{name}</code>],
          [texts.value.used, (limit) => <Used limit={limit} />],
          [texts.value.limit, (limit) => <Most limit={limit} />],
          [texts.value.scope, ({ scope }) => scopeTexts.value[scope]],
          [texts.value.atLimit, ({ at_limit }) => atLimitTexts.value[at_limit]],
          [texts.value.why, (limit) => <span class="muted">{limitText(limit).reason}</span>],
        ]}
      />
    )}
  </LoadedPart>
);
