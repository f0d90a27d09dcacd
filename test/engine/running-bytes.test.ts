import { expect, it } from 'vitest';
import { createRunningBytes, mayGoOn } from '../../src/engine/running-bytes.ts';

const MIB = 1024 * 1024;
const limits = { running_bytes: 128 * MIB, running_bytes_in_all: 192 * MIB };

it('tasks of many owners that grow together are paused before they fill the memory, but for owners who hold little', () => {
  const running = createRunningBytes();
  const owners = Array.from({ length: 8 }, (_, i) => `owner${i}`);
  for (const owner of owners) running.set(owner, owner, 29 * MIB);
  running.set('little', 'little', 7 * MIB);
  expect(running.inAll()).toBeLessThan(1.25 * limits.running_bytes_in_all);
  expect(owners.every((owner) => mayGoOn(running, limits, owner))).toBe(true);
  running.set('owner0', 'owner0', 30 * MIB);
  expect(owners.some((owner) => mayGoOn(running, limits, owner))).toBe(false);
  expect(mayGoOn(running, limits, 'little')).toBe(true);
  running.set('owner0', 'owner0', 0);
  expect(owners.every((owner) => mayGoOn(running, limits, owner))).toBe(true);
});

it('tasks of one owner are paused when they have grown a quarter beyond what they may hold', () => {
  const running = createRunningBytes();
  running.set('s1', 'ada', 159 * MIB);
  expect(mayGoOn(running, limits, 'ada')).toBe(true);
  running.set('s1', 'ada', 160 * MIB);
  expect(mayGoOn(running, limits, 'ada')).toBe(false);
});
