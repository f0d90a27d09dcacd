import type { ComponentChildren } from 'preact';
import { Boundary } from '../design/loaded.tsx';
import { Separator } from '../design/separator.tsx';
import { type Tab, Tabs } from '../design/tabs.tsx';
import { remembered } from '../state/remembered.ts';
import { selectedCall, selectedSeq, selectedTab, selectTab } from '../state/selection.ts';
import { isOnePane } from '../state/window.ts';
import { shell } from '../text/shell.ts';
import styles from './sheet.module.css';

/** The width of the inspector as the user moved it, in pixels; empty: as the window has it. */
const inspectorWidth = remembered<string>('width.inspector', '');

/** The widths that the inspector can be moved to, in pixels. */
const [INSPECTOR_MIN, INSPECTOR_MAX] = [320, 1_000];

/** The inspector's own width in this window, in pixels, as the tokens have it. */
const ownWidth = (): number => (innerWidth <= 1_360 ? 360 : Math.min(640, Math.max(420, innerWidth / 3 - 60)));

interface SheetProps {
  /** The one header: title, state, figures, actions. */
  head: ComponentChildren;
  /** The view in the middle. */
  views: readonly Tab[];
  /** The inspector's content: the plan, or the chosen call. */
  inspector: ComponentChildren;
  /** Below the view in the middle: what waits elsewhere. */
  strip?: ComponentChildren;
  /** Below everything: the slider over the history. */
  slider: ComponentChildren;
  /** Its place is kept, also before it is there. */
  hasSlider?: boolean;
}

/** The inspector beside the views, with the separator that moves its edge. */
const Inspector = ({ children }: { children: ComponentChildren }) => (
  <section class={styles.inspector} aria-label={shell.value.inspector}>
    <Separator
      label={shell.value.resizeInspector}
      width={inspectorWidth}
      initial={ownWidth}
      min={INSPECTOR_MIN}
      max={INSPECTOR_MAX}
      of="after"
    />
    <Boundary>{children}</Boundary>
  </section>
);

/**
 * The sheet that a task lies on: one header, the views in the middle, the inspector that follows them, and the slider
 * below. Where there is no room for the inspector, the plan is one more view, and a chosen call has the sheet for itself.
 */
export const Sheet = ({ head, views, inspector, strip, slider, hasSlider = true }: SheetProps) => {
  const plan: Tab = { name: 'plan', title: shell.value.plan, render: () => inspector };
  const isCallAlone = isOnePane.value && selectedCall.value !== null;
  const width = inspectorWidth.value === '' ? {} : { '--inspector': `${inspectorWidth.value}px` };
  return (
    <div class={styles.sheet} data-view={selectedTab.value ?? views[0]?.name} style={width}>
      <Boundary>{head}</Boundary>
      <section class={styles.middle} aria-label={shell.value.views}>
        {isCallAlone ? (
          <div class="column" key="call">
            <Boundary>{inspector}</Boundary>
          </div>
        ) : (
          <Tabs
            label={shell.value.views}
            chosen={selectedTab.value}
            onChoose={selectTab}
            tabs={isOnePane.value ? [...views, plan] : views}
          />
        )}
        {strip}
      </section>
      {!isOnePane.value && <Inspector>{inspector}</Inspector>}
      {hasSlider && (
        <div class={styles.slider} data-past={selectedSeq.value !== null}>
          <Boundary>{slider}</Boundary>
        </div>
      )}
    </div>
  );
};

interface InspectorHeadProps {
  title: string;
  /** Beside the title. */
  note?: ComponentChildren;
  /** Before the title: the way back to the plan. */
  back?: ComponentChildren;
  /** At the end of the line. */
  children?: ComponentChildren;
}

/** The first line of the inspector, level with the line of the views. */
export const InspectorHead = ({ title, note, back, children }: InspectorHeadProps) => (
  <header class={styles.inspectorHead}>
    {back}
    <h3 class="clipped">{title}</h3>
    {note !== undefined && <span class="small muted clipped">{note}</span>}
    <span class={styles.tools}>{children}</span>
  </header>
);
