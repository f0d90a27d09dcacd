import type { GenerateTextResult } from 'ai';
import { tokenCount } from '../../../contracts/usage.ts';
import { NoAnswer } from '../no-answer.ts';
import type { AnswerFault, ModelReply } from '../port.ts';

/** What is read of a result; providers leave counts out, and some give odd ones. */
export type Result = Pick<GenerateTextResult<never, never, never>, 'text' | 'finishReason' | 'usage'> & {
  toolCalls: readonly unknown[];
};

const usageOf = ({ inputTokens, inputTokenDetails, outputTokens }: Result['usage']): ModelReply['usage'] => {
  const read = tokenCount(inputTokenDetails.cacheReadTokens);
  const written = tokenCount(inputTokenDetails.cacheWriteTokens);
  const total = tokenCount(inputTokens);
  return {
    input_tokens: tokenCount(inputTokenDetails.noCacheTokens ?? total - read - written),
    output_tokens: tokenCount(outputTokens),
    ...(written > 0 && { cache_written_tokens: written }),
    ...(read > 0 && { cache_read_tokens: read }),
  };
};

const faultOf = ({ text, finishReason, toolCalls }: Result): AnswerFault => {
  if (finishReason === 'content-filter') return 'refused';
  if (finishReason === 'tool-calls' || toolCalls.length > 0) return 'tool_use';
  if (finishReason === 'length') return 'truncated';
  return text.trim() === '' ? 'empty' : 'none';
};

/** A result as a model's reply; its text is not read. Throws `NoAnswer` for an answer that the server broke off. */
export const readResult = (result: Result): ModelReply => {
  const { finishReason } = result;
  if (finishReason === 'error') throw new NoAnswer((texts) => texts.failedInside);
  if (String(finishReason) === 'interrupted') throw new NoAnswer((texts) => texts.brokeOff);
  return { text: result.text, fault: faultOf(result), usage: usageOf(result.usage) };
};
