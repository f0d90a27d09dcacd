import { phraseGrammar } from './phrase-grammar.ts';

/** What asks to go on. */
const CORES = [
  'continue',
  'resume',
  'go on',
  'go ahead',
  'carry on',
  'keep going',
  'proceed',
  '继续',
  '接着',
  '恢复',
  '往下',
];

/** What may stand around it, and says nothing more. */
const FILLERS = [
  ...['please', 'ok', 'okay', 'yes', 'just', 'now', 'then', 'it', 'with it', 'the task', 'with the task'],
  ...[
    '请',
    '麻烦',
    '好的',
    '好',
    '那',
    '那就',
    '吧',
    '啊',
    '一下',
    '做',
    '做吧',
    '执行',
    '任务',
    '上次的任务',
    '刚才的任务',
  ],
];

/**
 * True for a whole input that asks to resume the paused task (SPEC 2.6): a core with nothing but fillers and punctuation around
 * it, in any case. Never for a part of an input: every word of it must be one of the two.
 */
export const isContinuePhrase = phraseGrammar(CORES, FILLERS);
