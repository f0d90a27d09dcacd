import type { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { Effect } from '../../../contracts/effect.ts';
import { Catalogue, PlanEdit } from '../../../contracts/event.ts';
import { ThoughtStatus } from '../../../contracts/thought.ts';

const { tools: Tools, executors: Executors } = Catalogue.shape;

const fieldOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null | undefined)?.[name];

/** The first fault that `faultOf` finds in an entry of a list, which it is given with its path. */
const firstFault = (list: unknown, path: string, faultOf: (entry: unknown, path: string) => string | null) => {
  if (!Array.isArray(list)) return null;
  for (const [i, entry] of list.entries()) {
    const fault = faultOf(entry, `${path}[${i}]`);
    if (fault !== null) return fault;
  }
  return null;
};

const faultIn = (list: unknown, entries: z.ZodType, path: string): string | null =>
  firstFault(list, path, (entry, at) => {
    const { error } = checked(entries, entry);
    return error === undefined ? null : `${error.issues[0]?.message}\n  → at ${at}`;
  });

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
    firstFault(executors, 'event.catalogue.executors', toolsOf) ??
    faultIn(executors, Executors.element, 'event.catalogue.executors') ??
    firstFault(effects, 'effects', mayOf) ??
    faultIn(effects, Effect, 'effects') ??
    faultIn(fieldOf(fieldOf(line, 'event'), 'edits'), PlanEdit, 'event.edits')
  );
};
