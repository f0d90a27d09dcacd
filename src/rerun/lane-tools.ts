import type { ApprovalVerdict, NextAction } from '../../contracts/answer.ts';
import type { Catalogue } from '../../contracts/task.ts';
import { type OutsideTool, type PolicyVerdict, type TaskToolCall, type Tool, ToolAsks } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { RecordedAnswers } from './recorded-answers.ts';
import { untilAborted } from './until-aborted.ts';

/** The parts that the tools of a lane need. */
export interface LaneToolParts {
  answers: RecordedAnswers;
  /** The recorded catalogue where the lane is now. */
  catalogue(): Catalogue;
  /** Today's tools: models read their descriptions and schemas. */
  today: ToolRegistry;
  /** Tools of today that only read may run for calls that the recording has not. */
  liveReads: boolean;
  /** Resolves when the recorded user has done what they did before the outcome of this effect. */
  beforeOutcome(): Promise<void>;
  /** The recording has no such call: ends the lane. */
  unrecorded(call: NextAction, nth: number): void;
}

type CatalogueTool = Catalogue['tools'][number];

const NOT_CONFIGURED = 'Not configured any more.';

const policyVerdict = ({ verdict, summary, reason }: ApprovalVerdict): PolicyVerdict => {
  if (verdict === 'run') return 'run';
  if (verdict === 'deny') return { deny: reason ?? '' };
  return { ask: summary ?? '', ...(reason !== undefined && { reason }) };
};

/** A tool of today that may run in a rerun: it changes nothing, and nobody is asked about it. */
const readingTool = (tool: Tool | undefined): OutsideTool | null => {
  if (tool === undefined || tool.effect === 'transactional' || tool.writes) return null;
  return (tool.approval ?? false) === false ? tool : null;
};

/**
 * The tools of a lane: each answers from the recording, by its name, its canonical input and how often it was called so,
 * under the recorded catalogue. A call that the recording has not ends the lane, or is made by today's tool if that only
 * reads and `liveReads` is set. Never runs a tool that writes, nor a tool's policy or check of an input.
 */
export const createLaneTools = (parts: LaneToolParts): ToolRegistry => {
  const { answers, catalogue, today, liveReads, beforeOutcome, unrecorded } = parts;

  const run = async (name: string, input: string, call: TaskToolCall) => {
    const { value, nth } = answers.result({ tool: name, input });
    await beforeOutcome();
    if (value !== undefined && 'asks' in value) throw new ToolAsks(value.asks);
    if (value !== undefined) return value;
    // The recorded user cancelled the task meanwhile.
    if (call.signal.aborted) return untilAborted(call.signal);
    const live = liveReads ? readingTool(today.get(name)) : null;
    if (live !== null) return live.run(input, call);
    unrecorded({ tool: name, input }, nth);
    return untilAborted(call.signal);
  };

  const laneTool = ({ name, writes, approval, approvers, self, source }: CatalogueTool): OutsideTool => {
    const { description = NOT_CONFIGURED, usage = '', schema } = today.get(name) ?? {};
    return {
      name,
      description,
      usage,
      ...(schema !== undefined && { schema }),
      effect: 'idempotent',
      writes,
      approval:
        approval === 'policy'
          ? (input) => {
              const verdict = answers.verdict({ tool: name, input: String(input) });
              return verdict === undefined ? 'ask' : policyVerdict(verdict);
            }
          : approval,
      approvers,
      self,
      ...(source !== undefined && { source }),
      checkInput: async (input) => answers.refusal({ tool: name, input }) ?? null,
      run: (input, call) => run(name, input, call),
    };
  };

  const known = (): OutsideTool[] => catalogue().tools.map(laneTool);
  const executorsNow = (): ToolRegistry['executors'] =>
    catalogue().executors.map(
      ({ name }) =>
        today.executors.find((executor) => executor.name === name) ?? {
          name,
          description: NOT_CONFIGURED,
          prompt: null,
        },
    );
  return {
    ...today,
    get: (name) => known().find((tool) => tool.name === name),
    isSideBySide: (name) => catalogue().tools.some((tool) => tool.name === name && tool.side_by_side === true),
    usage: (names) => {
      // In today's order, as prompts have them; tools that are gone come last.
      const named = today.usage(names);
      const gone = known().filter(({ name }) => names.includes(name) && !named.some((tool) => tool.name === name));
      return [...named, ...gone];
    },
    executors: executorsNow(),
    catalogue,
  };
};
