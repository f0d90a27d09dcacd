import { expect, it } from 'vitest';
import { visibleOrder } from '../../src/console/design/visible-order.ts';

it('shows the signs that reorder a text, and leaves all others as they are', () => {
  expect(visibleOrder('delete \u202etxt.exe\u202c \u2066a\u2069')).toBe('delete \\u202etxt.exe\\u202c \\u2066a\\u2069');
  const family = '👩\u200d👧 שלום سلام\u200cها 文件';
  expect(visibleOrder(family)).toBe(family);
});
