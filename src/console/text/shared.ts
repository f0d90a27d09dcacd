import { defineTexts } from './language.ts';

/** Words that several screens use. */
export const shared = defineTexts({
  loading: ['Loading…', '加载中…'],
  retry: ['Try again', '重试'],
  close: ['Close', '关闭'],
  cancel: ['Cancel', '取消'],
  more: ['Show more', '显示更多'],
  copied: ['Copied', '已复制'],
  copy: ['Copy', '复制'],
  copyCode: ['Copy the code', '复制代码'],
  save: ['Save', '保存'],
  delete: ['Delete', '删除'],
  state: ['State', '状态'],
  raw: ['Raw', '原文'],
  onlyHere: ['only here:', '仅此处有：'],
  whole: ['Show the whole text', '显示全文'],
  less: ['Show less', '收起'],
  fields: [(count: number) => (count === 1 ? '1 field' : `${count} fields`), (count: number) => `${count} 个字段`],
  items: [(count: number) => (count === 1 ? '1 item' : `${count} items`), (count: number) => `${count} 项`],
  brokenPart: ['This could not be shown:', '无法显示：'],
  failedTitle: ['This could not be loaded', '无法加载'],
  offline: ['The service does not answer. Retrying.', '服务没有响应，正在自动重试。'],
  now: ['now', '刚刚'],
  continue: ['Continue', '继续'],
  approvalTitle: ['May “{0}” run?', '允许运行“{0}”吗？'],
});
