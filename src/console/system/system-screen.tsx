import { Tabs } from '../design/tabs.tsx';
import { selectedTab, selectTab } from '../state/selection.ts';
import { KeysPart } from './keys-part.tsx';
import { LimitsPart } from './limits-part.tsx';
import { CallbacksPart, GoalsPart, MemoryPart } from './lists-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { ContractsPart, ToolsPart } from './tools-part.tsx';
import { UsagePart } from './usage-part.tsx';

const tabs = [
  { name: 'tools', Part: ToolsPart },
  { name: 'memory', Part: MemoryPart },
  { name: 'goals', Part: GoalsPart },
  { name: 'callbacks', Part: CallbacksPart },
  { name: 'usage', Part: UsagePart },
  { name: 'limits', Part: LimitsPart },
  { name: 'contracts', Part: ContractsPart },
  { name: 'keys', Part: KeysPart },
] as const;

/** The service itself: its tools, memory, scheduled goals, usage, limits, contracts and keys. */
export const SystemScreen = () => (
  <div class={styles.system}>
    <h1 class="visually-hidden">{texts.value.title}</h1>
    <Tabs
      label={texts.value.title}
      chosen={selectedTab.value}
      onChoose={selectTab}
      tabs={tabs.map(({ name, Part }) => ({ name, title: texts.value[name], render: () => <Part /> }))}
    />
  </div>
);
