import { fieldText, type InputRow, objectOf, rowsOf } from './input-rows.ts';
import { numberText } from './input-view.tsx';
import { schemaOf } from './tool-schema.ts';

/** Longest value that is shown in a line, in characters. */
const VALUE_CHARS_MAX = 24;

/** Most values that are shown of an edit. */
const VALUES_MAX = 2;

const valueText = (row: InputRow): string => (typeof row.value === 'number' ? numberText(row) : fieldText(row));

/** The short values that an edit changed, each as it was and as it is. */
export const EditedValues = ({ tool, from, to }: { tool: string; from: string; to: string }) => {
  const [before, after] = [objectOf(from), objectOf(to)];
  if (before === null || after === null) return null;
  const schema = schemaOf(tool);
  const old = new Map(rowsOf(before, schema, true).map((row) => [row.name, valueText(row)]));
  const changed = rowsOf(after, schema, true)
    .map((row) => ({ label: row.label, was: old.get(row.name) ?? '', is: valueText(row) }))
    .filter(({ was, is }) => was !== is && Math.max(was.length, is.length) <= VALUE_CHARS_MAX)
    .slice(0, VALUES_MAX);
  return (
    <>
      {changed.map(({ label, was, is }) => (
        <span key={label} dir="auto">
          {' · '}
          {label} {was === '' ? '–' : was} → {is === '' ? '–' : is}
        </span>
      ))}
    </>
  );
};
