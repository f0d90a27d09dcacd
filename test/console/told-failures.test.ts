import { describe, expect, it } from 'vitest';
import { messages } from '../../contracts/messages/messages.ts';
import { failuresIn } from '../../src/console/card/told-failures.ts';

const STEP = 'Import the 3 files';

describe.each(['en', 'zh'] as const)('the question about an item that failed again and again, in %s', (language) => {
  const { afterFailures, afterRounds, whatNext } = messages(language).questions;
  const asks = (...lines: string[]) => failuresIn([...lines, whatNext].join('\n'), STEP);

  it('says how often it failed and why, without the names of tools', () => {
    const told = asks(
      afterFailures(STEP, 4),
      '1. invoices_import: invoices_import failed: archive.example: 401, the password expired',
      '2. mail_send: the server is busy\nTry later',
      '3. todo.add: No such list',
      '',
    );
    expect(told).toEqual({
      times: 4,
      reasons: ['archive.example: 401, the password expired', 'the server is busy\nTry later', 'No such list'],
      remarks: '',
    });
  });

  it('keeps what else made the machine ask, and leaves out what the buttons ask', () => {
    const rounds = afterRounds(STEP, 12);
    expect(asks(rounds)).toEqual({ times: null, reasons: [], remarks: rounds });
    expect(asks(rounds, afterFailures(STEP, 2), '1. no answer could be used', '')).toEqual({
      times: 2,
      reasons: ['no answer could be used'],
      remarks: rounds,
    });
  });
});
