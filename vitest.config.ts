import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take many seconds each: crashes, process kills, simulation, long fuzzing. `npm run test:long` runs them. */
const LONG = '**/*.long.test.ts';

/** Files that take minutes, begun first: one that is begun last keeps a single worker busy while the others have ended. */
const LONGEST = [
  ...['cluster-faults', 'nodes-by-leases', 'nodes-by-restate', 'service-home'],
  ...['doc-commands', 'simulation', 'published', 'openapi', 'crashtest'],
].map((name) => `/${name}.long.test.ts`);

/** Tests of many nodes and of their database, which mostly wait: for a lease to end, or for another node to take over. */
const NODES = `test/postgres/${LONG}`;

/** Tests that see what a service stores, and look at no file of SQLite's. */
const ON_POSTGRES = [
  'test/engine/{engine,key-taken,simulation}.test.ts',
  'test/audit/audit.test.ts',
  'test/app/{agents,audit-keeper,embedding,model-in-code,redaction,retention}.test.ts',
  'test/blackbox/!(fallback|prompt-cache|servers|tools).test.ts',
  'test/front-ends/{a2a,openai-api,openai-conversations,openai-sessions,stories}.test.ts',
  'test/http/{access-matrix,answer-schema,authentication,events,feedback,keys}.test.ts',
  'test/http/{operations,reads,reruns,sessions,turn-stream,turns}.test.ts',
  'test/sign-in/sign-ins.test.ts',
  'test/tools/define-tool.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  // Configuration files that tests write to a temporary folder import the package by its name.
  resolve: { alias: [{ find: /^tripact$/, replacement: fileURLToPath(new URL('./src/tripact.ts', import.meta.url)) }] },
  test: {
    // Only what hangs takes so long: a busy machine may need ten times what an idle one does.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    unstubEnvs: true,
    setupFiles: ['test/support/seeds/each-file.ts'],
    expect: { poll: { timeout: 150_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...configDefaults.exclude, LONG],
          // Loading the service's modules anew for each file takes a third of the run. No file may leave anything behind.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // What users see of a service whose database is PostgreSQL: the same tests.
          name: 'postgres',
          include: ON_POSTGRES,
          exclude: [...configDefaults.exclude, LONG],
          globalSetup: ['test/support/postgres/for-project.ts'],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'nodes',
          include: [NODES],
          globalSetup: ['test/support/postgres/for-nodes.ts'],
          // They leave the processor to each other; files of other projects come after them.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [`test/${LONG}`],
          exclude: [...configDefaults.exclude, NODES],
          // Removes what the files of a run share.
          globalSetup: ['test/support/package/once-a-run.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
