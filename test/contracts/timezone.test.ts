import { expect, it } from 'vitest';
import { Timezone } from '../../contracts/http.ts';

it.each(['Europe/Kiev', 'europe/kiev', 'EUROPE/KIEV', 'UTC', 'Etc/GMT+5', '+08:00', 'Asia/Shanghai'])(
  '%s is a zone',
  (name) => {
    expect(Timezone.safeParse(name).success).toBe(true);
  },
);

it.each(['Etc/GMT+25', '__proto__', '', 'Mars/Base', ' UTC', '+25:00'])('%j is not a zone', (name) => {
  expect(Timezone.safeParse(name).success).toBe(false);
});
