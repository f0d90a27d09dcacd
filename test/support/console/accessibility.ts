import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
}

/** Violations that axe finds in the current page, including targets below 24 px: each rule with the elements. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  // By the debugger, to which the page's policy does not apply.
  await page.evaluate(`{ ${AXE} }; undefined`);
  const { violations } = (await page.evaluate(`axe.run({ rules: { 'target-size': { enabled: true } } })`)) as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
};
