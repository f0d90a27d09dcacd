import { defineTexts } from './language.ts';

/** Words that several screens use. */
export const shared = defineTexts(
  {
    loading: 'Loading…',
    retry: 'Try again',
    close: 'Close',
    cancel: 'Cancel',
    more: 'Show more',
    copied: 'Copied',
    copy: 'Copy',
    save: 'Save',
    delete: 'Delete',
    state: 'State',
    raw: 'Raw',
    failedTitle: 'This could not be loaded',
    offline: 'The service does not answer. It is tried again by itself.',
    now: 'now',
  },
  {
    loading: '加载中…',
    retry: '重试',
    close: '关闭',
    cancel: '取消',
    more: '显示更多',
    copied: '已复制',
    copy: '复制',
    save: '保存',
    delete: '删除',
    state: '状态',
    raw: '原文',
    failedTitle: '无法加载',
    offline: '服务没有响应，正在自动重试。',
    now: '刚刚',
  },
);
