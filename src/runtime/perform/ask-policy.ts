import type { Logger } from 'pino';
import { z } from 'zod';
import type { ApprovalVerdict } from '../../../contracts/answer.ts';
import { REASON_CHARS_MAX, SUMMARY_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/text.ts';
import { messageOf } from '../../lib/errors.ts';
import type { ApprovalPolicy, PolicyCall, PolicyVerdict, Tool } from '../../tools/port.ts';

/** Longest wait for a policy, in milliseconds: the model's answer is stored only afterwards. */
export const POLICY_MS = 5_000;

const Given: z.ZodType<PolicyVerdict> = z.union([
  z.enum(['run', 'ask']),
  z.strictObject({ ask: z.string(), reason: z.string().optional() }),
  z.strictObject({ deny: z.string() }),
]);

/** A text on one line, under its name; nothing for an absent or blank one. */
const line = <Name extends string>(name: Name, text: string | undefined, max: number): { [Key in Name]?: string } => {
  const plain = plainLine(text ?? '', max);
  return (plain === '' ? {} : { [name]: plain }) as { [Key in Name]?: string };
};

const verdictOf = (given: PolicyVerdict): ApprovalVerdict => {
  if (typeof given === 'string') return { verdict: given };
  if ('deny' in given) return { verdict: 'deny', ...line('reason', given.deny, REASON_CHARS_MAX) };
  return {
    verdict: 'ask',
    ...line('summary', given.ask, SUMMARY_CHARS_MAX),
    ...line('reason', given.reason, REASON_CHARS_MAX),
  };
};

const given = async (policy: ApprovalPolicy, tool: Tool, input: string, call: PolicyCall): Promise<PolicyVerdict> => {
  const parsed = tool.parseInput === undefined ? input : await tool.parseInput(input, call.language);
  return Given.parse(await policy(parsed, call));
};

/**
 * The verdict of a tool's policy on a call with a valid input; null for a tool without a policy. A policy that throws,
 * gives no verdict or takes too long asks a person, and a log line says why. Never rejects.
 */
export const askPolicy = async (
  log: Logger,
  tool: Tool,
  input: string,
  call: PolicyCall,
): Promise<ApprovalVerdict | null> => {
  const { approval: policy } = tool;
  if (typeof policy !== 'function') return null;
  const late = Promise.withResolvers<never>();
  const deadline = setTimeout(() => late.reject(new Error(`no verdict within ${POLICY_MS} ms`)), POLICY_MS);
  try {
    return verdictOf(await Promise.race([given(policy, tool, input, call), late.promise]));
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it gave no verdict' : messageOf(error);
    log.warn(
      { tool: tool.name, session_id: call.session_id, reason },
      'the policy of a tool failed: a person is asked',
    );
    return { verdict: 'ask', reason: messages(call.language).questions.undecided };
  } finally {
    clearTimeout(deadline);
  }
};
