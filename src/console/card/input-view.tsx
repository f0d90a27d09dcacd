import { useId } from 'preact/hooks';
import styles from './card.module.css';
import { type Fault, fieldText, type InputRow } from './input-rows.ts';
import { texts } from './texts.ts';

/** Names of fields that say how much. */
const AMOUNT = /(^|[_\W])(amount|price|total)([_\W]|$)/i;

const faultText = ({ kind, limit = '' }: Fault): string => {
  if (kind === 'said') return limit;
  const text = texts.value[kind];
  return typeof text === 'string' ? text : text(limit);
};

/** Longest purpose of a number that stands beside it, such as “In euros”, in characters. */
const UNIT_CHARS_MAX = 24;

/** An amount with a fraction has its second digit, as money is written; any other number stays as it is. */
export const numberText = ({ name, value }: InputRow): string =>
  AMOUNT.test(name) && /^-?\d+\.\d$/.test(String(value)) ? `${value}0` : String(value);

/** A purpose as it stands behind a number: “19.90 in euros”. */
const unitText = (about: string): string => about.replace(/^In (?=\S)/, 'in ');

const NumberValue = ({ row }: { row: InputRow }) => {
  const { name, about } = row;
  return (
    <>
      <span class={AMOUNT.test(name) ? `number ${styles.amount}` : 'number'}>{numberText(row)}</span>{' '}
      {about !== '' && about.length <= UNIT_CHARS_MAX && (
        <span class="muted small" dir="auto">
          {unitText(about)}
        </span>
      )}
    </>
  );
};

const Value = ({ row }: { row: InputRow }) => {
  const { kind, value, choices } = row;
  const { yes, no, none, empty } = texts.value;
  const titleOf = (of: unknown): string => choices.find((choice) => choice.value === of)?.title ?? String(of);
  switch (kind) {
    case 'boolean':
      return <>{value === true ? yes : no}</>;
    case 'number':
      return <NumberValue row={row} />;
    case 'choice':
      return <span dir="auto">{titleOf(value)}</span>;
    case 'several':
      return <span dir="auto">{(value as unknown[]).map(titleOf).join(', ') || none}</span>;
    case 'text':
      return value === '' ? <span class="muted">{empty}</span> : <span dir="auto">{String(value)}</span>;
    case 'long':
      return (
        <blockquote class={styles.quote} dir="auto">
          {String(value)}
        </blockquote>
      );
    case 'json':
      return value === null ? <span class="muted">{none}</span> : <pre>{JSON.stringify(value, null, 2)}</pre>;
    default:
      return kind satisfies never;
  }
};

/** An input as rows of label and value. */
export const InputRows = ({ rows }: { rows: readonly InputRow[] }) => (
  <dl class={styles.inputs}>
    {rows.map((row) => (
      <>
        <dt key={`${row.name} label`} title={row.name} dir="auto">
          {row.label}
        </dt>
        <dd key={row.name}>
          <Value row={row} />
        </dd>
      </>
    ))}
  </dl>
);

interface FieldProps {
  row: InputRow;
  id: string;
  text: string;
  fault: Fault | undefined;
  set: (text: string) => void;
}

/** Most lines that a field of several lines has at first. */
const LINES_MAX = 12;

const RowField = ({ row, id, text, fault, set }: FieldProps) => {
  const { kind, choices, isRequired } = row;
  const invalid = fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` };
  const attributes = { id, ...invalid };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }): void => set(currentTarget.value);
  if (kind === 'boolean')
    return (
      <label class={styles.check}>
        <input
          {...attributes}
          type="checkbox"
          checked={text === 'true'}
          onChange={({ currentTarget }) => set(String(currentTarget.checked))}
        />
        {texts.value.yes}
      </label>
    );
  if (kind === 'choice')
    return (
      <select {...attributes} value={text} onInput={onInput}>
        {(text === '' || !isRequired) && <option value="">{texts.value.choose}</option>}
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  if (kind === 'several') {
    const chosen = text.split('\n').filter((line) => line !== '');
    const change = (value: string): void => {
      const next = choices.filter((choice) => chosen.includes(choice.value) !== (choice.value === value));
      set(next.map((choice) => choice.value).join('\n'));
    };
    return (
      <fieldset {...attributes} aria-label={row.label}>
        {choices.map(({ value, title }) => (
          <label key={value} class={styles.check}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => change(value)} />
            <span dir="auto">{title}</span>
          </label>
        ))}
      </fieldset>
    );
  }
  const isTall = kind === 'long' || kind === 'json';
  if (isTall) {
    const rows = Math.min(LINES_MAX, Math.max(2, text.split('\n').length));
    return <textarea {...attributes} dir="auto" rows={rows} value={text} onInput={onInput} />;
  }
  const mode = kind === 'number' ? 'decimal' : 'text';
  return <input {...attributes} dir="auto" inputMode={mode} autocomplete="off" value={text} onInput={onInput} />;
};

interface FieldsProps {
  rows: readonly InputRow[];
  /** The typed texts, by the names of rows; a row that is not here was not touched. */
  typed: Readonly<Record<string, string>>;
  /** Shown beside a field that was touched, or if `areAllTold`. */
  faults: ReadonlyMap<string, Fault>;
  areAllTold?: boolean;
  set: (name: string, text: string) => void;
}

/** The same rows as fields, each checked as one types. */
export const InputFields = ({ rows, typed, faults, areAllTold = false, set }: FieldsProps) => {
  const id = useId();
  return (
    <dl class={`${styles.inputs} ${styles.editing}`}>
      {rows.map((row, place) => {
        const isTouched = Object.hasOwn(typed, row.name);
        const fault = isTouched || areAllTold ? faults.get(row.name) : undefined;
        const field = `${id}-${place}`;
        return (
          <>
            <dt key={`${row.name} label`} dir="auto">
              <label for={field} title={row.name}>
                {row.label}
              </label>
            </dt>
            <dd key={row.name}>
              <RowField
                row={row}
                id={field}
                text={isTouched ? (typed[row.name] ?? '') : fieldText(row)}
                fault={fault}
                set={(text) => set(row.name, text)}
              />
              {row.about !== '' && fault === undefined && (
                <p class={`${styles.about} muted small`} dir="auto">
                  {row.about}
                </p>
              )}
              {fault !== undefined && (
                <p class={styles.wrong} id={`${field}-fault`}>
                  {faultText(fault)}
                </p>
              )}
            </dd>
          </>
        );
      })}
    </dl>
  );
};
