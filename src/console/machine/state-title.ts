import { type StateName, states } from '../text/states.ts';
import type { ChartNode } from './chart.ts';
import { machineTexts } from './texts.ts';

/** The name of a state of the chart. */
export const stateTitle = ({ id, key }: Pick<ChartNode, 'id' | 'key'>): string => {
  const texts = machineTexts.value;
  switch (id) {
    case 'outer':
      return texts.outer;
    case 'outer.inner':
      return texts.inner;
    case 'outer.gate':
      return texts.outerGate;
    case 'outer.inner.gate':
      return texts.innerGate;
    case 'opened':
      return texts.opened;
    default:
      return key in states.value ? states.value[key as StateName] : key;
  }
};
