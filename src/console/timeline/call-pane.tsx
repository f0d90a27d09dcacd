import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/loaded.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { InspectorHead } from '../sheet/sheet.tsx';
import { selectCall, selectedCall, selectedSeq, selectSeq, stepCall } from '../state/selection.ts';
import { eventTitle } from '../text/event-titles.ts';
import { locale } from '../text/numbers.ts';
import { EntryDetail } from './entry-detail.tsx';
import { timelineTexts } from './texts.ts';

/** The chosen call's place in the history, else that of the moment; -1: there is none. */
const placeIn = ({ entries, index, count }: TaskHistory): number => {
  void count.value;
  const seq = selectedCall.value;
  return seq === null ? index.value : entries.findIndex((entry) => entry.seq === seq);
};

interface CallPaneProps {
  history: TaskHistory;
  /** Prompts can be requested. */
  hasService: boolean;
  /** Below the entry. */
  children?: ComponentChildren;
}

/** A call in the inspector. The chosen moment stays; a button goes to the call's moment. */
export const CallPane = ({ history, hasService, children }: CallPaneProps) => {
  const texts = timelineTexts.value;
  const { entries } = history;
  const index = placeIn(history);
  const entry = entries[index];
  useEffect(() => {
    stepCall.value = (by) => {
      const next = entries[index + by];
      if (selectedCall.peek() !== null && next !== undefined) selectCall(next.seq);
    };
    return () => {
      stepCall.value = null;
    };
  }, [entries, index]);
  if (entry === undefined) {
    if (entries.length === 0) return null;
    return (
      <>
        <InspectorHead title={texts.noEntryTitle} back={<Back />} />
        <Empty title={texts.noEntry(String(selectedCall.value))} />
      </>
    );
  }
  const time = new Intl.DateTimeFormat(locale.value, { timeStyle: 'medium' }).format(Date.parse(entry.at));
  return (
    <>
      <InspectorHead
        title={eventTitle(entry.event)}
        note={texts.place(entry.seq, entries.at(-1)!.seq, time)}
        back={selectedCall.value !== null && <Back />}
      >
        {selectedCall.value !== null && selectedSeq.value !== entry.seq && (
          <Button size="small" onClick={() => selectSeq(entry.seq)}>
            {texts.goTo}
          </Button>
        )}
      </InspectorHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scrolls" tabIndex={0} aria-label={`${entry.seq} ${eventTitle(entry.event)}`}>
        <EntryDetail key={entry.seq} history={history} index={index} hasService={hasService} />
        {children}
      </section>
    </>
  );
};

const Back = () => <Button icon="left" title={timelineTexts.value.toPlan} onClick={() => selectCall(null)} />;
