import type { PlanningInput } from '../../../contracts/named-plan.ts';
import { answerCommand, answerSubcommand, say, UsageError } from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { formatPlan, formatPlans } from './plan-text.ts';
import { type NamedPlans, PlanRefused } from './port.ts';
import { planningUsage, readPlanningJson, readPlanningWords, subcommands } from './read-input.ts';

const JSON_FORM =
  '{"command": "create|update|list|get|set_active|mark_step|delete", "plan_id", "title", "steps": […], ' +
  '"step_index" (from 0), "step_status", "step_notes"}';
const USAGE = Object.values(planningUsage).join('\n');
const usageOf = Object.fromEntries(
  Object.entries(subcommands).map(([name, subcommand]) => [name, planningUsage[subcommand]]),
) as Record<keyof typeof subcommands, string>;

const refusal = ({ reason }: PlanRefused, input: PlanningInput, language: ToolCall['language']): string => {
  const planId = 'plan_id' in input ? (input.plan_id ?? '') : '';
  switch (reason) {
    case 'unknown':
      return say(language, `There is no plan "${planId}".`, `没有计划“${planId}”。`);
    case 'no_active':
      return say(language, 'No plan is active: name one.', '没有当前计划，请写明计划 ID。');
    case 'exists':
      return say(
        language,
        `There is a plan "${planId}" already: update it, or choose another id.`,
        `计划“${planId}”已存在：请更新它，或换一个 ID。`,
      );
    case 'full':
      return say(language, 'This session keeps too many plans: delete one first.', '本会话的计划太多，请先删除一个。');
    case 'no_such_step':
      return say(language, 'The plan has no step of that number.', '该计划没有这个编号的步骤。');
    default:
      return reason satisfies never;
  }
};

const perform = (plans: NamedPlans, input: PlanningInput, call: ToolCall): string => {
  const { language, now } = call;
  const { command } = input;
  switch (command) {
    case 'create':
      return `${say(language, 'Created.', '已创建。')}\n${formatPlan(plans.create(call, input, now), language)}`;
    case 'update':
      return `${say(language, 'Updated.', '已更新。')}\n${formatPlan(plans.update(call, input.plan_id, input, now), language)}`;
    case 'list':
      return formatPlans(plans.list(call), language);
    case 'get':
      return formatPlan(plans.get(call, input.plan_id), language);
    case 'set_active':
      return `${say(language, 'Active now.', '已设为当前。')}\n${formatPlan(plans.activate(call, input.plan_id), language)}`;
    case 'mark_step': {
      const mark = {
        ...(input.step_status !== undefined && { status: input.step_status }),
        ...(input.step_notes !== undefined && { notes: input.step_notes }),
      };
      const plan = plans.mark(call, input.plan_id, input.step_index, mark, now);
      return `${say(language, 'Marked.', '已标记。')}\n${formatPlan(plan, language)}`;
    }
    case 'delete':
      plans.delete(call, input.plan_id);
      return say(language, `Deleted plan "${input.plan_id}".`, `已删除计划“${input.plan_id}”。`);
    default:
      return command satisfies never;
  }
};

/**
 * Makes the `planning` tool, which is `/plan` for named plans too (SPEC 8, 10). It takes a command line or the JSON object of
 * OpenManus. It changes the session's named plans only, never the plan of a task.
 */
export const createPlanningTool = (plans: NamedPlans): TransactionalTool => {
  const carryOut = (input: PlanningInput, call: ToolCall): string => {
    try {
      return perform(plans, input, call);
    } catch (error) {
      throw error instanceof PlanRefused ? new UsageError(refusal(error, input, call.language)) : error;
    }
  };
  return {
    name: 'planning',
    description:
      'Named plans that the session keeps as notes of their own, with a status for each step: create, update, list, get, ' +
      'activate, mark a step, delete. They are not the plan that you are working on.',
    usage: `${USAGE}\n${JSON_FORM}`,
    writes: true,
    effect: 'transactional',
    run: (input, call) => {
      const { language } = call;
      const line = input.replace(/^\s*\/?planning(?=\s|$)/i, '');
      if (line.trimStart().startsWith('{'))
        return answerCommand(
          () => JSON_FORM,
          language,
          () => carryOut(readPlanningJson(line, language), call),
        );
      return answerSubcommand(line, { name: 'plan', usage: USAGE }, usageOf, language, (name, words) =>
        carryOut(readPlanningWords(subcommands[name], words, language), call),
      );
    },
  };
};
