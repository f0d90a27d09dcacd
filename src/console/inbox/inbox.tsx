import { Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Boundary, Loaded, lazy } from '../design/loaded.tsx';
import { MarkdownLine } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { isPhone } from '../state/window.ts';
import styles from './inbox.module.css';
import { type InboxItem, inboxItems, itemHref, namedItem, sessionOf } from './inbox-items.ts';
import { askForNotifications, mayAskForNotifications, texts, waiting } from './waiting.ts';

/** The whole card of an item. */
export const ItemCard = lazy(async () => (await import('./item-card.tsx')).ItemCard);

const Row = ({ item, isShown }: { item: InboxItem; isShown: boolean }) => (
  <a
    class={styles.row}
    href={isPhone.value ? (sessionOf(item) ?? itemHref(item)) : itemHref(item)}
    aria-current={isShown ? 'true' : undefined}
    data-row
  >
    <Sign meaning="waiting" />
    <span class="name clipped" dir="auto">
      <MarkdownLine text={item.title} />
    </span>
    <span class="muted small">
      <Time at={item.since} />
    </span>
    <span class={`${styles.kind} clipped muted small`} dir="auto">
      {item.kind}
    </span>
  </a>
);

/** Waiting tasks on the left, and one of them as its whole card; on a phone its own screen shows the card. */
const Desk = ({ items }: { items: readonly InboxItem[] }) => {
  const named = items.find(({ key }) => key === namedItem.value);
  const shown = named ?? (isPhone.value ? undefined : items[0]);
  return (
    <div class={styles.desk} data-has-card={shown !== undefined}>
      <ul class={styles.list}>
        {items.map((item) => (
          <li key={`${item.key} ${item.since}`}>
            <Boundary>
              <Row item={item} isShown={item === shown} />
            </Boundary>
          </li>
        ))}
        {waiting.loaded.value.value?.next != null && <li class={`${styles.more} muted small`}>{texts.value.more}</li>}
      </ul>
      {shown !== undefined && (
        <Boundary key={`${shown.key} ${shown.since}`}>
          <ItemCard item={shown} />
        </Boundary>
      )}
    </div>
  );
};

/** Everything that waits for the user, over all sessions, and the actions of others that they may decide about. */
export const Inbox = () => (
  <section aria-labelledby="inbox-title">
    <div class={styles.head}>
      <h2 id="inbox-title">{texts.value.title}</h2>
      {inboxItems.value.length > 1 && <span class="muted small">{texts.value.newestFirst}</span>}
      <span class="fill" />
      {mayAskForNotifications.value && (
        <Button kind="quiet" onClick={() => void askForNotifications()}>
          {texts.value.notify}
        </Button>
      )}
    </div>
    <Loaded from={waiting.loaded.value} onRetry={waiting.reload}>
      {() =>
        inboxItems.value.length === 0 ? (
          <div class={styles.none}>
            <p class="name">{texts.value.none}</p>
            <p class="muted">{texts.value.noneHint}</p>
          </div>
        ) : (
          <Desk items={inboxItems.value} />
        )
      }
    </Loaded>
  </section>
);
