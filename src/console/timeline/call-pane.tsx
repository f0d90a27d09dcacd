import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/loaded.tsx';
import { type Tab, Tabs } from '../design/tabs.tsx';
import { NOTHING_SPENT, spentOn } from '../history/spent.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { InspectorHead } from '../sheet/sheet.tsx';
import { query, setQuery } from '../state/route.ts';
import { isCallBegun, selectCall, selectedCall, selectedSeq, selectSeq, stepCall } from '../state/selection.ts';
import { isOnePane } from '../state/window.ts';
import { eventTitle } from '../text/event-titles.ts';
import { AgainButton } from './again-button.tsx';
import { InputPart, OutputPart, RawPart, type ShownCall, StatePart } from './call-parts.tsx';
import { callWords } from './call-text.ts';
import { promptCallOf } from './prompt-call.ts';
import { PromptPart } from './prompt-part.tsx';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { chooseCall, isChosen } from './waterfall.tsx';

/** The chosen call, else what the selected moment's entry ended; undefined: there is none. */
const shownIn = (history: TaskHistory): ShownCall | undefined => {
  const { entries, shownCalls, index: looked } = history;
  const calls = shownCalls.value;
  const seq = selectedCall.value;
  if (seq === null) {
    if (looked.value < 0) return undefined;
    return { history, index: looked.value, call: calls.findLast(({ to }) => to === looked.value) ?? null };
  }
  const call = calls.find((each) => isChosen(each, entries)) ?? null;
  const index = call === null ? entries.findIndex((entry) => entry.seq === seq) : (call.to ?? call.from);
  return index < 0 ? undefined : { history, call, index };
};

/** Makes the keys for the next and previous call go on from the shown one. */
const useSteps = (history: TaskHistory, shown: ShownCall | undefined): void => {
  const { entries, shownCalls } = history;
  useEffect(() => {
    stepCall.value = (by) => {
      const calls = shownCalls.peek();
      const place =
        shown?.call === null || shown === undefined
          ? calls.findLastIndex(({ from }) => from <= (shown?.index ?? -1)) + (by < 0 ? 1 : 0)
          : calls.findIndex(({ from, kind }) => from === shown.call?.from && kind === shown.call.kind);
      const next = calls[place + by];
      if (selectedCall.peek() !== null && next !== undefined) chooseCall(next, entries);
    };
    return () => {
      stepCall.value = null;
    };
  }, [history, shown?.index, shown?.call]);
};

/** The name of a call, with its round on the item. */
const titleOf = ({ history, call, index }: ShownCall): string => {
  if (call === null) return eventTitle(history.entries[index]!.event);
  const { title } = callWords(call, history.entries);
  return call.effect?.type === 'model.thought' ? timelineTexts.value.round(title, call.place.round) : title;
};

/** When a call was, and what it took. */
const Took = ({ history: { entries, index: looked }, call, index }: ShownCall) => {
  const until = Date.parse(entries[looked.value]!.at);
  const spent = call === null ? NOTHING_SPENT : spentOn(call, entries, until);
  return <SpentLine at={entries[call?.from ?? index]!.at} spent={spent} />;
};

/** The parts of a call, a tab each. */
const Parts = ({ shown, hasService }: { shown: ShownCall; hasService: boolean }) => {
  const texts = timelineTexts.value;
  const { history, call, index } = shown;
  const prompt = promptCallOf(history.entries, call, index);
  const again = prompt !== null && call?.kind === 'model' && hasService ? <AgainButton of={prompt.asked} /> : null;
  const part = (name: string, title: string, content: ComponentChildren): Tab => ({
    name,
    title,
    render: () => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      <section class="scrolls" tabIndex={0} aria-label={`${titleOf(shown)}: ${title}`}>
        <div class="padded stack" data-detail={history.entries[index]!.seq}>
          <div class={`${styles.top} line`}>
            <Took {...shown} />
            {again}
          </div>
          {content}
        </div>
      </section>
    ),
  });
  const tabs = [
    part('input', texts.input, <InputPart {...shown} />),
    part('output', texts.output, <OutputPart key={index} {...shown} />),
    ...(prompt === null
      ? []
      : [{ name: 'prompt', title: texts.prompt, render: () => <PromptPart {...prompt} hasService={hasService} /> }]),
    part('state', texts.state, <StatePart {...shown} />),
    part('raw', texts.raw, <RawPart {...shown} />),
  ];
  return (
    <Tabs
      label={texts.parts}
      chosen={query.value.get('part') ?? 'output'}
      onChoose={(name) => setQuery({ part: name })}
      tabs={tabs}
    />
  );
};

/** The moment that one looks at: what happened there, what it changed, and what the caller adds. */
const Moment = ({ shown, children }: { shown: ShownCall; children: ComponentChildren }) => {
  const texts = timelineTexts.value;
  const { history, index } = shown;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="scrolls" tabIndex={0} aria-label={texts.moment}>
      <div class={`${styles.part} padded stack`} data-detail={history.entries[index]!.seq}>
        <h4 class="label">{texts.happened}</h4>
        <p class="name">{titleOf(shown)}</p>
        <Took {...shown} />
        <OutputPart key={index} {...shown} />
      </div>
      <div class={`${styles.part} padded stack`}>
        <h4 class="label">{texts.changed}</h4>
        <StatePart {...shown} isShort />
      </div>
      {children}
    </section>
  );
};

interface CallPaneProps {
  history: TaskHistory;
  /** Prompts can be requested. */
  hasService: boolean;
  /** Below what happened at a moment. */
  children?: ComponentChildren;
}

/**
 * A call in the inspector, or the selected moment. The chosen moment stays; a button goes to the call's moment.
 */
export const CallPane = ({ history, hasService, children }: CallPaneProps) => {
  const texts = timelineTexts.value;
  const { entries, count } = history;
  void count.value;
  const shown = shownIn(history);
  useSteps(history, shown);
  if (shown === undefined) {
    if (entries.length === 0) return null;
    return (
      <>
        <InspectorHead title={texts.noEntryTitle} back={<Back />} />
        <Empty title={texts.noEntry(String(selectedCall.value))} />
      </>
    );
  }
  const entry = entries[shown.index]!;
  const last = entries.at(-1)!.seq;
  if (selectedCall.value === null)
    return (
      <>
        <InspectorHead title={texts.entry(entry.seq)} note={texts.ofEntries(last)}>
          <Button size="small" kind="quiet" onClick={() => selectCall(entry.seq)}>
            {texts.wholeCall}
          </Button>
        </InspectorHead>
        <Moment shown={shown}>{children}</Moment>
      </>
    );
  return (
    <>
      <InspectorHead title={titleOf(shown)} note={texts.place(entry.seq, last)} back={<Back />}>
        {(selectedSeq.value !== entry.seq || isCallBegun.value) && (
          <Button size="small" onClick={() => selectSeq(entry.seq)}>
            {texts.goTo}
          </Button>
        )}
      </InspectorHead>
      <Parts shown={shown} hasService={hasService} />
    </>
  );
};

/** The way back to what the call took the place of. */
const Back = () => {
  const { toPlan, toView } = timelineTexts.value;
  return <Button icon="left" title={isOnePane.value ? toView : toPlan} onClick={() => selectCall(null)} />;
};
