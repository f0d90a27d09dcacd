import { describe, expect, it } from 'vitest';
import { createApprovals } from '../../src/tools/approval.ts';
import type { Approval, PolicyVerdict, Tool } from '../../src/tools/port.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';

const tool = (name: string, approval?: Approval): Tool => ({
  name,
  description: name,
  usage: name,
  writes: true,
  effect: 'idempotent',
  approval,
  run: async () => ({ ok: true, result: name }),
});

const call = (exposed: string | null) => ({
  owner: 'ada',
  session_id: 's1',
  now: 0,
  timezone: 'UTC',
  language: 'en' as const,
  metadata: {},
  goal: 'Send it',
  exposed,
});

/** The verdict of a tool's policy after the settings. */
const verdictOf = (guarded: Tool, exposed: string | null = null) => {
  const { approval } = guarded;
  if (typeof approval !== 'function') throw new Error('no policy');
  return approval({}, call(exposed));
};

const runs = (): PolicyVerdict => 'run';

describe('Approvals of the configuration', () => {
  it('mean tools by name or by the beginning of it, and the first that means a tool counts', () => {
    const of = createApprovals({
      rules: [
        { tools: 'mail_read', approval: false },
        { tools: ['mail_*', 'todo'], approval: true },
        { tools: '*', approval: 'after_untrusted' },
      ],
    });
    const approvals = [tool('mail_read', true), tool('mail_send'), todoTool, tool('mailer')].map(
      (each) => of(each).approval,
    );
    expect(approvals).toEqual([false, true, true, 'after_untrusted']);
  });

  it('leave a tool that none of them means as it is', () => {
    const of = createApprovals({ rules: [{ tools: 'mail_*', approval: true }] });
    expect([of(tool('own', 'after_untrusted')).approval, of(tool('free')).approval]).toEqual([
      'after_untrusted',
      undefined,
    ]);
  });

  it('give the same tool for the same one', () => {
    const of = createApprovals({});
    const one = tool('one');
    expect(of(one)).toBe(of(one));
  });
});

describe('A tool that is approved in any case', () => {
  const of = createApprovals({ always: ['pay_*'], rules: [{ tools: '*', approval: false }] });

  it('is asked about, whatever else is said of it', () => {
    expect([of(tool('pay_out')).approval, of(tool('see')).approval]).toEqual([true, false]);
  });

  it('has a policy that can only deny', async () => {
    const policed = (verdict: PolicyVerdict) =>
      verdictOf(createApprovals({ always: ['pay'] })(tool('pay', () => verdict)));
    expect(await policed('run')).toBe('ask');
    expect(await policed({ deny: 'closed' })).toEqual({ deny: 'closed' });
    expect(await policed({ ask: 'Pay 5 €' })).toEqual({ ask: 'Pay 5 €' });
  });
});

describe('After results from outside', () => {
  it('with "all" each tool asks that writes outside of the store, unless it is approved by nobody', () => {
    const of = createApprovals({ afterUntrusted: 'all', rules: [{ tools: 'log', approval: false }] });
    const reading = { ...tool('look'), writes: false };
    expect([tool('send'), tool('pay', true), tool('log'), reading, todoTool].map((each) => of(each).approval)).toEqual([
      'after_untrusted',
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  it('with "all" a policy can let nothing run', async () => {
    const guarded = createApprovals({ afterUntrusted: 'all' })(tool('send', runs));
    expect(await verdictOf(guarded)).toBe('run');
    expect(await verdictOf(guarded, 'internet_search')).toEqual({
      ask: '',
      reason: 'Results of "internet_search", which come from outside, are in this task.',
    });
  });

  it('with "off" nobody is asked for that reason', () => {
    const of = createApprovals({ afterUntrusted: 'off' });
    expect([of(tool('send', 'after_untrusted')).approval, of(tool('pay', true)).approval]).toEqual([undefined, true]);
  });
});
