import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { FAULTS } from './crashtest/cluster.ts';
import { crashCluster } from './crashtest/crash-cluster.ts';
import { RULES } from './crashtest/ledger.ts';
import { MOMENTS, type Moment } from './crashtest/moments.ts';
import { report } from './crashtest/report.ts';
import { crashtest } from './crashtest/run.ts';

const USAGE = `npm run crashtest -- [--kills 25] [--at <moment>] [--seed <number>] [--sessions 24]

Kills the real server under load, restarts it, and compares what it stored with an outside ledger. Moments:
${Object.entries(MOMENTS)
  .map(([name, meaning]) => `  ${name.padEnd(18)} ${meaning}`)
  .join('\n')}

npm run crashtest -- --cluster [--kills 100] [--nodes 3] [--scheduler leases|restate] [--seed <number>] [--sessions 24]

The same with several nodes on PostgreSQL, which these faults come over, one beside the other:
${Object.entries(FAULTS)
  .map(([name, meaning]) => `  ${name.padEnd(18)} ${meaning}`)
  .join('\n')}`;

const fail = (message: string): never => {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    at: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    sessions: { type: 'string', default: '24' },
    cluster: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '3' },
    scheduler: { type: 'string', default: 'leases' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const numberOf = (name: 'kills' | 'seed' | 'sessions' | 'nodes', least: number): number => {
  const number = Number(values[name]);
  return Number.isSafeInteger(number) && number >= least
    ? number
    : fail(`--${name} "${values[name]}" must be a whole number from ${least}`);
};
const momentOf = (name: string): Moment =>
  Object.hasOwn(MOMENTS, name) ? (name as Moment) : fail(`--at "${name}" is not a moment`);

const [kills, seed, sessions] = [numberOf('kills', 1), numberOf('seed', 0), numberOf('sessions', 1)];
const at = values.at === undefined ? {} : { at: momentOf(values.at) };
console.error(`seed ${seed}, ${kills} kills, ${sessions} sessions`);
const began = performance.now();
if (values.cluster) {
  const { faults, broken, figures, ledger } = await crashCluster({
    kills,
    seed,
    sessions,
    nodes: numberOf('nodes', 1),
    hasRestate: values.scheduler === 'restate',
    onFault: (count, fault) => process.stderr.write(`\r${count}/${kills} ${fault}`.padEnd(40)),
  });
  const counts = [...Map.groupBy(faults, (each) => each)].map(([name, those]) => `${those.length} × ${FAULTS[name]}`);
  console.log(`\n${counts.join('\n')}\n\n${figures.map(([name, count]) => `${count} ${name}`).join('\n')}`);
  const found = [...broken, ...ledger.violations.map(({ rule, detail }) => `${RULES[rule]}: ${detail}`)];
  for (const each of found) console.error(each);
  console.log(found.length === 0 ? 'Nothing was lost, and nothing came twice.' : `Again with --seed ${seed}.`);
  process.exit(found.length === 0 ? 0 : 1);
}
const results = await crashtest({
  kills,
  seed,
  sessions,
  ...at,
  onKill: (count) => process.stderr.write(`\r${count}/${kills} kills`),
});
process.stderr.write('\r'.padEnd(30).concat('\r'));

const took = Math.round((performance.now() - began) / 1_000);
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, seed ${seed}, ${sessions} sessions, ${took} s.\n`,
);
console.log(report(results));
const broken = results.filter(({ ledger }) => ledger.violations.length > 0);
for (const { ledger, dataDir } of broken) {
  for (const { rule, detail } of ledger.violations) console.error(`${RULES[rule]}: ${detail}`);
  console.error(`The data folder is kept: ${dataDir}. Again with --seed ${seed}.`);
}
process.exit(broken.length === 0 ? 0 : 1);
