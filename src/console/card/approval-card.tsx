import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApprovalDecision } from '../../../contracts/event.ts';
import type { PendingApproval } from '../../../contracts/turn-view.ts';
import { bound, toggles } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { lazy } from '../design/loaded.tsx';
import { Menu } from '../design/popover.tsx';
import { Switch } from '../design/switch.tsx';
import { Time } from '../design/time.tsx';
import { openDraft } from '../state/remembered.ts';
import { shared } from '../text/shared.ts';
import { actionTitle } from './action-title.ts';
import styles from './card.module.css';
import { Act, Card, CardFoot, useCardKeys, Waits } from './card.tsx';
import { type FieldTexts, objectOf, readRows, rowsOf } from './input-rows.ts';
import { InputFields, InputRows } from './input-view.tsx';
import { texts } from './texts.ts';
import { schemaOf } from './tool-schema.ts';

const PolicyDialog = lazy(async () => (await import('./policy-dialog.tsx')).PolicyDialog);

/** An action as a card shows it. */
export type ShownAction = Pick<PendingApproval, 'tool' | 'input' | 'summary' | 'reason'>;

/** How an input is shown. */
export type Way = 'fields' | 'raw';

/** A switch between rows and the input as it is. */
export const WaySwitch = ({ way, choose, isOff }: { way: Way; choose: (way: Way) => void; isOff: boolean }) => (
  <Switch
    label={texts.value.showAs}
    chosen={way}
    choose={choose}
    ways={[
      { value: 'fields', title: texts.value.fields, isOff },
      { value: 'raw', title: shared.value.raw, isOff },
    ]}
  />
);

/** An input is a JSON object, so it has rows. */
export const hasRows = ({ input }: Pick<ShownAction, 'input'>): boolean => objectOf(input) !== null;

/** The whole input of an action: its values as rows, or as it is where it is a command line or one wants to see that. */
export const WholeInput = ({ action: { tool, input }, way }: { action: ShownAction; way: Way }) => {
  const value = objectOf(input);
  if (value !== null && way === 'fields') return <InputRows rows={rowsOf(value, schemaOf(tool))} />;
  return (
    <div class={styles.raw}>
      <pre class={value === null ? styles.quote : ''}>{input}</pre>
    </div>
  );
};

/** An input that is being edited: some fields of a JSON object, or the whole text. */
type Edited = { base: string; fields: FieldTexts } | { raw: string };

/** An edit as it is kept, so that a reload loses nothing; empty: nothing is edited. */
const editedIn = (draft: string): Edited | null => (draft === '' ? null : (JSON.parse(draft) as Edited));

interface EditingProps<Of> {
  action: ShownAction;
  edited: Of;
  set: (edited: Edited | null) => void;
  run: (input: string) => void;
}

const EditingFoot = ({ isReady, run, back }: { isReady: boolean; run: () => void; back: () => void }) => (
  <CardFoot>
    <Act kind="primary" disabled={!isReady} onClick={run}>
      {texts.value.runWith}
    </Act>
    <Act onClick={back}>{texts.value.back}</Act>
  </CardFoot>
);

/** The rows of an input as they are edited, and what they make. */
const editedRows = ({ tool }: ShownAction, { base, fields }: Extract<Edited, { base: string }>) => {
  const rows = rowsOf(objectOf(base) ?? {}, schemaOf(tool), true);
  return { rows, ...readRows(rows, fields) };
};

/** The same edit in the other way: as fields, or as a whole text; null: what was typed is not possible there. */
const inOtherWay = (action: ShownAction, edited: Edited): Edited | null => {
  if ('raw' in edited) return objectOf(edited.raw) === null ? null : { base: edited.raw, fields: {} };
  const { value, faults } = editedRows(action, edited);
  return faults.size > 0 ? null : { raw: JSON.stringify(value, null, 2) };
};

const EditedFields = ({ action, edited, set, run }: EditingProps<Extract<Edited, { base: string }>>) => {
  const { rows, value, faults } = editedRows(action, edited);
  return (
    <>
      <InputFields
        rows={rows}
        typed={edited.fields}
        faults={faults}
        set={(name, text) => set({ ...edited, fields: { ...edited.fields, [name]: text } })}
      />
      <EditingFoot isReady={faults.size === 0} run={() => run(JSON.stringify(value))} back={() => set(null)} />
    </>
  );
};

/** Most lines that the field of a whole input has at first. */
const LINES_MAX = 16;

const EditedText = ({ action, edited: { raw }, set, run }: EditingProps<{ raw: string }>) => {
  const isOfFields = hasRows(action);
  const isMisfit = isOfFields && objectOf(raw) === null;
  return (
    <>
      <div class={`${styles.raw} stack`}>
        <textarea
          class="inset"
          aria-label={texts.value.input}
          aria-invalid={isMisfit}
          rows={Math.min(LINES_MAX, raw.split('\n').length + 1)}
          value={raw}
          onInput={({ currentTarget }) => set({ raw: currentTarget.value })}
        />
        {isMisfit && <p class={styles.wrong}>{texts.value.rawIsObject}</p>}
      </div>
      <EditingFoot isReady={raw.trim() !== '' && !isMisfit} run={() => run(raw)} back={() => set(null)} />
    </>
  );
};

/** The input as fields, whose focus goes to the first one. */
const EditedInput = (props: EditingProps<Edited>) => {
  const { edited, ...rest } = props;
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  return (
    <div ref={form}>
      {'raw' in edited ? <EditedText {...rest} edited={edited} /> : <EditedFields {...rest} edited={edited} />}
    </div>
  );
};

/** The reason for a refusal, where no field for words is beside the card. */
const Reason = ({ draft, refuse, back }: { draft: string; refuse: (reason: string) => void; back: () => void }) => {
  const reason = openDraft(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <>
      <div class={styles.reason}>
        <textarea
          ref={field}
          rows={2}
          dir="auto"
          aria-label={texts.value.reason}
          placeholder={texts.value.reasonHint}
          {...bound(reason)}
        />
      </div>
      <CardFoot>
        <Act
          kind="danger"
          onClick={() => {
            refuse(reason.value.trim());
            reason.value = '';
          }}
        >
          {texts.value.refuse}
        </Act>
        <Act onClick={back}>{texts.value.back}</Act>
      </CardFoot>
    </>
  );
};

const approverName = (name: string): string => {
  const [kind, ...rest] = name.split(':');
  return kind === 'role' ? texts.value.role(rest.join(':')) : rest.join(':');
};

interface WhoProps {
  approval: Pick<PendingApproval, 'reason' | 'approvers' | 'self'>;
  since: string | undefined;
  /** Whose task it is, where that is not the reader. */
  owner: string | undefined;
  expiresAt: string | null;
}

/** Why a person is asked, and who may decide. */
const WhoMay = ({ approval: { reason, approvers, self }, since, owner, expiresAt }: WhoProps) => (
  <p class={`${styles.who} muted small`}>
    {since !== undefined && (
      <span>
        {texts.value.asked} <Time at={since} />
        {owner !== undefined && ` ${texts.value.askedBy(owner)}`}
      </span>
    )}
    <span dir="auto">{reason ?? texts.value.everyCall}</span>
    {approvers !== undefined && <span>{texts.value.mayDecide(approvers.map(approverName).join(texts.value.or))}</span>}
    {self === false && <span>{texts.value.notYou}</span>}
    {expiresAt !== null && (
      <span>
        {texts.value.expires} <Time at={expiresAt} mayBeAhead />
      </span>
    )}
  </p>
);

interface ApprovalCardProps extends Partial<Pick<WhoProps, 'since' | 'owner' | 'expiresAt'>> {
  approval: PendingApproval;
  /** The reader is one who may decide. */
  mayDecide: boolean;
  /** A decision is on its way. */
  isSent?: boolean;
  decide: (decision: ApprovalDecision) => void;
  /** Goes to the field for words beside the card, which then refuse; absent: there is none, and the card has its own. */
  focusReason?: (() => void) | undefined;
}

/** An action that waits for a yes: its whole input, which can be edited, and who may decide. */
export const ApprovalCard = (props: ApprovalCardProps) => {
  const { approval, mayDecide, isSent = false, decide, focusReason, since, owner, expiresAt = null } = props;
  const { id, input, tool } = approval;
  const draft = openDraft(`edit.${id}`);
  const edited = editedIn(draft.value);
  const way = useSignal<Way>('fields');
  const isRefusing = useSignal(false);
  const isPolicyShown = useSignal(false);
  const edit = (to: Edited | null): void => {
    draft.value = to === null ? '' : JSON.stringify(to);
  };
  const send = (decision: ApprovalDecision): void => {
    decide(decision);
    edit(null);
  };
  const isOfFields = hasRows(approval);
  const isIdle = mayDecide && !isSent && edited === null && !isRefusing.value;
  const acts = {
    y: () => send({ type: 'approve' }),
    e: () => edit(isOfFields ? { base: input, fields: {} } : { raw: input }),
    n: () => {
      if (focusReason === undefined) isRefusing.value = true;
      else focusReason();
    },
  };
  const { press, areOn } = useCardKeys(isIdle ? { ...acts, Enter: acts.y } : {});
  const other = edited === null ? null : inOtherWay(approval, edited);
  const choose = (to: Way): void => {
    way.value = to;
    if (edited !== null && other !== null && 'raw' in other === (to === 'raw')) edit(other);
  };
  const shownWay = edited === null ? way.value : 'raw' in edited ? 'raw' : 'fields';
  const title = actionTitle(approval);
  const asked = <WhoMay approval={approval} since={since} owner={owner} expiresAt={expiresAt} />;
  const act = (letter: 'y' | 'e' | 'n', kind: 'primary' | 'normal', text: string) => (
    <Act kind={kind} letter={letter} isKeyOn={areOn} disabled={isSent} onClick={acts[letter]}>
      {text}
    </Act>
  );
  const deciding = (
    <CardFoot>
      {act('y', 'primary', texts.value.approve)}
      {act('e', 'normal', texts.value.edit)}
      {act('n', 'normal', texts.value.refuse)}
      <span class={styles.last}>
        <Menu
          kind="quiet"
          size="large"
          disabled={isSent}
          label={texts.value.alwaysMenu}
          items={[
            { title: texts.value.alwaysInTask, note: tool, run: () => send({ type: 'approve_always' }) },
            { title: texts.value.setPolicy, run: toggles(isPolicyShown) },
          ]}
        >
          {texts.value.always} <Icon name="down" />
        </Menu>
      </span>
    </CardFoot>
  );
  return (
    <Card
      label={title}
      title={title}
      tool={approval.summary === undefined ? undefined : tool}
      press={press}
      side={
        isOfFields ? <WaySwitch way={shownWay} choose={choose} isOff={edited !== null && other === null} /> : undefined
      }
    >
      {edited === null ? (
        <WholeInput action={approval} way={way.value} />
      ) : (
        <EditedInput
          action={approval}
          edited={edited}
          set={edit}
          run={(changed) => send({ type: 'edit', input: changed })}
        />
      )}
      {edited === null && asked}
      {edited === null && !mayDecide && <Waits>{texts.value.notMine}</Waits>}
      {edited === null && mayDecide && !isRefusing.value && deciding}
      {isPolicyShown.value && <PolicyDialog action={approval} onClose={toggles(isPolicyShown)} />}
      {edited === null && isRefusing.value && (
        <Reason
          draft={`reason.${id}`}
          refuse={(reason) => send({ type: 'reject', ...(reason !== '' && { reason }) })}
          back={() => {
            isRefusing.value = false;
          }}
        />
      )}
    </Card>
  );
};
