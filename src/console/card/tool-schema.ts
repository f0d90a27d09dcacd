import { computed, effect, signal } from '@preact/signals';
import type { ToolView } from '../../../contracts/http.ts';
import { createResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import type { ObjectSchema } from './input-rows.ts';

/** The tools that are known, by their names. A tool that is gone has none, and its inputs are shown by their own names. */
const tools = createResource((signal) => allItems<ToolView>('/v1/tools', 'tools', signal));

const known = computed(
  () => new Map((tools.loaded.value.value ?? []).map(({ name, input_schema }) => [name, input_schema])),
);

/** Tools that were looked for and not found: asked for once each. */
const sought = signal<ReadonlySet<string>>(new Set());

effect(() => {
  if (sought.value.size > 0) tools.reload();
});

/** The schema of a tool's input; empty: it has none, or is not known (yet). */
export const schemaOf = (tool: string): ObjectSchema => {
  const schema = known.value.get(tool);
  if (schema === undefined && !sought.peek().has(tool))
    queueMicrotask(() => {
      sought.value = new Set([...sought.peek(), tool]);
    });
  return (schema as ObjectSchema | null | undefined) ?? {};
};
