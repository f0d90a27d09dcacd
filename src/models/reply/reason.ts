import type { z } from 'zod';
import { REASON_CHARS_MAX, REASON_ISSUES_MAX } from '../../../contracts/limits.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';

/** Why a model's text is refused, once the language is chosen. Never quotes the text. */
export type Reason = (texts: Messages) => string;

/** Why JSON in it can't be read. */
export type Fault = (texts: Messages['modelReply']['fault']) => string;

export const CUT_OFF: Fault = ({ cutOff }) => cutOff;

/** The reason that a fault is. */
export const unreadable =
  (fault: Fault): Reason =>
  ({ modelReply }) =>
    modelReply.unreadable(fault(modelReply.fault));

type Issue = z.core.$ZodIssue;

/** Why a value fails its contract, as `field: what it must be`. Never quotes a value. */
export const contractReason =
  (error: z.ZodError): Reason =>
  (texts) => {
    const lines = error.issues.flatMap((issue) => explain(issue, [], texts));
    const listed = lines.slice(0, REASON_ISSUES_MAX);
    return texts.modelReply.problems(listed, lines.length - listed.length).slice(0, REASON_CHARS_MAX);
  };

const explain = (issue: Issue, above: PropertyKey[], texts: Messages): string[] => {
  const path = [...above, ...issue.path];
  const { modelReply, validation } = texts;
  const ofField = (problem: string): string =>
    path.length === 0 ? problem : modelReply.field(path.map(String).join('.'), problem);
  if (issue.code !== 'invalid_union') return [ofField(validation.issue(issue))];
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, texts));
  const types = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  return [ofField(modelReply.expected(types))];
};

/** The union's branch is for values of another type altogether, so its other issues tell nothing. */
const isOtherType = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
