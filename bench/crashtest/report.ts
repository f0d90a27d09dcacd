import { cutWithinMessages, isSaid } from './check-effects.ts';
import type { FolderResult } from './crash-folder.ts';
import { RULES, type Rule } from './ledger.ts';
import { MOMENTS, type Moment } from './moments.ts';

const table = (head: [string, string], rows: [string, number][]): string =>
  [
    `| ${head[0]} | ${head[1]} |`,
    '|---|---:|',
    ...rows.map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`),
  ].join('\n');

const sum = (results: FolderResult[], count: (result: FolderResult) => number): number =>
  results.reduce((total, result) => total + count(result), 0);

const repeated = (effects: (string | null)[]): number => effects.length - new Set(effects).size;

/** How much happened. A zero below is significant only if these numbers are large. */
const load = (results: FolderResult[]): [string, number][] => {
  const count = (of: (result: FolderResult) => number): number => sum(results, of);
  const eventsOf = (type: string) => count(({ entries }) => entries.filter(({ event }) => event.type === type).length);
  const runsOf = (name: string) => (result: FolderResult) => result.ledger.runs.filter(({ tool }) => tool === name);
  return [
    [
      'turns and commands acknowledged',
      count(({ ledger }) => ledger.turns.filter(({ turn_id }) => turn_id !== null).length),
    ],
    ['tasks opened', eventsOf('task.opened')],
    ['trace entries replayed', count(({ entries }) => entries.length)],
    ['answers bought', count(({ ledger }) => ledger.purchases.length)],
    [
      '… again, as a crash came before their commit',
      count(({ ledger }) => repeated(ledger.purchases.map(({ effect_id }) => effect_id))),
    ],
    [
      'calls of messages that were taken without asking',
      count(({ entries }) => entries.filter(({ event }) => isSaid(event)).length),
    ],
    [
      '… tools that a crash cut off with more calls of their message behind them',
      count(({ ledger, entries }) => cutWithinMessages(ledger, entries)),
    ],
    [
      'todos written by tasks and commands',
      count(({ todos }) => [...todos.values()].reduce((all, one) => all + one, 0)),
    ],
    ['reminders that came', eventsOf('reminder.due')],
    ['runs of the at-most-once tool', count((result) => runsOf('ledger_once')(result).length)],
    [
      '… that a crash left as "outcome unknown"',
      count(
        ({ entries }) =>
          entries.filter(
            ({ event }) => event.type === 'observation.recorded' && event.result.startsWith('outcome unknown'),
          ).length,
      ),
    ],
    ['runs of the idempotent tool', count((result) => runsOf('ledger_again')(result).length)],
    [
      '… again under their key, after a crash',
      count((result) => repeated(runsOf('ledger_again')(result).map(({ effect_id }) => effect_id))),
    ],
    [
      'tasks that rivals decided about, cancelled, edited, forked and removed at once',
      count(({ ledger }) => ledger.rivals.size),
    ],
    ['callbacks posted', count(({ ledger }) => ledger.callbacks.length)],
    [
      '… again, as they were refused or a crash came',
      count(({ ledger }) => repeated(ledger.callbacks.map(({ id }) => id))),
    ],
    ['tasks paused as `crash_loop`', eventsOf('effect.abandoned')],
  ];
};

/** The figures as Markdown: the kills by moment, the load, and how often each rule was violated. */
export const report = (results: FolderResult[]): string => {
  const kills = results.flatMap(({ hit, missed }) => [...hit, ...missed]);
  const violations = results.flatMap(({ ledger }) => ledger.violations);
  const moments = (Object.keys(MOMENTS) as Moment[])
    .map((moment): [string, number] => [
      `${moment}: ${MOMENTS[moment]}`,
      kills.filter((each) => each === moment).length,
    ])
    .filter(([, count]) => count > 0);
  const rules = (Object.keys(RULES) as Rule[]).map((rule): [string, number] => [
    RULES[rule],
    violations.filter((violation) => violation.rule === rule).length,
  ]);
  const missed = sum(results, (result) => result.missed.length);
  return [
    table(
      ['killed', 'times'],
      [
        ...moments,
        ['**all**', kills.length],
        ['of these, the moment did not come and the service was killed all the same', missed],
      ],
    ),
    table(['what happened meanwhile', 'count'], load(results)),
    table(['what must not happen', 'count'], rules),
  ].join('\n\n');
};
