import { beforeAll, describe, expect, it } from 'vitest';
import { pathOf, statesOf, taskArrows } from '../../machines/arrows.ts';
import { taskMachine } from '../../machines/task-machine.ts';
import type { Chart, ChartNode } from '../../src/console/machine/chart.ts';
import { chartLayout } from '../../src/console/machine/chart-layout.ts';

const isOnBorder = ({ x, y }: { x: number; y: number }, node: ChartNode): boolean => {
  const isBetween = (at: number, start: number, length: number) => at >= start - 1 && at <= start + length + 1;
  const isAt = (at: number, start: number, length: number) =>
    [start, start + length].some((side) => Math.abs(at - side) <= 1);
  return (
    (isAt(x, node.x, node.width) && isBetween(y, node.y, node.height)) ||
    (isAt(y, node.y, node.height) && isBetween(x, node.x, node.width))
  );
};

let chart: Chart;
let nodes: Map<string, ChartNode>;

beforeAll(async () => {
  chart = await chartLayout();
  nodes = new Map(chart.nodes.map((node) => [node.id, node]));
});

describe('the chart of the task machine', () => {
  it('has each state of the machine once, with a size', () => {
    expect(chart.nodes.map(({ id }) => id)).toEqual(statesOf(taskMachine.root).slice(1).map(pathOf));
    for (const { width, height } of chart.nodes) expect(Math.min(width, height)).toBeGreaterThan(0);
  });

  it('has each transition of the machine once, in an edge or in the state that it stays in', () => {
    const drawn = [
      ...chart.edges.flatMap(({ arrows }) => arrows),
      ...chart.nodes.flatMap(({ stays }) => stays),
      ...chart.everywhere,
    ];
    expect(drawn.map(({ id }) => id).sort()).toEqual(
      taskArrows()
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('shows the inner loop inside of the outer one', () => {
    expect(nodes.get('outer')).toMatchObject({ kind: 'group', parent: null });
    expect(nodes.get('outer.inner')).toMatchObject({ kind: 'group', parent: 'outer' });
    expect(nodes.get('outer.inner.thinking')).toMatchObject({ parent: 'outer.inner', effect: 'model.thought' });
  });

  it('draws each edge from the border of one state to that of another, within the chart', () => {
    for (const { id, from, to, points } of chart.edges) {
      expect(points.length).toBeGreaterThan(1);
      expect(isOnBorder(points[0]!, nodes.get(from)!), `${id} begins at its state`).toBe(true);
      expect(isOnBorder(points.at(-1)!, nodes.get(to)!), `${id} ends at its state`).toBe(true);
      for (const { x, y } of points) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(chart.width);
        expect(y).toBeLessThanOrEqual(chart.height);
      }
    }
  });
});
