import type { TurnRequest } from '../../../contracts/http.ts';
import { Icon } from '../design/icon.tsx';
import { Menu } from '../design/popover.tsx';
import { remembered } from '../state/remembered.ts';
import { defineTexts } from '../text/language.ts';
import styles from './chat.module.css';

const texts = defineTexts({
  label: ['Before a task begins', '任务开始前'],
  off: ['Begin at once', '直接开始'],
  offNote: ['without showing the plan first', '不先给出计划'],
  plan: ['Plan first', '先看计划'],
  planNote: ['it shows the plan, and waits', '先给出计划并等待'],
  look: ['Look first', '先了解再计划'],
  lookNote: ['it reads, shows the plan, and waits', '先查看资料，给出计划并等待'],
});

/** Whether tasks show their plan first: at once, or once reading tools have been called for it. */
const planFirst = remembered<'off' | 'plan' | 'look'>('plan-first', 'off');

/** The options that the choice adds to a turn that opens a task. */
export const planOptions = (input: string): Pick<TurnRequest, 'confirm_plan'> => {
  if (planFirst.peek() === 'off' || input.startsWith('/')) return {};
  return { confirm_plan: planFirst.peek() === 'look' ? 'after_looking' : true };
};

/** The choice whether the next task shows its plan before it begins. */
export const PlanFirst = () => {
  const words = texts.value;
  const choose = (way: 'off' | 'plan' | 'look') => ({
    title: words[way],
    note: words[`${way}Note`],
    run: () => {
      planFirst.value = way;
    },
  });
  const isOn = planFirst.value !== 'off';
  return (
    <Menu
      icon="plan"
      kind="normal"
      label={words.label}
      aria-pressed={isOn}
      items={[choose('off'), choose('plan'), choose('look')]}
    >
      <span class={styles.planFirst}>{isOn ? words[planFirst.value] : words.plan}</span>
      <Icon name="down" />
    </Menu>
  );
};
