import { useSignal } from '@preact/signals';
import type { ListedKey, NewKey } from '../../../contracts/access.ts';
import { ApiProblem } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { listKeys, revokeKey } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { copyText } from '../design/copy.tsx';
import design from '../design/design.module.css';
import { Dialog } from '../design/dialog.tsx';
import { Empty, Refusal } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { shared } from '../text/shared.ts';
import { AddKey, QuotaDialog } from './key-forms.tsx';
import { LoadedPart, Table } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { UsedToday } from './usage-part.tsx';

const WhenOrNever = ({ at }: { at: string | null }) =>
  at === null ? <span>{texts.value.never}</span> : <Time at={at} />;

interface RowProps {
  listed: ListedKey;
  onRevoke: () => void;
  onQuota: () => void;
}

const Row = ({ listed, onRevoke, onQuota }: RowProps) => {
  const { owner, role, created_at, expires_at, last_used_at } = listed;
  return (
    <tr>
      <th scope="row">{owner}</th>
      <td data-label={texts.value.role}>{texts.value[role]}</td>
      <td data-label={texts.value.created}>
        <Time at={created_at} />
      </td>
      <td data-label={texts.value.expires}>
        <WhenOrNever at={expires_at} />
      </td>
      <td data-label={texts.value.lastUsed}>
        <WhenOrNever at={last_used_at} />
      </td>
      <UsedToday listed={listed} />
      <td class={design.buttons}>
        <Button kind="quiet" aria-label={`${texts.value.quotaOf(owner)}…`} onClick={onQuota}>
          {texts.value.change}
        </Button>
        <Button kind="danger" onClick={onRevoke}>
          {texts.value.revoke}
        </Button>
      </td>
    </tr>
  );
};

const Made = ({ made }: { made: NewKey }) => (
  <div class={styles.made} role="status">
    <p>{texts.value.newKey}</p>
    <code>{made.key}</code>
    <Button onClick={() => void copyText(made.key)}>{texts.value.copy}</Button>
  </div>
);

const COLUMNS = ['owner', 'role', 'created', 'expires', 'lastUsed', 'turns', 'tokens'] as const;

const Keys = ({ keys, reload }: { keys: readonly ListedKey[]; reload: () => void }) => {
  const made = useSignal<NewKey | null>(null);
  const revoked = useSignal<ListedKey | null>(null);
  const changed = useSignal<ListedKey | null>(null);
  const { problem, change } = useChange(() => {
    revoked.value = null;
    reload();
  });
  return (
    <div class={styles.part}>
      <AddKey
        onMade={(key) => {
          made.value = key;
          reload();
        }}
      />
      {made.value !== null && <Made made={made.value} />}
      <Refusal error={problem.value} />
      {keys.length === 0 ? (
        <Empty title={texts.value.noKeys}>
          <p>{texts.value.noKeysHint}</p>
        </Empty>
      ) : (
        <Table label={texts.value.keys} columns={[...COLUMNS.map((name) => texts.value[name]), '']}>
          {keys.map((key) => (
            <Row
              key={key.id}
              listed={key}
              onRevoke={() => {
                revoked.value = key;
              }}
              onQuota={() => {
                changed.value = key;
              }}
            />
          ))}
        </Table>
      )}
      {revoked.value !== null && (
        <Dialog
          title={texts.value.revoke}
          onClose={() => {
            revoked.value = null;
          }}
        >
          <p>{texts.value.revokeSure(revoked.value.owner)}</p>
          <div class={design.buttons}>
            <Button
              onClick={() => {
                revoked.value = null;
              }}
            >
              {shared.value.cancel}
            </Button>
            <Button kind="danger" onClick={() => void change(() => revokeKey(revoked.value?.id ?? ''))}>
              {texts.value.revoke}
            </Button>
          </div>
        </Dialog>
      )}
      {changed.value !== null && (
        <QuotaDialog
          owner={changed.value.owner}
          quota={changed.value.quota}
          onClose={() => {
            changed.value = null;
          }}
          onSaved={() => {
            changed.value = null;
            reload();
          }}
        />
      )}
    </div>
  );
};

/** Keys and quotas, for operators. */
export const KeysPart = () => (
  <LoadedPart
    load={listKeys}
    otherwise={(error) =>
      error instanceof ApiProblem && error.status === 403 ? (
        <Empty title={texts.value.forOperators}>
          <p>{texts.value.forOperatorsHint}</p>
        </Empty>
      ) : undefined
    }
  >
    {(keys, reload) => <Keys keys={keys} reload={reload} />}
  </LoadedPart>
);
