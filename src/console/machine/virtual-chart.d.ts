/** The task machine laid out, as `chart-plugin.ts` builds it in. */
declare module 'virtual:chart' {
  export const chart: import('./chart.ts').Chart;
}
