import type * as english from '../en/tools.ts';

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
} satisfies typeof english.toolCalls;

export const toolInput = {
  plainText: '纯文本，原样使用。',
  jsonOf: '符合以下模式的 JSON：',
  textOrJsonOf: (field) => `只写 ${field} 的纯文本，或符合以下模式的 JSON：`,
  missingField: (field) => `缺少 ${field}`,
  unknownField: (field) => `没有 ${field} 这个字段`,
  // The parser's own reason is in English.
  invalidJson: () => '这不是有效的 JSON',
  notAnObject: '这是 JSON，但不是对象',
  tooDeep: (levels) => `嵌套超过 ${levels} 层`,
  reservedKey: (key) => `不允许使用键“${key}”`,
  invalidField: (field, problem) => `${field}：${problem}`,
  refused: (problems, usage) => `${problems.join('；')}。\n用法：${usage}`,
} satisfies typeof english.toolInput;

export const files = {
  list: (count, bytes) => `文件：${count} 个，共 ${bytes} 字节`,
  emptyList: '没有文件。',
  line: (path, bytes, modified) => `${path}  ${bytes} 字节  ${modified}`,
  noSuchPage: (page, pages) => `没有第 ${page} 页：列表共 ${pages} 页。`,
  nextPage: (page, pages) => `（第 ${page} 页，共 ${pages} 页；下一页：--page ${page + 1}）`,
  notAllSeen: '（该文件夹中的内容过多，未全部查看。）',
  empty: (path) => `${path} 是空文件。`,
  noSuchLine: (path, line, lines) => `${path} 没有第 ${line} 行：共 ${lines} 行。`,
  part: (path, from, to, lines) => `（${path}：第 ${from} 至 ${to} 行，共 ${lines} 行）`,
  nextLine: (path, line) => `（继续读取：/files read ${path} --line ${line}）`,
  lineCut: (line, chars) => `（第 ${line} 行已截断：共 ${chars} 个字符）`,
  onlyBeginning: (path, bytes) => `（${path} 有 ${bytes} 字节，只能读取开头部分）`,
  changed: {
    write: (path, bytes) => `已写入 ${path}：${bytes} 字节。`,
    append: (path, bytes) => `已追加到 ${path}：现有 ${bytes} 字节。`,
    replace: (path, bytes) => `已替换 ${path} 中的段落：现有 ${bytes} 字节。`,
    delete: (path) => `已删除 ${path}。`,
  },
  missingPath: '缺少路径。',
  missingText: '缺少内容；空内容请写 ""。',
  missingPassages: '请给出原文和新文，各加引号。',
  passageNotFound: (path) => `${path} 中没有这段文字。`,
  passageNotUnique: (path, count, isCut) =>
    `${path} 中这段文字出现${isCut ? '至少' : ''} ${count} 次：请给出更多上下文。`,
  refused: {
    invalid_path: (path) => `“${path}”不是这里的文件路径：请用 / 分隔名称，例如 notes/today.md，不能含“..”。`,
    service_file: (path) => `${path} 由服务维护：可以读取，不能修改。`,
    not_found: (path) => `没有 ${path}。`,
    not_a_file: (path) => `${path} 不是普通文件。`,
    not_text: (path) => `${path} 不是文本文件。`,
    file_too_large: (path, max) => `${path} 超过了单个文件的上限 ${max} 字节。`,
    session_full: () => '本会话的文件已占满可用空间：请先删除一些。',
    too_many_files: () => '本会话的文件数已达上限：请先删除一些。',
    changed_meanwhile: (path) => `执行中断期间 ${path} 被其他程序修改，无法确定操作是否已完成：请先读取该文件。`,
  },
} satisfies typeof english.files;

export const namedPlans = {
  created: (plan) => `已创建。\n${plan}`,
  updated: (plan) => `已更新。\n${plan}`,
  activated: (plan) => `已设为当前。\n${plan}`,
  marked: (plan) => `已标记。\n${plan}`,
  deleted: (planId) => `已删除计划“${planId}”。`,
  refused: {
    unknown: (planId) => `没有计划“${planId}”。`,
    no_active: () => '没有当前计划，请写明计划 ID。',
    exists: (planId) => `计划“${planId}”已存在：请更新它，或换一个 ID。`,
    full: () => '本会话的计划太多，请先删除一个。',
    no_such_step: () => '该计划没有这个编号的步骤。',
  },
  heading: (title, planId, isActive) => `计划：${title}（ID：${planId}${isActive ? '，当前' : ''}）`,
  progress: (share) => `进度：${share}`,
  share: (completed, total, percent) => `已完成 ${completed}/${total} 步（${percent}%）`,
  notes: (text) => `备注：${text}`,
  list: (count) => `计划 (${count})`,
  emptyList: '没有计划。',
  wholeCommand: '命令',
  invalidField: (field, problem) => `${field} 不合要求：${problem}。`,
  unknownStatus: (given, allowed) => `“${given}”不是步骤的状态，可用的有：${allowed.join('、')}。`,
  unknownCommand: (given) => `没有命令“${given}”。`,
  missingField: (field) => `缺少 ${field}。`,
  wrongType: (field, expected) => `${field}：应为 ${expected} 类型。`,
  invalidPlanId: '要有 1 到 64 个字母、数字、_、. 或 -，并且不能只有数字',
  invalidJson: '这不是有效的 JSON。',
  missingPlanId: '缺少计划 ID。',
  missingStepNumber: '缺少步骤编号。',
  stepNumber: '步骤编号',
} satisfies typeof english.namedPlans;

export const search = {
  usage: 'internet_search <要搜索的内容>',
  missingQuery: (usage) => `缺少要搜索的内容。用法：${usage}`,
  queryTooLong: (max, usage) => `搜索内容超过 ${max} 个字符。用法：${usage}`,
  notConfigured:
    '没有配置网络搜索。请把 TRIPACT_SEARXNG_URL 设为 SearXNG 的地址，或设置 ANTHROPIC_API_KEY 使用 Anthropic 的网络搜索。',
  noSummary: '（没有摘要）',
  nothingFound: (query) => `没有找到与“${query}”有关的内容。`,
  searxng: {
    failed: (reason) => `SearXNG：${reason}`,
    jsonRefused: '它拒绝 json 格式（403）。请在它的 settings.yml 的 search.formats 中加入 "json"。',
    rateLimited: '它限制了请求频率（429）。请在它的 settings.yml 中关闭 server.limiter。',
    status: (status) => `它返回了状态码 ${status}。请检查 TRIPACT_SEARXNG_URL 和该实例。`,
    notSearchJson: '它的回答不是搜索 JSON。请确认 TRIPACT_SEARXNG_URL 指向 SearXNG。',
    silentEngines: (engines) => `它的搜索引擎没有给出结果（${engines.join('；')}）。`,
    timedOut: (seconds) => `它没有在 ${seconds} 秒内回答。`,
    unreachable: (host, detail) => `无法连接 ${host}（${detail}）。请检查 TRIPACT_SEARXNG_URL，并确认它在运行。`,
  },
  anthropic: {
    failed: (reason) => `Anthropic 网络搜索：${reason}`,
    unreadable: '无法读取它的回答。',
    keyRefused: (detail) => `密钥被拒绝（${detail}）。请检查 ANTHROPIC_API_KEY。`,
    notSupported: (detail) =>
      `该模型或服务器没有网络搜索（${detail}）。请设置 TRIPACT_SEARXNG_URL，改用 SearXNG 搜索。`,
    failedLater: (detail) => `${detail || '没有回答'}，请稍后再试。`,
    searchFailed: (code) => `搜索失败（${code}）。请换一种说法，或稍后再试。`,
    notSearched: (stopReason) => `模型没有搜索（停止原因 ${stopReason}）。请换一种说法。`,
    timedOut: (seconds) => `它没有在 ${seconds} 秒内回答。`,
  },
} satisfies typeof english.search;

export const codingAgent = {
  usage: '<用完整的句子写明要编程代理做什么>',
  headings: { description: '任务描述', constraints: '约束条件', expected: '预期输出' },
  none: '无。',
  sessionEnds: '任务已结束；这个会话不会再收到其他请求。',
  withdrawn: (commands) => `不再需要以下命令的报告：${commands.join('、')}。`,
  missingInstruction: '缺少给编程代理的指令。',
  emptyReport: '（报告没有其他内容。）',
  unreadableReport: (problem, file, text) =>
    `编程代理作了回答，但${problem}。它保存为 ${file}。${text === '' ? '' : `\n\n内容如下：\n${text}`}`,
  lateReport: (command, text) => `更早的命令 ${command} 的报告来得太迟：\n${text}`,
  noReport: (timeoutMs) =>
    `编程代理没有在 ${timeoutMs} 毫秒内提交报告。对这一步再次调用会重试；是否有编程代理在监视桥接文件夹的 commands/pending？`,
  bridgeFailed: (code) => `桥接文件夹无法使用（${code}）：请查看 TRIPACT_BRIDGE_DIR 和日志。`,
  problem: {
    not_a_file: '报告不是普通文件',
    empty: '报告是空的',
    no_front_matter: '报告没有两行“---”之间的头部信息',
    no_status: '报告没有 SUCCESS、FAILED 或 PARTIAL_SUCCESS 的状态',
    other_task: '报告的头部信息写的是另一个任务',
  },
} satisfies typeof english.codingAgent;

const uncertain = (isUncertain: boolean): string => (isUncertain ? '；结果未知，它可能已经生效' : '');

export const mcp = {
  refused: (server, reason) => `MCP 服务器“${server}”拒绝了调用：${reason}`,
  wantsInput: (server, _reason, isUncertain) =>
    `MCP 服务器“${server}”要先询问用户，这里无法做到${uncertain(isUncertain)}`,
  invalidResult: (server, reason, isUncertain) =>
    `MCP 服务器“${server}”的回答不是结果：${reason}${uncertain(isUncertain)}`,
  notCalled: (server, reason) => `无法调用 MCP 服务器“${server}”：${reason}；什么也没有调用`,
  lost: (server, reason, isUncertain) => `调用期间与 MCP 服务器“${server}”失去连接：${reason}${uncertain(isUncertain)}`,
  down: (server, reason) => `MCP 服务器“${server}”不可用：${reason}；什么也没有调用`,
  oneOf: (options) => `可选：${options.join(' · ')}；也可以另作回答`,
} satisfies typeof english.mcp;
