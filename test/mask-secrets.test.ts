import { expect, it } from 'vitest';
import { maskSecrets } from '../src/lib/log.ts';

it.each([
  ['as it is, as often as it stands', ['sk-12345'], 'a sk-12345 b sk-12345', 'a [redacted] b [redacted]'],
  ['as it stands inside a JSON string', ['quo"ted-1'], '{"a":"quo\\"ted-1"}', '{"a":"[redacted]"}'],
  ['the longest first', ['sk-12345', 'sk-12345-67'], 'sk-12345-67 sk-12345-6', '[redacted] [redacted]-6'],
  ['with dollars', ['$&-secret'], 'a $&-secret', 'a [redacted]'],
])('a secret is masked %s', (_, secrets, text, masked) => {
  expect(maskSecrets(secrets)(text)).toBe(masked);
});

it('one of less than 8 characters is not: it would be found in words', () => {
  expect(maskSecrets(['', 'ollama'])('ollama-small')).toBe('ollama-small');
});
