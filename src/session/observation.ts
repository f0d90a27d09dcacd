import type { TaskEvent } from '../../contracts/event.ts';
import type { AttachedFile } from '../../contracts/file.ts';
import { OBSERVATION_CHARS_MAX, RESULT_HEAD_CHARS, RESULT_TAIL_CHARS } from '../../contracts/limits.ts';
import type { ToolResult } from '../../contracts/task.ts';
import { headAndTail } from '../../contracts/text.ts';
import type { Queries } from '../lib/queries.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { EffectWork } from './input.ts';

/** A text as it is observed: of a long one, the beginning and the end. */
export const observedText = (text: string): string =>
  headAndTail(text, RESULT_HEAD_CHARS, RESULT_TAIL_CHARS, OBSERVATION_CHARS_MAX);

/** A result whose text may be a part of the whole one, which is stored elsewhere. */
export type ObservedResult = ToolResult & { left_out?: number; files?: AttachedFile[] };

/** Copies the text: a substring that a tool cut out would keep the whole original in memory. */
export const observationOf = (tool: string, input: string, { ok, result, left_out, files }: ObservedResult) => ({
  tool,
  input,
  ok,
  result: structuredClone(observedText(result)),
  ...(left_out !== undefined && { left_out }),
  ...(files !== undefined && { files }),
});

/** Runs a transactional tool and returns its observation. Throws what the tool throws. */
export function* runInside(
  tools: Pick<ToolRegistry, 'get'>,
  { effect, tool: name, input, call }: EffectWork,
): Queries<TaskEvent> {
  const tool = tools.get(name);
  if (tool?.effect !== 'transactional') throw new Error(`${name} is not a transactional tool`);
  return { type: 'observation.recorded', effect, ...observationOf(name, input, yield* tool.run(input, call)) };
}
