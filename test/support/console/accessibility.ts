import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
}

/** Complaints of axe about a page as it is now, targets below 24 px among them: each rule with where it is broken. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  // Through the debugger, which the page's policy does not bind.
  await page.evaluate(`{ ${AXE} }; undefined`);
  const { violations } = (await page.evaluate(`axe.run({ rules: { 'target-size': { enabled: true } } })`)) as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
};
