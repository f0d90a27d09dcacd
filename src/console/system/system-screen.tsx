import { selectedTab, selectTab } from '../app/selection.ts';
import { Tabs } from '../design/tabs.tsx';
import { CallbacksPart } from './callbacks-part.tsx';
import { ContractsPart } from './contracts-part.tsx';
import { GoalsPart } from './goals-part.tsx';
import { KeysPart } from './keys-part.tsx';
import { LimitsPart } from './limits-part.tsx';
import { MemoryPart } from './memory-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { ToolsPart } from './tools-part.tsx';
import { UsagePart } from './usage-part.tsx';

/** The service itself: its tools, what is remembered and scheduled, what was used, its limits, contracts and keys. */
export const SystemScreen = () => (
  <div class={styles.system}>
    <h1 class="visually-hidden">{texts.value.title}</h1>
    <Tabs
      label={texts.value.title}
      chosen={selectedTab.value}
      onChoose={selectTab}
      tabs={[
        { name: 'tools', title: texts.value.tools, render: () => <ToolsPart /> },
        { name: 'memory', title: texts.value.memory, render: () => <MemoryPart /> },
        { name: 'goals', title: texts.value.goals, render: () => <GoalsPart /> },
        { name: 'callbacks', title: texts.value.callbacks, render: () => <CallbacksPart /> },
        { name: 'usage', title: texts.value.usage, render: () => <UsagePart /> },
        { name: 'limits', title: texts.value.limits, render: () => <LimitsPart /> },
        { name: 'contracts', title: texts.value.contracts, render: () => <ContractsPart /> },
        { name: 'keys', title: texts.value.keys, render: () => <KeysPart /> },
      ]}
    />
  </div>
);
