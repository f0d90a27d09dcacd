import { z } from 'zod';
import type { JsonSchema, ShapedAnswer } from '../contracts/answer.ts';
import { REASON_ISSUES_MAX } from '../contracts/limits.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { Language } from '../contracts/text.ts';

/** Why an answer does not meet the schema that its task was given, for the model's next attempt; null where it does. Never quotes a value. */
export const shapeFault = (schema: JsonSchema, answer: ShapedAnswer | undefined, language: Language): string | null => {
  const { modelReply, rejections, validation } = messages(language);
  if (answer === undefined) return rejections.doneRequiresAnswer;
  const { error } = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer);
  if (error === undefined) return null;
  const faults = error.issues.map((issue) =>
    modelReply.field(['answer', ...issue.path].map(String).join('.'), validation.issue(issue)),
  );
  const listed = faults.slice(0, REASON_ISSUES_MAX);
  return modelReply.problems(listed, faults.length - listed.length);
};
