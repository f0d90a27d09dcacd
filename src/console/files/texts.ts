import { defineTexts } from '../text/language.ts';

export const texts = defineTexts({
  files: ['Files', '文件'],
  attach: ['Attach files', '添加文件'],
  attached: ['Files to send', '待发送的文件'],
  detach: ['Remove {0}', '移除 {0}'],
  sent: ['Sent files', '已发送的文件'],
  written: ['Files that were written', '写下的文件'],
  save: ['Save {0}', '保存 {0}'],
  lost: [
    'The files to be sent were lost as the page was loaded again: discard this, and attach them again.',
    '页面重新加载后，待发送的文件已丢失：请放弃这条，再添加一次。',
  ],
});
