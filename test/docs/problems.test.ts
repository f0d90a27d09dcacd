import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorStatus, problemType, problemTypes } from '../../contracts/error-code.ts';

const rows = [...readFileSync('docs/problems.md', 'utf8').matchAll(/^\| `(\S+)` \| (\d*) ?\| (\S.*) \|$/gm)];

it('docs/problems.md has every problem type, with its status', () => {
  const documented = Object.fromEntries(rows.map(([, type = '', status = '']) => [type, status]));
  const statuses = Object.entries(errorStatus).map(([code, status]) => [problemType(code as never), String(status)]);
  expect(documented).toEqual({ ...Object.fromEntries(statuses), 'about:blank': '' });
  expect(Object.keys(documented).sort()).toEqual([...problemTypes].sort());
});
