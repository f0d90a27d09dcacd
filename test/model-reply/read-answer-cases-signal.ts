import type { ReadThought } from '../../src/models/reply/parse-model-reply.ts';
import type { ReadCase } from './read-answer-case.ts';

const done = { status: 'done', current_step: null, next_action: null, question: null, response: null } as const;
const stepDone: ReadThought = { ...done, signal: 'step_done' };
const replan: ReadThought = { ...done, outcome: 'blocked', signal: 'replan' };
const blocked: ReadThought = { ...done, outcome: 'blocked', signal: 'blocked' };

export const signalledThoughts: ReadCase<ReadThought>[] = [
  {
    name: '[完成] after a Chinese conclusion',
    text: '会议已安排在周五。\r\n[完成]',
    reader: 'signal',
    answer: { ...stepDone, response: '会议已安排在周五。' },
  },
  {
    name: 'a mark after thinking, which is no part of the conclusion',
    text: '<think>secret {"status":"continue"}</think>All good.\nSTEP_DONE',
    reader: 'signal',
    answer: { ...stepDone, response: 'All good.' },
  },
  { name: 'a control object', text: '{"control":"step_done"}', reader: 'signal', answer: stepDone },
  {
    name: 'a control object with a reason',
    text: '{"control":"BLOCKED","reason":"no login","attempts":3}',
    reader: 'signal',
    answer: { ...blocked, response: 'no login' },
  },
  ...['[DONE]', '**[Done]**', '`[Done]`', '【完成】', '[step-done]'].map(
    (mark): ReadCase<ReadThought> => ({
      name: `${mark} at the end of a line`,
      text: `Checked.\nThe mail is sent. ${mark}`,
      reader: 'signal',
      answer: { ...stepDone, response: 'Checked.\nThe mail is sent.' },
    }),
  ),
  ...[
    'Done',
    'done.',
    '**Done**',
    'STEP_DONE',
    'step done!',
    'Step-Done',
    '完成',
    '已完成。',
    '步骤完成',
    '✅ STEP_DONE',
    '<STEP_DONE>',
    '步骤已完成',
    '[任务完成]',
    '✅ Done',
    'Task completed.',
  ].map(
    (mark): ReadCase<ReadThought> => ({
      name: `${mark} as the last line`,
      text: `The mail is sent.\n${mark}`,
      reader: 'signal',
      answer: { ...stepDone, response: 'The mail is sent.' },
    }),
  ),
  ...['[Blocked]', '[FAILED]', '【失败】', '（无法完成）', 'Blocked', 'failed.', '失败', '无法完成。'].map(
    (mark): ReadCase<ReadThought> => ({
      name: `${mark} after its reason`,
      text: `There is no login.\n${mark}`,
      reader: 'signal',
      answer: { ...blocked, response: 'There is no login.' },
    }),
  ),
  ...['[REPLAN]', '重新规划', 'replan.', '需要重新规划', '🔄 REPLAN', '<replan/>'].map(
    (mark): ReadCase<ReadThought> => ({
      name: `${mark} after its reason`,
      text: `There is no login.\n${mark}`,
      reader: 'signal',
      answer: { ...replan, response: 'There is no login.' },
    }),
  ),
  ...['[REPLAN] no login', '[REPLAN: no login]', 'REPLAN\nno login'].map(
    (text): ReadCase<ReadThought> => ({
      name: `${text.replace('\n', ' / ')}, its reason behind it`,
      text,
      reader: 'signal',
      answer: { ...replan, response: 'no login' },
    }),
  ),
  ...[
    'STEP_DONE: The mail is sent.\nTo Ben.',
    'Step done — The mail is sent.\nTo Ben.',
    '步骤完成：The mail is sent.\nTo Ben.',
  ].map(
    (text): ReadCase<ReadThought> => ({
      name: `${text.slice(0, 11)}, its result behind it`,
      text,
      reader: 'signal',
      answer: { ...stepDone, response: 'The mail is sent.\nTo Ben.' },
    }),
  ),
  ...['[完成]', '**[Done]**', '✅ STEP_DONE', '<STEP_DONE>', '步骤已完成', '[任务完成]'].map(
    (mark): ReadCase<ReadThought> => ({
      name: `${mark} on the first line, its result on the lines below`,
      text: `${mark}\nThe mail is sent.\n\nTo Ben.`,
      reader: 'signal',
      answer: { ...stepDone, response: 'The mail is sent.\n\nTo Ben.' },
    }),
  ),
  {
    name: 'a result in tags of its mark',
    text: '<step_done>The mail is sent.</step_done>',
    reader: 'signal',
    answer: { ...stepDone, response: 'The mail is sent.' },
  },
  {
    name: 'a mark after data that is no contract',
    text: 'It is {"temp": 20} and {"temp": 21}.\n[Done]',
    reader: 'signal',
    answer: { ...stepDone, response: 'It is {"temp": 20} and {"temp": 21}.' },
  },
  {
    name: 'a mark beside steps, which the next replan sees',
    text: '[Step] call Anna\n[Step] write to Ben\n[Done]',
    reader: 'signal',
    answer: { ...stepDone, response: '[Step] call Anna\n[Step] write to Ben' },
  },
];
