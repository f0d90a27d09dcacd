import type { Language } from '../../../contracts/text.ts';

const english = {
  summary: 'Reads a skill: how to do one kind of work. With "file" it reads a file of that skill.',
  skill: 'The name of the skill.',
  file: 'A file that the skill names, by its path in it.',
  unknown: (name: string, names: readonly string[]) => `There is no skill "${name}". Skills: ${names.join(', ')}.`,
  noFile: (skill: string, file: string, files: readonly string[]) =>
    files.length === 0
      ? `The skill ${skill} has no files beside its text, so there is no "${file}".`
      : `The skill ${skill} has no file "${file}". Its files: ${files.join(', ')}.`,
  notText: (skill: string, file: string, bytes: number) =>
    `"${file}" of the skill ${skill} cannot be read: it is no text of at most ${bytes} bytes.`,
  files: (files: readonly string[]) => `[Files of this skill, which "file" reads: ${files.join(', ')}]`,
};

const chinese: typeof english = {
  summary: '读取一项技能：如何完成某一类工作。加上 "file" 则读取该技能的一个文件。',
  skill: '技能的名称。',
  file: '技能提到的文件，用它在技能中的路径。',
  unknown: (name, names) => `没有名为“${name}”的技能。现有技能：${names.join('、')}。`,
  noFile: (skill, file, files) =>
    files.length === 0
      ? `技能 ${skill} 除正文外没有其他文件，因此没有“${file}”。`
      : `技能 ${skill} 没有文件“${file}”。它的文件：${files.join('、')}。`,
  notText: (skill, file, bytes) => `无法读取技能 ${skill} 的“${file}”：它不是不超过 ${bytes} 字节的文本。`,
  files: (files) => `[本技能的文件，可用 "file" 读取：${files.join('、')}]`,
};

export const skillMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
