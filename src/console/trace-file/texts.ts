import { defineTexts } from '../text/language.ts';

/** Texts of the screen that opens trace files. */
export const fileTexts = defineTexts({
  hint: [
    'A trace file can also be dropped here: NDJSON from “tripact trace” or GET /v1/tasks/{id}/trace, or a task saved as a page. It is replayed in this browser and sent nowhere.',
    '也可以把轨迹文件拖到这里：“tripact trace”或 GET /v1/tasks/{id}/trace 的 NDJSON，或由任务保存的网页。文件只在此浏览器中重放，不会发送到任何地方。',
  ],
  choose: ['Open a trace file', '打开轨迹文件'],
  demo: ['Load the demo task', '载入示例任务'],
  another: ['Another file', '换一个文件'],
  close: ['Close the file', '关闭文件'],
  reading: ['Reading {0}: {1} %', '正在读取 {0}：{1}%'],
  refused: ["{0} can't be opened", '无法打开 {0}'],
  tooLarge: [
    'It is larger than {0} MiB. Extract the trace of a single task.',
    '文件大于 {0} MiB。请只取其中一个任务的轨迹。',
  ],
  empty: ['It has no entries.', '其中没有任何记录。'],
  pageWithoutTrace: [
    'It is a page, but not one that “Share” saved: it contains no trace.',
    '这是一个网页，但不是由任务的“导出”保存的：其中没有轨迹。',
  ],
  pageCut: [
    'The page ends in the middle of its trace. Save it again, or use the complete file.',
    '网页在轨迹中途结束。请重新保存，或使用完整的文件。',
  ],
  notReadable: ['Entry {0} does not belong to a trace. {1}', '第 {0} 条不是轨迹记录。{1}'],
  replays: ['{0} entries; the machine gives the same result for each', '{0} 条记录，状态机在每一条上都得出相同结果'],
  unchained: [
    '· {0} without a chain: changes of what they say would not be found',
    '· 其中 {0} 条没有链：改动内容不会被发现',
  ],
  tabs: ['Contents of the trace', '轨迹内容'],
  noPlan: ['There is no plan yet here', '此处还没有计划'],
  noTask: ['There is no task in this trace', '此轨迹中没有任务'],
});

/** The trace code's messages for a refused line, and their translations. */
const texts = defineTexts({
  notJson: [() => 'it is not a complete JSON value', () => '它不是一个完整的 JSON 值'],
  version: ['it has version {0}; this console reads version {1}', '它的版本是 {0}；此控制台读取版本 {1}'],
  shape: ['it does not have the format of an entry: {0}', '它不是轨迹记录的格式：{0}'],
});

const known = [
  [/: it is not a complete JSON value$/, 'notJson'],
  [/: it has version (\S+); this service reads version (\d+)$/, 'version'],
  [/is not readable: ([\s\S]+)$/, 'shape'],
] as const;

/** Why a line of a trace is refused, in the chosen language; `message` is the trace code's own. */
export const refusalText = (message: string): string => {
  for (const [pattern, name] of known) {
    const found = pattern.exec(message);
    const write: (...found: string[]) => string = texts.value[name];
    if (found !== null) return write(...found.slice(1));
  }
  return message;
};
