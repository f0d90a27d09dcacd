import type { UserView } from '../../../contracts/access.ts';
import { listUsers } from '../api/service-routes.ts';
import { formatNumber } from '../text/numbers.ts';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** Somebody's use of today beside their daily limits: a cell each for turns and tokens. */
export const UsedToday = ({ listed: { quota, today } }: { listed: Pick<UserView, 'quota' | 'today'> }) =>
  (['turns', 'tokens'] as const).map((name) => {
    const limit = quota?.[`${name}_per_day`] ?? null;
    return (
      <td key={name} data-label={texts.value[name]} class={styles.number}>
        {formatNumber.value(today[name])} / {limit === null ? texts.value.anyNumber : formatNumber.value(limit)}
      </td>
    );
  });

/** Today's use of each user of a front end, for operators; nothing for others, and where there are none. */
export const UsersPart = () => (
  <LoadedPart load={listUsers} otherwise={() => <></>}>
    {(users) =>
      users.length > 0 && (
        <>
          <h2>{texts.value.users}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach. */}
          <section class={styles.scroll} tabIndex={0} aria-label={texts.value.users}>
            <table class={styles.table}>
              <thead>
                <tr>
                  {(['user', 'turns', 'tokens'] as const).map((name) => (
                    <th key={name} scope="col">
                      {texts.value[name]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {users.map((listed) => (
                  <tr key={listed.user}>
                    <th scope="row">{listed.user}</th>
                    <UsedToday listed={listed} />
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )
    }
  </LoadedPart>
);
