import { beforeAll, describe, expect, it } from 'vitest';
import { type Chart, type ChartNode, COUNT, countPlaces, keyOf, sizeOf } from '../../src/console/machine/chart.ts';
import { chartLayout } from '../../src/console/machine/chart-layout.ts';

/** What a task goes through that calls tools, plans again and asks: states by their keys. */
const PATH = [
  ...['opened planning', 'planning outer.gate', 'outer.gate thinking', 'thinking acting', 'acting inner.gate'],
  ...['inner.gate thinking', 'thinking outer.gate', 'outer.gate replanning', 'replanning outer.gate'],
  ...['thinking awaiting_user', 'awaiting_user acting', 'replanning done'],
];

let chart: Chart;

beforeAll(async () => {
  chart = await chartLayout();
});

const takenEdges = () =>
  PATH.map((path, i) => {
    const [from = '', to = ''] = path.split(' ');
    const edge = chart.edges.find(
      (each) => each.from.endsWith(`.${from}`) && (each.to === to || each.to.endsWith(`.${to}`)),
    );
    if (edge === undefined) throw new Error(`no edge ${path}`);
    return { edge, count: i + 1 };
  });

/** Space between a point and a node; negative inside of it. */
const spaceTo = ({ x, y, width, height }: ChartNode, point: { x: number; y: number }): number =>
  Math.max(x - point.x, point.x - x - width, y - point.y, point.y - y - height);

describe('the chart of the machine', () => {
  it('is as wide as its pane: a third wider than high', () => {
    const { width, height } = sizeOf(chart);
    expect(width / height).toBeGreaterThan(1.2);
    expect(width / height).toBeLessThan(1.6);
  });

  it('has lines of straight parts from their state to another', () => {
    const states = chart.nodes.filter(({ kind }) => kind !== 'group');
    for (const { id, from, to, points } of chart.edges) {
      for (const [i, { x, y }] of points.slice(1).entries())
        expect([points[i]!.x === x, points[i]!.y === y].filter(Boolean), id).toHaveLength(1);
      const [source, target] = [states.find((node) => node.id === from), states.find((node) => node.id === to)];
      if (source !== undefined) expect(Math.abs(spaceTo(source, points[0]!)), id).toBeLessThan(1.5);
      if (target !== undefined) expect(Math.abs(spaceTo(target, points.at(-1)!)), id).toBeLessThan(1.5);
    }
  });

  it('writes counts on their lines, beside states, borders and each other', () => {
    const taken = takenEdges();
    const places = countPlaces(chart, taken);
    const seen = [...places.values()];
    for (const { edge } of taken) {
      const place = places.get(edge.id)!;
      for (const node of chart.nodes) {
        const space = Math.abs(spaceTo(node, place));
        expect(space, `${edge.id} at ${keyOf(node.id)}`).toBeGreaterThanOrEqual(COUNT.height / 2);
        if (node.kind !== 'group') expect(spaceTo(node, place), edge.id).toBeGreaterThan(0);
      }
      for (const other of seen.filter((each) => each !== place))
        expect(Math.max(Math.abs(other.x - place.x), Math.abs(other.y - place.y))).toBeGreaterThanOrEqual(COUNT.height);
    }
  });
});
