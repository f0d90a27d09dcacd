import { phraseGrammar } from './phrase-grammar.ts';
import { YES } from './phrases.ts';

/** What lets an action run. */
const APPROVE = YES.concat(
  [
    'yep',
    'yeah',
    'approve',
    'approved',
    'approve it',
    'allow',
    'allowed',
    'allow it',
    'allow this',
    'accept',
    'permit',
  ],
  ['run', 'run it', 'go', 'go for it', 'that is fine', "that's fine", 'fine'],
  ['批准', '允许', '准许', '运行', '通过', '可以的', '行的', '对的', '没问题的', '做', '去做'],
);

/** What makes a yes last for the task. */
const ALWAYS = ['always', 'yes to all', '总是', '始终', '一直', '以后都', '每次都', '一律'];

/** What makes it last only beside a yes: alone it may as well be a no. */
const ASK_NO_MORE = ["don't ask again", "and don't ask again", 'do not ask again', 'and do not ask again'].concat([
  '不用再问',
  '不用再问了',
  '别再问',
  '别再问了',
  '不要再问',
  '不要再问了',
  '不再询问',
  '以后不用再问',
  '以后别再问',
]);

/** What may stand around it, and says nothing more. */
const FILLERS = ['please', 'just', 'now', 'then', 'it', 'this', 'thanks', 'thank you', 'with it'].concat([
  '请',
  '麻烦',
  '那',
  '那就',
  '就',
  '吧',
  '啊',
  '呀',
  '的',
  '一下',
  '它',
  '谢谢',
]);

const approves = phraseGrammar(APPROVE, FILLERS);
const approvesForTask = phraseGrammar(
  [...ALWAYS, ...APPROVE.flatMap((yes) => ASK_NO_MORE.map((more) => `${yes} ${more}`))],
  [...FILLERS, ...APPROVE],
);

/** True for a question back, which is never a yes. */
const isQuestion = (text: string): boolean => /[?？]/.test(text);

/** True for a whole answer that lets the pending action run (SPEC 3, approval); never for a part of one. */
export const isApproval = (text: string): boolean => !isQuestion(text) && approves(text);

/** True for a whole answer that lets it run, and the same tool for the rest of the task. */
export const isLastingApproval = (text: string): boolean => !isQuestion(text) && approvesForTask(text);
