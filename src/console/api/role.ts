import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Role } from '../../../contracts/access.ts';
import { apiKey } from './request.ts';
import { getMe } from './routes.ts';

/** The caller's role, and the key that has it; null: not known yet. */
const known = signal<{ key: string | null; role: Role } | null>(null);

/** Whether the caller is an operator. False until the service has said so, and while it does not. */
export const useIsOperator = (): boolean => {
  const key = apiKey.value;
  const isKnown = known.value !== null && known.value.key === key;
  useEffect(() => {
    if (isKnown) return;
    const left = new AbortController();
    getMe(left.signal).then(
      ({ role }) => {
        known.value = { key, role };
      },
      // Whoever is not known to be an operator is offered less, and nothing fails.
      () => {},
    );
    return () => left.abort();
  }, [key]);
  return isKnown && known.value?.role === 'operator';
};
