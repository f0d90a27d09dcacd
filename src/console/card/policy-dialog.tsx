import type { PendingApproval } from '../../../contracts/turn-view.ts';
import { CopyButton } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import styles from './card.module.css';
import { objectOf } from './input-rows.ts';
import { texts } from './texts.ts';

/** A name as it stands behind a dot, or in brackets. */
const placeOf = (field: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(field) ? `.${field}` : `[${JSON.stringify(field)}]`;

/** A condition on the input as an example, by the first number in it. */
const conditionOf = (input: string): string => {
  const value = objectOf(input);
  const [field, limit] = Object.entries(value ?? {}).find(([, each]) => typeof each === 'number') ?? [];
  if (field !== undefined) return `input${placeOf(field)} <= ${String(limit)}`;
  if (value === null) return `input.startsWith(${JSON.stringify(input.split(/\s/)[0] ?? '')})`;
  const [first] = Object.keys(value);
  return first === undefined ? 'true' : `input${placeOf(first)} === ${JSON.stringify(value[first])}`;
};

interface PolicyDialogProps {
  action: Pick<PendingApproval, 'tool' | 'input'>;
  onClose: () => void;
}

/** Lines of the configuration that say when a tool asks. Only the operator can add them. */
export const PolicyDialog = ({ action: { tool, input }, onClose }: PolicyDialogProps) => {
  const words = texts.value;
  const name = JSON.stringify(tool);
  const policies = [
    { title: words.policyNever, line: `{ tools: ${name}, approval: false }` },
    { title: words.policyOutside, line: `{ tools: ${name}, approval: 'after_untrusted' }` },
    {
      title: words.policyByInput,
      line: `{ tools: ${name}, approval: (input) => (${conditionOf(input)} ? 'run' : 'ask') }`,
    },
  ];
  return (
    <Dialog title={words.policyTitle(tool)} onClose={onClose}>
      <p>{words.policyHint}</p>
      {policies.map(({ title, line }) => {
        const text = `approvals: [${line}],`;
        return (
          <section key={title} class="stack" aria-label={title}>
            <p class="line">
              <span class="name fill">{title}</span>
              <CopyButton icon="copy" size="small" title={words.policyCopy} text={text} />
            </p>
            <pre class={`inset ${styles.policy}`}>{text}</pre>
          </section>
        );
      })}
    </Dialog>
  );
};
