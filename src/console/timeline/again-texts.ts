import { defineTexts } from '../text/language.ts';

/** Texts of a model call that is made again. */
export const againTexts = defineTexts({
  open: ['Run again…', '重跑…'],
  title: ['Run this call again', '重跑此次调用'],
  hint: [
    'A model is asked once more, with the prompt as you edit it. The task does not change, nothing is stored, and no tool runs.',
    '按你修改后的提示再问一次模型。任务不会改变，不保存任何内容，也不运行任何工具。',
  ],
  notExact: [
    'This is not letter for letter what was sent: it is made from the history, with the instructions and tools of today.',
    '这与当时发送的内容不完全相同：它由历史生成，使用现在的指令和工具。',
  ],
  gone: ['No longer stored, so the model gets the name alone: {0}', '已不再保存，模型只能得到名称：{0}'],
  listed: [', ', '、'],
  model: ['Model', '模型'],
  noPrompt: ['This model has no prompts: there is nothing to edit.', '此模型不接收提示，没有可修改的内容。'],
  prompt: ['Prompt', '提示'],
  system: ['System prompt', '系统提示'],
  text: ['Text {0}', '第 {0} 段'],
  edited: ['edited', '已修改'],
  undo: ['As recorded', '恢复原样'],
  run: ['Run', '运行'],
  stop: ['Stop', '停止'],
  asking: ['Asking the model', '正在询问模型'],
  recorded: ['Recorded', '录制'],
  again: ['Again', '重跑'],
  accepted: ['The contract takes it', '符合契约'],
  refused: ['The contract refuses it', '不符合契约'],
  noAnswer: ['No answer came', '没有得到回答'],
  emptyAnswer: ['The answer is empty.', '回答为空。'],
  tokensIn: ['Tokens in', '输入 token'],
  tokensOut: ['Tokens out', '输出 token'],
  cost: ['Cost', '费用'],
  time: ['Time', '耗时'],
  same: ['Both answers are the same.', '两个回答相同。'],
});
