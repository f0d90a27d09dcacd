import type { ComponentChildren } from 'preact';
import type { By } from '../../../contracts/by.ts';
import type { ApprovalDecision } from '../../../contracts/event.ts';
import { Sign } from '../design/badge.tsx';
import { byText } from '../text/by-text.ts';
import { defineTexts } from '../text/language.ts';
import styles from './card.module.css';

const texts = defineTexts({
  approved: ['Approved', '已批准'],
  approvedAlways: ['Approved, for the whole task', '已批准，本任务内始终允许'],
  edited: ['Approved with an edited input', '已按修改后的输入批准'],
  refused: ['Refused', '已拒绝'],
  refusedFor: ['Refused: {0}', '已拒绝：{0}'],
});

const Line = ({ isYes, children }: { isYes: boolean; children: ComponentChildren }) => (
  <>
    <Sign meaning={isYes ? 'done' : 'neutral'} />
    <span dir="auto">{children}</span>
  </>
);

/** A decision on an action in one line, with its author if known. */
export const Decided = ({ decision, by }: { decision: ApprovalDecision; by?: By | undefined }) => {
  const { approved, approvedAlways, edited, refused, refusedFor } = texts.value;
  const look = `${styles.decided} muted small`;
  const who = by === undefined ? '' : ` ${byText(by)}`;
  switch (decision.type) {
    case 'approve':
    case 'approve_always':
      return (
        <div class={look}>
          <p>
            <Line isYes>
              {decision.type === 'approve' ? approved : approvedAlways}
              {who}
            </Line>
          </p>
        </div>
      );
    case 'edit':
      return (
        <details class={look}>
          <summary>
            <Line isYes>
              {edited}
              {who}
            </Line>
          </summary>
          <pre class="inset">{decision.input}</pre>
        </details>
      );
    case 'reject':
      return (
        <div class={look}>
          <p>
            <Line isYes={false}>
              {decision.reason === undefined ? refused : refusedFor(decision.reason)}
              {who}
            </Line>
          </p>
        </div>
      );
    default:
      return decision satisfies never;
  }
};
