import { messages } from '../../contracts/messages/messages.ts';
import { isToolMeant } from '../../contracts/tool-pattern.ts';
import type { Approval, ApprovalPolicy, Tool } from './port.ts';

/** Who approves the calls of tools that are not one's own: those of MCP servers, and built-in ones. */
export interface ApprovalRule {
  /** Names of tools; `mail_*` means all whose names begin so. */
  tools: string | string[];
  approval: Approval;
  /** Who may decide, in place of those that the tool names. */
  approvers?: string[] | undefined;
  /** False: never the task's owner. */
  self?: false | undefined;
}

/** Which tools ask a person once results from outside are in a task: those that say so, all that write outside, or none. */
export type AfterUntrusted = 'marked' | 'all' | 'off';

/** An operator's rules of approval, beside the tools' own. */
export interface ApprovalSettings {
  /** The first rule that means a tool counts, in place of what the tool says. */
  rules?: readonly ApprovalRule[];
  /** Tools that a person approves in any case, by name or pattern. A policy of theirs can only deny. */
  always?: readonly string[];
  afterUntrusted?: AfterUntrusted;
}

/** A policy whose `run` becomes a question, for a tool that is asked about in any case. */
const askingAlways =
  (policy: ApprovalPolicy): ApprovalPolicy =>
  async (input, call) => {
    const verdict = await policy(input, call);
    return verdict === 'run' ? 'ask' : verdict;
  };

/** A policy whose `run` becomes a question once results from outside are in the task. */
const askingAfterUntrusted =
  (policy: ApprovalPolicy): ApprovalPolicy =>
  async (input, call) => {
    const verdict = await policy(input, call);
    if (verdict !== 'run' || call.exposed === null) return verdict;
    return { ask: '', reason: messages(call.language).questions.exposed(call.exposed) };
  };

const writesOutside = ({ writes, effect }: Tool): boolean => writes && effect !== 'transactional';

/** The approval of a tool by the operator's settings; undefined: nobody has to approve it. */
const approvalBy = (
  { always = [], afterUntrusted = 'marked' }: ApprovalSettings,
  tool: Tool,
  rule: ApprovalRule | undefined,
): Approval | undefined => {
  const own = rule?.approval ?? tool.approval ?? (tool.approvers === undefined ? undefined : true);
  if (always.some((pattern) => isToolMeant(pattern, tool.name)))
    return typeof own === 'function' ? askingAlways(own) : true;
  if (afterUntrusted === 'off' && own === 'after_untrusted') return undefined;
  if (afterUntrusted !== 'all' || !writesOutside(tool)) return own;
  return typeof own === 'function' ? askingAfterUntrusted(own) : (own ?? 'after_untrusted');
};

/** Creates the function that gives a tool the approval that the settings say; the same tool for the same one. */
export const createApprovals = (settings: ApprovalSettings): ((tool: Tool) => Tool) => {
  const known = new WeakMap<Tool, Tool>();
  const guardedTool = (tool: Tool): Tool => {
    const rule = settings.rules?.find(({ tools }) => [tools].flat().some((pattern) => isToolMeant(pattern, tool.name)));
    return {
      ...tool,
      approval: approvalBy(settings, tool, rule),
      approvers: rule?.approvers ?? tool.approvers,
      self: rule?.self ?? tool.self,
    };
  };
  return (tool) => {
    const guarded = known.get(tool) ?? guardedTool(tool);
    known.set(tool, guarded);
    return guarded;
  };
};
