import type * as english from '../en/tools.ts';

export const toolCalls = {
  timedOut: (tool, timeoutMs) => `${tool} 没有在 ${timeoutMs} 毫秒内完成`,
  mayHaveRun: (text) => `${text}；结果未知，它可能已经生效`,
  fileNotKept: (why: string) => `[结果中的一个文件未保存：${why}]`,
  unknownTool: (tool) => `工具“${tool}”已不可用`,
  denied: (tool, reason) => `${tool} 没有运行：审批策略拒绝了这次调用${reason === undefined ? '' : `：${reason}`}`,
  notBesideOthers: (tool) => `工具“${tool}”不能再与其他工具同时调用；请单独调用`,
  asksAlone: (tool) => `工具“${tool}”需要询问用户：请单独调用`,
  changedNothing: (tool, reason) => `${tool} 失败，没有作任何改变：${reason}`,
  failed: (tool, reason) => `${tool} 失败：${reason}`,
  interrupted: '结果未知：执行期间服务停止了，而它不会执行第二次；重做之前请先检查',
  noOutput: '已完成；工具没有返回内容。',
  failedWithoutReason: '工具没有说明原因',
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
  longSchema: (chars) => `JSON，其模式有 ${chars} 个字符，见工具列表（GET /v1/tools）。`,
  missingField: (field) => `缺少 ${field}`,
  unknownField: (field) => `没有 ${field} 这个字段`,
  // The parser's own reason is in English.
  invalidJson: () => '这不是有效的 JSON',
  notAnObject: '这是 JSON，但不是对象',
  roundedNumber: '其中有位数超出 JSON 精度的数字：请写成字符串',
  tooDeep: (levels) => `嵌套超过 ${levels} 层`,
  reservedKey: (key) => `不允许使用键“${key}”`,
  invalidField: (field, problem) => `${field}：${problem}`,
  refused: (problems, usage) => `${problems.join('；')}。\n用法：${usage}`,
} satisfies typeof english.toolInput;

const uncertain = (isUncertain: boolean): string => (isUncertain ? '；结果未知，它可能已经生效' : '');

export const mcp = {
  refused: (server, reason) => `MCP 服务器“${server}”拒绝了调用：${reason}`,
  notCalled: (server, reason) => `无法调用 MCP 服务器“${server}”：${reason}；什么也没有调用`,
  lost: (server, reason, isUncertain) => `调用期间与 MCP 服务器“${server}”失去连接：${reason}${uncertain(isUncertain)}`,
  askedAndLost: (server, isUncertain) =>
    `MCP 服务器“${server}”询问时所用的连接已断开，无法把回答交给它${uncertain(isUncertain)}`,
  cannotAsk: (server, reason) => `MCP 服务器“${server}”询问的内容无法向用户询问：${reason}`,
  declined: (server) => `用户拒绝了 MCP 服务器“${server}”的要求，因此什么也没有调用`,
  noSignInPossible: (server) =>
    `MCP 服务器“${server}”要求登录，而本服务没有提供登录：运维人员没有设置 TRIPACT_SECRET_KEY；什么也没有调用`,
  signedIn: (server, tools) =>
    `用户已在 MCP 服务器“${server}”登录。它的工具：${tools.join('、') || '无'}。重新规划后即可使用。`,
  moreRights: (rights) =>
    rights === '' ? '它需要比您已授予的更多的权限。' : `它需要比您已授予的更多的权限：${rights}`,
  notSignedIn: (server) => `用户没有在 MCP 服务器“${server}”登录，因此什么也没有调用`,
  roundedNumber: '（被 JSON 舍入的数字：服务器应把它写成字符串）',
  somethingElse: '其他',
  other: '如果是其他，请写下您的回答',
} satisfies typeof english.mcp;

export const fileRefusals = {
  invalid_path: (path) => `“${path}”不是这里的文件路径：请用 / 分隔名称，例如 notes/today.md，不能含“..”。`,
  service_file: (path) => `${path} 由服务维护：可以读取，不能修改。`,
  not_found: (path) => `没有 ${path}。`,
  not_a_file: (path) => `${path} 不是普通文件。`,
  not_text: (path) => `${path} 不是文本文件。`,
  file_too_large: (path, max) => `${path} 超过了单个文件的上限 ${max} 字节。`,
  session_full: () => '本会话的文件已占满可用空间：请先删除一些。',
  too_many_files: () => '本会话的文件数已达上限：请先删除一些。',
} satisfies typeof english.fileRefusals;

export const signIn = {
  title: (server) => `在 ${server} 登录`,
  whose: (owner, server) => `「${server}」将以您登录的身份为本服务的账户「${owner}」工作。只有这个账户是您的，才继续。`,
  key: '您在本服务的密钥或令牌',
  goOn: '继续',
  goTo: (host) => `继续前往 ${host}`,
  notYours: '这不能证明该账户属于您。',
  done: (server) => `您已在 ${server} 登录`,
  goBack: '可以关闭本页面。等待登录的任务会继续。',
  notDone: '您没有登录',
  refused: {
    invalid: '没有这样的登录。请重新获取链接。',
    expired: '等待的时间太长了。请重新打开链接。',
    used: '这次登录已经结束：已完成，或已重新开始。请重新打开链接。',
    other_browser: '这次登录是在另一个浏览器中开始的，只能在那里完成。',
  },
  issuerFailed: '服务器没有让您登录，或者无法访问。请重新打开链接；原因见服务的日志。',
} satisfies typeof english.signIn;
