import type { ReadThought } from '../../src/model-reply/read-answer.ts';
import { lines, type ReadCase } from './read-answer-case.ts';

const done = { status: 'done', current_step: null, next_action: null, question: null, response: null } as const;
const stepDone: ReadThought = { ...done, signal: 'step_done' };
const replan: ReadThought = { ...done, signal: 'replan' };

export const signalledThoughts: ReadCase<ReadThought>[] = [
  { name: '[Done] alone', text: '[Done]', reader: 'signal', answer: stepDone },
  {
    name: '[done] in lower case after the conclusion',
    text: 'I sent the mail.\n\n[done]  \n',
    reader: 'signal',
    answer: { ...stepDone, response: 'I sent the mail.' },
  },
  {
    name: '[完成] after a Chinese conclusion',
    text: '会议已安排在周五。\r\n[完成]',
    reader: 'signal',
    answer: { ...stepDone, response: '会议已安排在周五。' },
  },
  { name: '[Step Done]', text: '[Step Done]', reader: 'signal', answer: stepDone },
  { name: '[步骤完成]', text: '  [步骤完成]', reader: 'signal', answer: stepDone },
  {
    name: 'STEP_DONE after several lines',
    text: lines('Found three flights:', '- {a}', '- b', 'STEP_DONE'),
    reader: 'signal',
    answer: { ...stepDone, response: 'Found three flights:\n- {a}\n- b' },
  },
  {
    name: 'a mark after thinking, which is no part of the conclusion',
    text: '<think>secret {"status":"continue"}</think>All good.\nSTEP_DONE',
    reader: 'signal',
    answer: { ...stepDone, response: 'All good.' },
  },
  {
    name: 'a mark after thinking whose opening tag the server swallowed',
    text: 'Is it over? <think>Yes.</think> Sure.</think>\nAll good.\n[Done]',
    reader: 'signal',
    answer: { ...stepDone, response: 'All good.' },
  },
  { name: 'REPLAN alone', text: 'REPLAN', reader: 'signal', answer: replan },
  {
    name: 'REPLAN after its reason',
    text: 'The site needs a login.\nREPLAN',
    reader: 'signal',
    answer: { ...replan, response: 'The site needs a login.' },
  },
  { name: 'a control object', text: '{"control":"step_done"}', reader: 'signal', answer: stepDone },
  { name: 'a control object for a replan', text: '{"control": "replan"}', reader: 'signal', answer: replan },
  {
    name: 'a control object in a fence',
    text: '```json\n{"control":"step_done"}\n```',
    reader: 'signal',
    answer: stepDone,
  },
  { name: 'a control object in prose', text: 'Blocked: {"control":"replan"}.', reader: 'signal', answer: replan },
  { name: 'a sloppy control object', text: "{'control': 'replan',}", reader: 'signal', answer: replan },
];
