import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import type { Tool, ToolCall } from '../../tools/port.ts';

/** Longest check of an input, in milliseconds: a custom schema may look things up. */
const CHECK_MS = 5_000;

/**
 * A transactional tool that refuses before its first question to the store refuses only its input; nothing is stored.
 */
const refusedInside = (
  tool: Extract<Tool, { effect: 'transactional' }>,
  input: string,
  call: ToolCall,
): string | null => {
  const { done, value } = tool.run(input, call).next();
  return done === true && !value.ok ? value.result : null;
};

/**
 * Why a tool would refuse this input without doing anything. Null if it accepts it, throws, or takes too long. Never
 * rejects.
 */
export const checkInput = async (tool: Tool, input: string, call: ToolCall): Promise<string | null> => {
  const late = Promise.withResolvers<null>();
  const deadline = setTimeout(() => late.resolve(null), CHECK_MS);
  try {
    if (tool.effect === 'transactional') return refusedInside(tool, input, call);
    const refusal = await Promise.race([tool.checkInput?.(input, call.language) ?? null, late.promise]);
    return refusal && cutText(refusal, OBSERVATION_CHARS_MAX);
  } catch {
    return null;
  } finally {
    clearTimeout(deadline);
  }
};
