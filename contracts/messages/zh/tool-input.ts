import type { toolInput as english } from '../en/tool-input.ts';

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
} satisfies typeof english;
