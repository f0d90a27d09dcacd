import type { Language } from '../../../contracts/text.ts';

const textsIn = (language: Language) => {
  const say = <Text>(english: Text, chinese: Text): Text => (language === 'zh' ? chinese : english);
  return {
    summary: say(
      'Facts about the user that later sessions know too, such as a preference or a name: keep one when the user asks for it or will clearly need it again.',
      '关于用户、以后的会话也知道的事实，例如偏好或姓名：用户要求记住，或显然以后还会用到时，记下一条。',
    ),
    fact: say('<fact>', '<事实>'),
    usage: {
      add: say('/memory add <fact>', '/memory add <事实>'),
      list: '/memory list',
      delete: say('/memory delete <id>...', '/memory delete <编号>…'),
    },
    added: (line: string) => say(`Remembered ${line}`, `已记住 ${line}`),
    alreadyKnown: (line: string) => say(`Already known: ${line}`, `早已记住：${line}`),
    deleted: (line: string) => say(`Forgot ${line}`, `已忘记 ${line}`),
    notFound: (id: string) => say(`There is no fact ${id}.`, `没有事实 ${id}。`),
    missingText: say('The fact is missing.', '缺少要记住的内容。'),
    tooLong: (max: number) => say(`A fact has at most ${max} characters.`, `一条事实最多 ${max} 个字符。`),
    full: (max: number) =>
      say(
        `There are ${max} facts already: delete some first, with /memory delete.`,
        `已有 ${max} 条事实：请先用 /memory delete 删除一些。`,
      ),
    list: say('Memory', '记忆'),
    emptyList: say('Nothing is remembered.', '没有记住任何事。'),
  };
};

const texts = { en: textsIn('en'), zh: textsIn('zh') };

export const memoryMessages = (language: Language) => texts[language];
