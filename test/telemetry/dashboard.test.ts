import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const FOLDER = 'examples/compose';
const { activity, isReady } = stubEngine({});

/** Every name that a series of `/metrics` has. */
const seriesNames = async (): Promise<Set<string>> => {
  const { text } = await createMetrics({
    activity,
    isReady,
    version: '1',
    connectionsWaiting: () => 0,
    homes: () => [],
  }).exposition();
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
};

const namesIn = (expression: string): string[] => expression.match(/\b(?:tripact|nodejs|process)_[a-z0-9_]+/g) ?? [];

interface Panel {
  title: string;
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  datasource?: { uid: string };
  targets?: { expr: string }[];
}

const { panels } = JSON.parse(readFileSync(`${FOLDER}/grafana/dashboards/tripact.json`, 'utf8')) as { panels: Panel[] };
const alerts = parse(readFileSync(`${FOLDER}/alerts.yml`, 'utf8')).groups.flatMap(
  ({ rules }: { rules: { alert: string; expr: string }[] }) => rules,
) as { alert: string; expr: string }[];

it('the dashboard and the alerts ask only for what /metrics gives', async () => {
  const known = await seriesNames();
  const asked = [...panels.flatMap(({ targets = [] }) => targets), ...alerts].flatMap(({ expr }) => namesIn(expr));
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  expect(asked.length).toBeGreaterThan(30);
});

it('the dashboard shows everything of the service that /metrics counts', async () => {
  const shown = new Set(panels.flatMap(({ targets = [] }) => targets).flatMap(({ expr }) => namesIn(expr)));
  const counted = [...(await seriesNames())].filter((name) => /^tripact_.*(?<!_sum|_count)$/.test(name));
  expect(counted.filter((name) => !shown.has(name))).toEqual([]);
});

it('the dashboard asks the source that is provisioned, and no panel lies over another', () => {
  const { datasources } = parse(readFileSync(`${FOLDER}/grafana/provisioning/datasources/prometheus.yml`, 'utf8'));
  const charts = panels.filter(({ targets }) => targets !== undefined);
  expect(new Set(charts.map(({ datasource }) => datasource?.uid))).toEqual(new Set([datasources[0].uid]));
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

it('docs/observability.md says of every metric of the service what it is, and of every alert what to do', async () => {
  const page = readFileSync('docs/observability.md', 'utf8');
  const families = new Set([...(await seriesNames())].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const own = [...families].filter((name) => name.startsWith('tripact_'));
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  expect(alerts.map(({ alert }) => alert).filter((alert) => !page.includes(`\`${alert}\``))).toEqual([]);
});
