import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '../../src/config/settings.ts';

it('docs/configuration.md has every variable, with its default', () => {
  const rows = [
    ...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| (?:`(.*?)`)? ?\| \S.* \|$/gm),
  ];
  const documented = Object.fromEntries(rows.map(([, name = '', fallback = '']) => [name, fallback]));
  expect(documented).toEqual(
    Object.fromEntries(Object.entries(settings).map(([name, { fallback }]) => [name, fallback ?? ''])),
  );
});
