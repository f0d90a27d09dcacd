import type { Plugin } from 'vite';
import { chartLayout } from './chart-layout.ts';

/** The module that has the chart, by the name under which it is imported. */
const NAME = 'virtual:chart';
const RESOLVED = `\0${NAME}`;

/** Gives the console's code the task machine laid out: its coordinates are built in, and what laid it out is not. */
export const chartPlugin = (): Plugin => ({
  name: 'chart',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: async (id) => (id === RESOLVED ? `export const chart = ${JSON.stringify(await chartLayout())};` : null),
});
