import type { Language } from '../../../contracts/text.ts';

const english = {
  summary:
    'Named plans that the session keeps as notes of their own, with a status for each step: create, update, list, get, activate, mark a step, delete. They are not the plan that you are working on.',
  usage: {
    create: '/plan create <plan_id> [--title text] --steps "step" "step" ...',
    update: '/plan update <plan_id> [--title text] [--steps "step" "step" ...]',
    list: '/plan list',
    get: '/plan get <plan_id>',
    set_active: '/plan activate <plan_id>',
    mark_step: '/plan mark <plan_id> <number> <not_started|in_progress|completed|blocked> [--notes text]',
    delete: '/plan delete <plan_id>',
  },
  created: (plan: string) => `Created.\n${plan}`,
  updated: (plan: string) => `Updated.\n${plan}`,
  activated: (plan: string) => `Active now.\n${plan}`,
  marked: (plan: string) => `Marked.\n${plan}`,
  deleted: (planId: string) => `Deleted plan "${planId}".`,
  refused: {
    unknown: (planId: string) => `There is no plan "${planId}".`,
    no_active: (_planId: string) => 'No plan is active: give a plan id.',
    exists: (planId: string) => `Plan "${planId}" already exists: update it, or choose another id.`,
    full: (_planId: string) => 'This session has too many plans: delete one first.',
    no_such_step: (_planId: string) => 'The plan has no step with this number.',
  },
  run: {
    usage: '/plan run <plan_id> [key=value ...]',
    missing: (planId: string, names: string[]) =>
      `Plan "${planId}" needs a value for ${names.join(', ')}: /plan run ${planId} ${names.map((name) => `${name}=…`).join(' ')}`,
    noValue: 'has no value',
    noPlaceholder: (planId: string, name: string, names: string[]) =>
      `Plan "${planId}" has no placeholder {${name}}; it has ${names.length === 0 ? 'none' : names.map((each) => `{${each}}`).join(', ')}.`,
    tooLong: (step: number, max: number) => `Step ${step} is longer than ${max} characters with these values.`,
  },
  heading: (title: string, planId: string, isActive: boolean) =>
    `Plan: ${title} (ID: ${planId}${isActive ? ', active' : ''})`,
  progress: (share: string) => `Progress: ${share}`,
  share: (completed: number, total: number, percent: string) => `${completed}/${total} steps completed (${percent}%)`,
  notes: (text: string) => `Notes: ${text}`,
  list: (count: number) => `Plans (${count})`,
  emptyList: 'No plans.',
  stepNumber: 'The step number',
};

const chinese: typeof english = {
  summary:
    '以名称保存的计划，供会话自用，每一步都有状态：新建、修改、列出、查看、启用、标记步骤、删除。它们不是任务正在执行的计划。',
  usage: {
    create: '/plan create <计划ID> [--title 标题] --steps "步骤" "步骤" …',
    update: '/plan update <计划ID> [--title 标题] [--steps "步骤" "步骤" …]',
    list: '/plan list',
    get: '/plan get <计划ID>',
    set_active: '/plan activate <计划ID>',
    mark_step: '/plan mark <计划ID> <编号> <not_started|in_progress|completed|blocked> [--notes 备注]',
    delete: '/plan delete <计划ID>',
  },
  created: (plan) => `已创建。\n${plan}`,
  updated: (plan) => `已更新。\n${plan}`,
  activated: (plan) => `已设为当前。\n${plan}`,
  marked: (plan) => `已标记。\n${plan}`,
  deleted: (planId) => `已删除计划“${planId}”。`,
  refused: {
    unknown: (planId) => `没有计划“${planId}”。`,
    no_active: () => '没有当前计划，请写明计划 ID。',
    exists: (planId) => `计划“${planId}”已存在：请更新它，或换一个 ID。`,
    full: () => '本会话的计划太多，请先删除一个。',
    no_such_step: () => '该计划没有这个编号的步骤。',
  },
  run: {
    usage: '/plan run <计划ID> [名称=值 …]',
    missing: (planId, names) =>
      `计划“${planId}”缺少以下值：${names.join('、')}。例如：/plan run ${planId} ${names.map((name) => `${name}=…`).join(' ')}`,
    noValue: '没有值',
    noPlaceholder: (planId, name, names) =>
      `计划“${planId}”没有占位符 {${name}}；它有：${names.length === 0 ? '无' : names.map((each) => `{${each}}`).join('、')}。`,
    tooLong: (step, max) => `填入这些值后，第 ${step} 步超过 ${max} 个字符。`,
  },
  heading: (title, planId, isActive) => `计划：${title}（ID：${planId}${isActive ? '，当前' : ''}）`,
  progress: (share) => `进度：${share}`,
  share: (completed, total, percent) => `已完成 ${completed}/${total} 步（${percent}%）`,
  notes: (text) => `备注：${text}`,
  list: (count) => `计划 (${count})`,
  emptyList: '没有计划。',
  stepNumber: '步骤编号',
};

export const planningMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
