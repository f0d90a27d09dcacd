import { computed, effect, signal } from '@preact/signals';
import { route } from './route.ts';
import { selectedTab } from './selection.ts';
import { isNarrow, isPhone, isWide } from './window.ts';

/** The list is opened over a session that has no room beside it. */
const isOpened = signal(false);

/** Whether the session that is shown leaves room for the list. */
const isFolded = computed(
  () => isNarrow.value || (!isWide.value && (selectedTab.value === 'timeline' || selectedTab.value === 'machine')),
);

/**
 * Where the list of sessions is: beside the screen, over it, `alone` as a screen of its own, or nowhere. It stands with
 * sessions alone.
 */
export const listPlace = computed((): 'beside' | 'over' | 'alone' | 'none' => {
  const { page } = route.value;
  if (page === 'sessions') return isPhone.value ? 'alone' : 'beside';
  if (page !== 'session' || isPhone.value) return 'none';
  if (!isFolded.value) return 'beside';
  return isOpened.value ? 'over' : 'none';
});

/** True where the list can be opened over the screen. */
export const mayOpenList = computed(() => route.value.page === 'session' && !isPhone.value && isFolded.value);

/** Opens the list over the screen, or closes it. */
export const openList = (isOpen: boolean): void => {
  isOpened.value = isOpen;
};

// Another screen, and another view of the same one, has it closed.
effect(() => {
  void route.value;
  void selectedTab.value;
  isOpened.value = false;
});
