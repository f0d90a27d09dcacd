import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { By } from '../../../contracts/by.ts';
import type { ApprovalDecision } from '../../../contracts/event.ts';
import type { PendingApproval } from '../../../contracts/turn-view.ts';
import { type Meaning, Sign } from '../design/badge.tsx';
import { Icon } from '../design/icon.tsx';
import { lazy } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { byText } from '../text/by-text.ts';
import { defineTexts } from '../text/language.ts';
import { actionTitle } from './action-title.ts';
import styles from './card.module.css';

const WholeInput = lazy(async () => (await import('./approval-card.tsx')).WholeInput);
const EditedValues = lazy(
  async () => (await import('./edited-values.tsx')).EditedValues,
  () => null,
);

const texts = defineTexts({
  approve: ['Approved', '已批准'],
  approve_always: ['Approved, for the whole task', '已批准，本任务内始终允许'],
  edit: ['Approved with an edit', '修改后批准'],
  reject: ['Refused', '已拒绝'],
  asked: ['Asked', '提出于'],
});

interface LineProps {
  sign: Meaning | 'open';
  /** The action; null: not known here. */
  action: PendingApproval | null;
  /** The input that ran, or would have run. */
  input: string | undefined;
  children: ComponentChildren;
}

/** An action that waits no more, in one line, which unfolds its input. */
const ActionLine = ({ sign, action, input, children }: LineProps) => {
  const isOpen = useSignal(false);
  const line = (
    <>
      <Sign meaning={sign} />
      <span class={styles.outcome}>
        {action !== null && (
          <span class="name" dir="auto">
            {actionTitle(action)}
          </span>
        )}
        <span class="muted small">{children}</span>
      </span>
    </>
  );
  if (input === undefined) return <p class={styles.decided}>{line}</p>;
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary class={styles.decided}>
        {line}
        <Icon name="right" class="turns" />
      </summary>
      {isOpen.value &&
        (action === null ? (
          <pre class="inset">{input}</pre>
        ) : (
          <WholeInput action={{ ...action, input }} way="fields" />
        ))}
    </details>
  );
};

interface DecidedProps {
  decision: ApprovalDecision;
  /** The action that it is about; null: not known here. */
  action: PendingApproval | null;
  by?: By | undefined;
  /** Absent: it is being sent. */
  at?: string;
}

/** A decision on an action in one line: what, how, by whom and when, and the reason for a refusal. */
export const Decided = ({ decision, action, by, at }: DecidedProps) => {
  const { type, reason } = decision;
  return (
    <div class={styles.decision}>
      <ActionLine
        sign={type === 'reject' ? 'neutral' : 'done'}
        action={action}
        input={type === 'edit' ? decision.input : action?.input}
      >
        {[texts.value[type], by && byText(by)].filter(Boolean).join(' ')}
        {at !== undefined && (
          <>
            {' · '}
            <Time at={at} />
          </>
        )}
        {type === 'edit' && action !== null && (
          <EditedValues tool={action.tool} from={action.input} to={decision.input} />
        )}
      </ActionLine>
      {type === 'reject' && reason !== undefined && (
        <blockquote class={styles.quote} dir="auto">
          {reason}
        </blockquote>
      )}
    </div>
  );
};

/** An action that somebody was asked about, which no decision followed: words answered it, or its task ended. */
export const Undecided = ({ action, at }: { action: PendingApproval; at: string | null }) => (
  <ActionLine sign="open" action={action} input={action.input}>
    {at !== null && (
      <>
        {texts.value.asked} <Time at={at} />
      </>
    )}
  </ActionLine>
);
