import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../docs/fenced-blocks.ts';
import { type Packed, pack } from '../support/package/packed.ts';
import { type DocCommand, docCommands, isOfCheckout, NOT_RUN } from './doc-commands.ts';
import { type DocShell, openDocShell } from './doc-shell.ts';

const MINUTES = 60_000;

const commands = docCommands();
const isRun = ({ text }: DocCommand): boolean => !NOT_RUN.some(({ of }) => of.test(text));
const inCheckout = commands.filter((command) => isRun(command) && isOfCheckout(command));
const installed = commands.filter((command) => isRun(command) && !isOfCheckout(command));

/** The files of a checkout, without its installed packages. */
const CHECKOUT = [
  ...['.ci', 'contracts', 'machines', 'src', 'docs', 'examples', 'test', 'bench'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE'],
];

/** Preparations that a page takes as done before one of its commands. */
const before: readonly (readonly [of: RegExp, prepare: (shell: DocShell, command: DocCommand) => Promise<unknown>])[] =
  [
    [
      /^curl .*"decision"/,
      async (shell) => {
        await shell.serve({ TRIPACT_APPROVE: 'todo' });
        await shell.prepare(
          `curl -s localhost:8787/v1/sessions/me/turns -H 'content-type: application/json' -d '{"input":"Add tea to my todos"}'`,
        );
      },
    ],
    [/^node client\.mts$/, async (shell) => shell.prepare('sed "s/8787/$TRIPACT_PORT/" ../client.mts > client.mts')],
    // The page shows the id of a key that its reader has made.
    [
      /^npx tripact keys revoke /,
      async (shell, { text }) => {
        const [made = ''] = /^key_\w+/m.exec(await shell.prepare('npx tripact keys list')) ?? [];
        shell.replace.set(text.split(' ').at(-1)!, made);
      },
    ],
    [
      /^npx tripact callbacks --state /,
      async (shell) => {
        // Without the keys that the page made before.
        await shell.beginPage();
        await shell.serve({ TRIPACT_CALLBACK_HOSTS: 'localhost' });
        const sent = await shell.prepare(
          `curl -s localhost:8787/v1/sessions/me/turns -H 'content-type: application/json' -d '{"input":"/todo list","callback_url":"http://localhost:8787/nowhere"}'`,
        );
        shell.replace.set('<id>', JSON.parse(sent).id);
      },
    ],
    [
      /^npx tripact users remove /,
      async (shell) => {
        const key = (await shell.prepare('npx tripact keys add web --role front_end')).trim();
        await shell.serve({});
        await shell.prepare(
          `curl -s localhost:8787/v1/memory -H 'authorization: Bearer ${key}' -H 'x-tripact-user: ada@example.com' -H 'content-type: application/json' -d '{"text":"Tea is green"}'`,
        );
      },
    ],
    [
      /^npx tripact trace me --format json/,
      async (shell) => shell.prepare('npx tripact run --session me "Add milk to my todos"'),
    ],
    [
      /^npx tripact (run|serve) --script/,
      async (shell) => shell.prepare('cp node_modules/tripact/examples/project/{answers.json,tripact.config.ts} .'),
    ],
    // The page's reader has added a tool, and saved a script for it.
    [
      /--script discount\.json/,
      async (shell, { page }) => {
        const [tool = ''] = fencedBlocks(page, 'ts');
        const project = readFileSync('examples/project/tripact.config.ts', 'utf8');
        const config = project
          .replace('export default', `${tool}\nexport default`)
          .replace('[price]', '[price, discount]');
        await shell.prepare(`cat > tripact.config.ts <<'END'\n${config}\nEND`);
        await shell.prepare(`cat > discount.json <<'END'\n${fencedBlocks(page, 'json')[0]}\nEND`);
      },
    ],
    [/^npx tripact backup/, async (shell) => shell.prepare('npx tripact run "Add milk to my todos"')],
    // "into TRIPACT_DATA_DIR, where no database is"
    [/^npx tripact restore \S+$/, async (shell) => shell.prepare('rm -rf data')],
    [
      /^npx tripact trace <task> --format json/,
      async (shell) => {
        // Without the scripted service that the page started before.
        await shell.beginPage();
        await shell.prepare('mkdir -p test/traces');
        await shell.prepare('npx tripact run --session docs "Add milk to my todos and schedule a meeting with Anna"');
        await shell.prepare('npx tripact run --session docs "tomorrow at 10am"');
        const [opened = ''] = (await shell.prepare('npx tripact trace docs --format json')).split('\n');
        shell.replace.set('<task>', JSON.parse(opened).task_id);
      },
    ],
  ];

/** Types all commands in, page by page; gives what is wrong with those that fail. */
const typeIn = async (shell: DocShell, typed: readonly DocCommand[]): Promise<string[]> => {
  const faults: string[] = [];
  try {
    let page: string | undefined;
    for (const command of typed) {
      if (command.page !== page) await shell.beginPage();
      page = command.page;
      for (const [of, prepare] of before) if (of.test(command.text)) await prepare(shell, command);
      const fault = await shell.run(command);
      if (fault !== null) faults.push(fault);
    }
  } finally {
    await shell.close();
  }
  return faults;
};

let packed: Packed;

beforeAll(async () => {
  packed = await pack();
}, 10 * MINUTES);

afterAll(() => packed?.remove(), MINUTES);

it('what is not run, and what is prepared for, is still in the docs', () => {
  const patterns = [...NOT_RUN.map(({ of }) => of), ...before.map(([of]) => of)];
  expect(patterns.filter((of) => !commands.some(({ text }) => of.test(text)))).toEqual([]);
});

describe('every command of the docs does what it says', () => {
  it('in a project with the package, on the oldest Node that it runs on', { timeout: 15 * MINUTES }, async () => {
    const path = await packed.nodeOf(22);
    const folder = packed.folder('reader');
    mkdirSync(join(folder, 'tripact'));
    cpSync(packed.tarball, join(folder, 'tripact/tripact-0.1.0.tgz'));
    writeFileSync(join(folder, 'client.mts'), fencedBlocks('docs/api-client.md', 'ts')[0] ?? '');
    const shell = await openDocShell(folder, path);
    shell.replace.set('/backups', packed.folder('backups'));
    expect(await typeIn(shell, installed)).toEqual([]);
  });

  it('in a checkout', { timeout: 15 * MINUTES }, async () => {
    const folder = packed.folder('reader-checkout');
    const filter = (path: string): boolean => !path.endsWith('/node_modules');
    for (const part of CHECKOUT) cpSync(part, join(folder, part), { recursive: true, filter });
    const shell = await openDocShell(folder, dirname(process.execPath));
    // The key of a provider: the service only asks it for something when a turn comes.
    shell.replace.set('…', 'sk-docs-0123456789');
    expect(await typeIn(shell, inCheckout)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
