import { expect, it } from 'vitest';
import { connectionTo } from '../../src/store/postgres/connection.ts';

it('gives a connection to PostgreSQL five seconds to open, or what the address says', () => {
  const address = 'postgres://tripact@db.example/tripact';
  expect(connectionTo(address).connectionTimeoutMillis).toBe(5_000);
  expect(connectionTo(`${address}?connect_timeout=30`).connectionTimeoutMillis).toBe(30_000);
  expect(connectionTo(`${address}?connect_timeout=soon`).connectionTimeoutMillis).toBe(5_000);
});
