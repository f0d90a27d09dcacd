import { isBlank } from '../../../contracts/text.ts';
import { type FoundObject, type FoundText, isRecord, REPLY_CHARS_MAX } from './find-objects.ts';
import { behindClosingLine, reasoningTagAt } from './reasoning.ts';
import { respell } from './respell.ts';

/** Keys that models use for those of an item, in lower case and without separators between words. */
const ITEM_KEYS: Record<'depends_on' | 'tools' | 'executor' | 'expected', readonly string[]> = {
  depends_on: [
    ...['dependson', 'depends', 'dependencies', 'dependency', 'deps', 'requires', 'needs', 'after'],
    ...['prerequisites', 'prerequisite', 'blockedby'],
  ],
  tools: ['tools', 'tool'],
  executor: ['executor', 'agent'],
  expected: ['expected', 'expectedoutput', 'expectedresult'],
};

/** Keys that models use for `step`, best first: a title before its description. */
const TITLES = ['title', 'name'];
const DESCRIPTIONS = ['description', 'task', 'text', 'content', 'instruction', 'action'];

/** Keys that models use for `plan`. */
const PLAN_KEYS = ['steps', 'items', 'tasks', 'plan_items'];

const SEPARATOR = /[,，、;；]/;
/** Words that name no item. */
const NONE = /^(?:none|null|nil|n\/a|nothing|-|无|没有)?$/i;

const bareKey = (key: string): string => key.toLowerCase().replaceAll(/[\s_-]/g, '');

const isText = (value: unknown): value is string => typeof value === 'string' && !isBlank(value);

/**
 * Names as the contract's list, from one or many, as text, numbers or objects with an id. A text in `known` is one
 * name.
 */
const namesIn = (value: unknown, known: ReadonlySet<string>): unknown[] => {
  if (typeof value === 'string') {
    const parts = known.has(value.trim()) ? [value] : value.split(SEPARATOR);
    return parts.map((part) => part.trim()).filter((part) => known.has(part) || !NONE.test(part));
  }
  return (Array.isArray(value) ? value : [value]).map((entry) => (isRecord(entry) ? (entry['id'] ?? entry) : entry));
};

/** The step of an item that has no text under `step`. */
const stepOf = (item: Record<string, unknown>): string | undefined => {
  const first = (keys: string[]): string | undefined => keys.map((key) => item[key]).find(isText);
  const said = [first(TITLES), first(DESCRIPTIONS)].filter((text) => text !== undefined);
  return said.length === 0 ? undefined : [...new Set(said)].join(': ');
};

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * An item with the contract's keys. One without an id is named by its number or position, as its dependents name it.
 */
const itemOf = (given: unknown, place: number, ids: ReadonlySet<string>): unknown => {
  if (!isRecord(given)) return given;
  const values = (known: readonly string[]): unknown[] =>
    Object.entries(given).flatMap(([key, value]) => (known.includes(bareKey(key)) && !isBlank(value) ? [value] : []));
  const { id, step } = given;
  const text = isText(step) ? step : (stepOf(given) ?? step);
  const number = typeof step === 'number' && text !== step ? step : place;
  const dependencies = values(ITEM_KEYS.depends_on);
  const tools = values(ITEM_KEYS.tools);
  const [executor] = values(ITEM_KEYS.executor);
  const [expected] = values(ITEM_KEYS.expected);
  return {
    ...given,
    id: isBlank(id) ? (ids.has(String(number)) ? `item-${place}` : number) : id,
    step: text,
    ...(dependencies.length > 0 && { depends_on: dependencies.flatMap((value) => namesIn(value, ids)) }),
    ...(tools.length > 0 && { tools: tools.flatMap((value) => namesIn(value, NO_IDS)) }),
    ...(executor !== undefined && { executor }),
    ...(expected !== undefined && { expected }),
  };
};

/** The items of a plan with the contract's keys. Anything that is not an item stays, for the contract to refuse. */
export const itemsOf = (plan: unknown[]): unknown[] => {
  const ids = new Set(plan.flatMap((item) => (isRecord(item) ? [String(item['id'])] : [])));
  return plan.map((item, index) => itemOf(item, index + 1, ids));
};

/** An answer with its plan under `plan`, also if the model used another key or wrapped it in an object. */
export const withPlanKey = (answer: Record<string, unknown>): Record<string, unknown> => {
  const listIn = (value: Record<string, unknown>): unknown =>
    PLAN_KEYS.map((key) => value[key]).find((list) => Array.isArray(list));
  const { plan } = answer;
  const isMissing = plan === undefined || isBlank(plan);
  const holder = isMissing ? answer : plan;
  const list = isRecord(holder) ? listIn(holder) : undefined;
  return list === undefined ? answer : { ...answer, plan: list };
};

const FENCED = /^(?:`{3}|~{3})[\w+.-]{0,16}\s([\s\S]*?)\n(?:`{3}|~{3})$/;
const LIST = /^\[\s*(?:["'`“‘「＂{]|\])/;

const behindReasoning = (text: string): string => {
  let rest = text.trim();
  for (let tag = reasoningTagAt(rest, 0); tag !== null; tag = reasoningTagAt(rest, 0))
    rest = rest.slice(tag.end).trim();
  return rest.slice(behindClosingLine(rest) ?? 0).trim();
};

/** The plan in a text that is only a list, apart from reasoning and a fence; null for any other text. */
export const listedPlan = (text: string): FoundText | null => {
  if (text.length > REPLY_CHARS_MAX) return null;
  const prose = behindReasoning(text);
  const list = FENCED.exec(prose)?.[1]?.trim() ?? prose;
  if (!LIST.test(list)) return null;
  const read = respell(list, 0);
  if ('fault' in read || read.end < list.length) return null;
  const plan: unknown = read.value;
  if (!Array.isArray(plan) || plan.some((item) => isRecord(item) && 'plan' in item)) return null;
  const asWritten: FoundObject['reader'] = list === prose ? 'strict' : 'fenced';
  const reader = read.isJson ? asWritten : 'repaired';
  return { kind: 'read', objects: [{ value: { plan }, reader }], prose, before: '', behind: '', isQuoted: false };
};
