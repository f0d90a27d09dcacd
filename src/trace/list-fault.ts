import type { z } from 'zod';
import { checked } from '../../contracts/checked.ts';
import { Effect } from '../../contracts/effect.ts';
import { Catalogue, PlanEdit } from '../../contracts/event.ts';
import { ThoughtStatus } from '../../contracts/thought.ts';

const { tools: Tools, executors: Executors } = Catalogue.shape;

const fieldOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null | undefined)?.[name];

const faultIn = (list: unknown, entries: z.ZodType, path: string): string | null => {
  if (!Array.isArray(list)) return null;
  for (const [i, entry] of list.entries()) {
    const { error } = checked(entries, entry);
    if (error !== undefined) return `${error.issues[0]?.message}\n  → at ${path}[${i}]`;
  }
  return null;
};

/** The first fault in a list of lists, each the field `name` of an entry of `list`. */
const faultWithin = (list: unknown, path: string, inner: (entry: unknown, path: string) => string | null) => {
  if (!Array.isArray(list)) return null;
  for (const [i, entry] of list.entries()) {
    const fault = inner(entry, `${path}[${i}]`);
    if (fault !== null) return fault;
  }
  return null;
};

/**
 * The first entry that fits no schema in a line's lists of tools, executors, effects and edits, explained; null where all fit. A line may have tens of thousands of
 * such entries, and to explain every one takes ten times as long as to read it.
 */
export const listFaultOf = (line: unknown): string | null => {
  const catalogue = fieldOf(fieldOf(line, 'event'), 'catalogue');
  const [tools, executors, effects] = [
    fieldOf(catalogue, 'tools'),
    fieldOf(catalogue, 'executors'),
    fieldOf(line, 'effects'),
  ];
  const toolsOf = (executor: unknown, path: string) =>
    faultIn(fieldOf(executor, 'tools'), Executors.element.shape.tools.unwrap().element, `${path}.tools`);
  const mayOf = (effect: unknown, path: string) =>
    faultIn(fieldOf(fieldOf(effect, 'params'), 'may'), ThoughtStatus, `${path}.params.may`);
  return (
    faultIn(tools, Tools.element, 'event.catalogue.tools') ??
    faultWithin(executors, 'event.catalogue.executors', toolsOf) ??
    faultIn(executors, Executors.element, 'event.catalogue.executors') ??
    faultWithin(effects, 'effects', mayOf) ??
    faultIn(effects, Effect, 'effects') ??
    faultIn(fieldOf(fieldOf(line, 'event'), 'edits'), PlanEdit, 'event.edits')
  );
};
