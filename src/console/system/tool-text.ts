import type { ToolView } from '../../../contracts/http.ts';
import { language } from '../text/language.ts';

/**
 * Descriptions of the built-in tools in Chinese; a test checks that none is missing. In English they come from the API.
 */
export const chineseTools: Readonly<Record<string, string>> = {
  todo: '用户的待办清单：添加、查找、修改、完成和删除待办，带标签、优先级、到期时间和提醒。',
  view: '按到期时间查看用户的待办：全部、今天、逾期、即将到来（今天之后）、收件箱（未定日期）。',
  schedule: '用户的日程：添加、查看、修改和删除日程，支持重复和提醒；时间冲突会报告。',
  planning:
    '会话作为笔记保存的命名计划，每步都有状态：创建、更新、列出、查看、激活、标记步骤、删除。它们不是正在执行的计划。',
  remember: '关于用户、以后的会话也知道的事实，例如偏好或姓名：用户要求记住，或显然以后还会用到时，记下一条。',
  internet_search: '搜索网络，给出前 3 个结果的标题、摘要和网址。',
  files: '此会话的文本文件，放在它自己的文件夹里：列出、读取、写入、追加、替换一段、删除。',
  coding_agent: '向编程代理发送命令并等待它的报告。代理在自己的文件上工作。',
};

/** A tool's description: for a built-in one in the chosen language, for any other in its own words. */
export const toolText = ({ name, source, description }: ToolView): string => {
  const isTranslated = language.value === 'zh' && source === 'built_in' && Object.hasOwn(chineseTools, name);
  return (isTranslated ? chineseTools[name] : undefined) ?? description;
};
