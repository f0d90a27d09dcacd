import { useSignal } from '@preact/signals';
import type { ListedKey, NewKey, QuotaChange, Role } from '../../../contracts/access.ts';
import { nullIf, path, request, send } from '../api/request.ts';
import { allItems } from '../api/routes.ts';
import { CopyButton } from '../design/copy.tsx';
import { bound } from '../design/fields.tsx';
import { Field, Form, FormButton, numberIn } from '../design/form.tsx';
import { Empty, LoadedPart, Table } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { shared } from '../text/shared.ts';
import { shell } from '../text/shell.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { usedToday } from './usage-part.tsx';

const timeOrNever = (at: string | null) => (at === null ? texts.value.never : <Time at={at} mayBeAhead />);

const DAY_MS = 24 * 60 * 60 * 1_000;

const ROLES = ['user', 'operator', 'front_end'] as const satisfies Role[];

/** A form that makes a key. `onMade` gets the key, which nobody else ever sees. */
const AddKey = ({ onMade }: { onMade: (key: NewKey) => void }) => {
  const role = useSignal<Role>('user');
  const words = texts.value;
  return (
    <Form
      class="card padded stack"
      label={words.addKey}
      submit={words.addKey}
      save={async ({ owner = '', roles = '', days }) => {
        const count = numberIn(days);
        const expires_at = count === null ? null : new Date(Date.now() + count * DAY_MS).toISOString();
        const named = roles.split(/[\s,，、]+/).filter((name) => name !== '');
        const body = { owner: owner.trim(), role: role.value, expires_at, ...(named.length > 0 && { roles: named }) };
        onMade(await request<NewKey>('/v1/keys', { method: 'POST', body }));
        role.value = 'user';
      }}
    >
      <div class={styles.keyFields}>
        <Field
          name="owner"
          title={words.owner}
          takes={words.ownerTakes}
          placeholder="ada"
          autocomplete="off"
          required
          pattern="\s*[A-Za-z0-9_\-]{1,64}\s*"
        />
        <Field title={words.role}>
          <select {...bound(role)} aria-describedby="role-means">
            {ROLES.map((name) => (
              <option key={name} value={name}>
                {shell.value[name]}
              </option>
            ))}
          </select>
        </Field>
        {role.value !== 'front_end' && (
          <Field name="roles" title={words.mayApprove} placeholder="finance, support" autocomplete="off" />
        )}
        <Field name="days" title={words.days} type="number" min="1" max="36500" />
      </div>
      <p id="role-means" class="small muted">
        {words[`${role.value}_means`]}
      </p>
    </Form>
  );
};

/** The button of an owner's daily quota. */
const QuotaButton = ({ listed: { owner, quota }, reload }: { listed: ListedKey; reload: () => void }) => {
  const field = (name: 'turns' | 'tokens') => (
    <Field
      name={name}
      title={texts.value[`${name}PerDay`]}
      type="number"
      min="0"
      placeholder={texts.value.anyNumber}
      defaultValue={String(quota?.[`${name}_per_day`] ?? '')}
    />
  );
  const save = async ({ turns, tokens, cost = '' }: Record<string, string>): Promise<void> => {
    const body: QuotaChange = {
      turns_per_day: numberIn(turns),
      tokens_per_day: numberIn(tokens),
      cost_per_day: cost.trim() === '' ? null : cost.trim(),
    };
    await send(path`/v1/quotas/${owner}`, { method: 'PATCH', body });
    reload();
  };
  const title = texts.value.quotaOf(owner);
  return (
    <FormButton
      button={{ kind: 'quiet', 'aria-label': `${title}…`, children: texts.value.change }}
      title={title}
      submit={shared.value.save}
      save={save}
    >
      <p class="muted">{texts.value.quotaHint}</p>
      {field('turns')}
      {field('tokens')}
      <Field
        name="cost"
        title={texts.value.costPerDay}
        takes={texts.value.amountTakes}
        inputMode="decimal"
        pattern="(0|[1-9][0-9]*)(\.[0-9]{1,12})?"
        placeholder={texts.value.anyNumber}
        defaultValue={quota?.cost_per_day ?? ''}
      />
    </FormButton>
  );
};

const Keys = ({ keys, reload }: { keys: readonly ListedKey[]; reload: () => void }) => {
  const made = useSignal<NewKey | null>(null);
  return (
    <>
      <AddKey
        onMade={(key) => {
          made.value = key;
          reload();
        }}
      />
      {made.value !== null && (
        <div class="card padded line" role="status">
          {texts.value.newKey(made.value.owner)} <code class={styles.newKey}>{made.value.key}</code>{' '}
          <CopyButton text={made.value.key} />
        </div>
      )}
      <Table
        label={texts.value.keys}
        items={keys}
        empty={[texts.value.noKeys, texts.value.noKeysHint]}
        columns={[
          [
            texts.value.owner,
            ({ owner, id }) => (
              <>
                {owner} <code class="small muted">{id}</code>
              </>
            ),
          ],
          [texts.value.role, ({ role }) => shell.value[role]],
          [texts.value.mayApprove, ({ roles }) => (roles.length === 0 ? '–' : roles.join(', '))],
          [texts.value.created, ({ created_at }) => <Time at={created_at} />],
          [texts.value.expires, ({ expires_at }) => timeOrNever(expires_at)],
          [texts.value.lastUsed, ({ last_used_at }) => timeOrNever(last_used_at)],
          ...usedToday(),
          [
            '',
            (listed) => (
              <>
                <QuotaButton listed={listed} reload={reload} />
                <FormButton
                  button={{ kind: 'danger', children: texts.value.revoke }}
                  title={texts.value.revoke}
                  submit={texts.value.revoke}
                  kind="danger"
                  save={() => send(path`/v1/keys/${listed.id}`, { method: 'DELETE' }).then(reload)}
                >
                  <p>{texts.value.revokeSure(listed.owner, listed.id)}</p>
                </FormButton>
              </>
            ),
          ],
        ]}
      />
      <p class="small muted">{texts.value.notListed}</p>
    </>
  );
};

/** Keys and quotas, for operators. */
export const KeysPart = () => (
  <LoadedPart load={(signal) => allItems<ListedKey>('/v1/keys', 'keys', signal).catch(nullIf(403))}>
    {(keys, change) =>
      keys === null ? (
        <Empty title={texts.value.forOperators}>{texts.value.forOperatorsHint}</Empty>
      ) : (
        <Keys keys={keys} reload={change} />
      )
    }
  </LoadedPart>
);
