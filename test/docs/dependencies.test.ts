import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

it('docs/dependencies.md gives the purpose of every dependency', () => {
  const rows = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| (\S+) \| [\d,]+ \| \S.* \|$/gm)];
  const named = rows.map(([, name]) => name).sort();
  const peers = 'peerDependencies' in manifest ? Object.keys(manifest.peerDependencies as object) : [];
  expect(named).toEqual([...Object.keys(manifest.dependencies), ...peers].sort());
});
