import type { Figures } from './harness.ts';
import { syncOf } from './event-log.ts';
import type { PeerCard } from './peers.ts';
import { median } from './process-figures.ts';

/** Everything measured for one variant of a peer; one entry for each repetition. */
export interface Measured {
  peer: PeerCard;
  variant: string;
  versions: string;
  durability: string;
  rates: Figures[];
  resume: { ms: number; process_ms: number }[];
  long: Figures[];
  conversation: Figures[];
  /** Effects that ran twice after kill -9. */
  repeated: number | null;
  /** Why a measure is missing. */
  failure: string | null;
}

const digits = (value: number): string => {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

const spread = (values: number[]): string =>
  values.length === 0
    ? '–'
    : `${digits(median(values))} (${digits(Math.min(...values))}–${digits(Math.max(...values))})`;

const of = (figures: Figures[], name: string): number[] => figures.map((each) => each[name] ?? Number.NaN);

const growth = (figures: Figures[]): string =>
  figures.length === 0 ? '–' : `${digits(median(of(figures, 'first')))} → ${digits(median(of(figures, 'last')))}`;

const table = (head: string[], rows: string[][]): string => {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  const line = (row: string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
};

/**
 * The base rate of a comparison in each repetition: the first peer measured. If that is the floor, the variant with the
 * same sync: for one session without group commit, for many the better of the two.
 */
const baseOf = (all: Measured[], variant: string, figure: 'one' | 'many'): number[] => {
  if (all[0]?.peer.name !== 'floor') return of(all[0]?.rates ?? [], figure);
  const sync = syncOf(variant);
  const wanted = figure === 'one' ? [sync] : [sync, `${sync}-group`];
  const floors = all.filter(({ peer, variant: each }) => peer.name === 'floor' && wanted.includes(each));
  const [first] = floors;
  return first === undefined
    ? []
    : first.rates.map((_, i) => Math.min(...floors.map(({ rates }) => rates[i]?.[figure] ?? Infinity)));
};

/** Median of the ratios within each repetition, so that a slow phase of the machine counts on both sides. */
const timesBase = (all: Measured[], { variant, rates }: Measured, figure: 'one' | 'many'): string => {
  const base = baseOf(all, variant, figure);
  const ratios = of(rates, figure).map((us, i) => us / (base[i] ?? Number.NaN));
  return ratios.length === 0 || ratios.some(Number.isNaN) ? '–' : `${digits(median(ratios))}×`;
};

const rateRow = (all: Measured[], measured: Measured): string[] => {
  const { peer, variant, rates } = measured;
  const mb = (name: string): number => median(of(rates, name)) / 2 ** 20;
  const server = mb('server_rss');
  const processor = (figure: 'one' | 'many'): string => {
    const own = digits(median(of(rates, `${figure}_cpu`)));
    return server > 0 ? `${own} + ${digits(median(of(rates, `${figure}_server_cpu`)))}` : own;
  };
  return [
    peer.label,
    variant,
    spread(of(rates, 'one')),
    timesBase(all, measured, 'one'),
    processor('one'),
    spread(of(rates, 'many')),
    timesBase(all, measured, 'many'),
    processor('many'),
    digits(median(of(rates, 'bytes')) / 1_024),
    `${mb('rss').toFixed(0)}${server > 0 ? ` + ${server.toFixed(0)}` : ''}`,
  ];
};

const behaviourRow = ({ peer, resume, repeated, long, conversation }: Measured): string[] => [
  peer.label,
  spread(resume.map(({ ms }) => ms)),
  spread(resume.map(({ process_ms }) => process_ms)),
  repeated === null ? '–' : String(repeated),
  growth(long),
  growth(conversation),
];

/** The report as Markdown: two tables, the skipped variants by name, and what each variant promises. */
export const report = (all: Measured[], repetitions: number): string => {
  const rated = all.filter(({ rates }) => rates.length > 0);
  const base = all[0]?.peer.name;
  const skipped = all.filter(({ failure }) => failure !== null);
  return [
    `Node ${process.version}, median (min–max) of ${repetitions} interleaved repetitions, each in a new process with a new store.`,
    '',
    table(
      [
        ...['peer', 'stored', 'µs/effect, 1 session', `to ${base}`, 'processor'],
        ...['µs/effect, 64 sessions', `to ${base}`, 'processor', 'KB/task', 'RSS MB'],
      ],
      rated.map((each) => rateRow(all, each)),
    ),
    '',
    table(
      [
        'peer',
        'cold resume ms',
        'with process start',
        'run twice after kill -9',
        'long task µs/effect',
        'conversation µs/effect',
      ],
      rated.filter(({ peer, variant }) => variant === peer.variants[0]).map(behaviourRow),
    ),
    '',
    ...skipped.map(({ peer, variant, failure }) => `- ${peer.label}, ${variant}: SKIPPED: ${failure}`),
    ...rated.map(({ peer, variant, durability, versions }) => `- ${peer.name} ${variant}: ${durability} [${versions}]`),
  ].join('\n');
};
