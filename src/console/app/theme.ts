import { effect, signal } from '@preact/signals';
import { remembered } from './remembered.ts';

/** Light, dark, or whichever the system asks for. */
export type Theme = 'system' | 'light' | 'dark';

const stored = remembered('theme');

const asTheme = (name: string | null): Theme => (name === 'light' || name === 'dark' ? name : 'system');

export const theme = signal<Theme>(asTheme(stored.read()));

export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen;
  stored.write(chosen);
};

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
