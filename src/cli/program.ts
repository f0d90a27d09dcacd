import { Command, Option } from 'commander';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { formatError } from './command-failure.ts';
import { EXIT_CODES_HELP, exitCode } from './exit-code.ts';

const dataDir = (): Option => new Option('--data-dir <folder>', 'data folder (default: TRIPACT_DATA_DIR, else ./data)');
const url = (): Option =>
  new Option(
    '--url <address>',
    'service to talk to (default: TRIPACT_URL, else the one on the data folder, else one of its own)',
  ).conflicts('dataDir');
const urlToRead = (): Option =>
  new Option(
    '--url <address>',
    'service to ask (default: TRIPACT_URL; without both the data folder itself is read)',
  ).conflicts('dataDir');
const session = (): Option => new Option('--session <id>', 'session to go on with (default: a new one)');
const timezone = (): Option =>
  new Option('--timezone <zone>', "zone of dates, such as Europe/Berlin (default: TRIPACT_TIMEZONE, else the host's)");
const confirmPlan = (): Option =>
  new Option('--confirm-plan', 'show the plan and wait for a yes before it is carried out');

/** Gives a command the options of those that print a list by page. */
const asList = (command: Command): Command =>
  command
    .option('--limit <number>', 'list at most so many, up to 500 (default: 50)')
    .option('--cursor <next>', 'go on where the page before ended')
    .option('--json', 'one line of JSON for each, as the API gives it')
    .addOption(
      new Option('--owner <name>', 'whose, where several owners have some in the data folder').conflicts('url'),
    )
    .addOption(urlToRead())
    .addOption(dataDir());

/** What the help of a command ends with. */
const example = (line: string): string => `\nExample:\n  $ ${line}\n`;
const turnsPerDay = (): Option =>
  new Option(
    '--turns-per-day <number>',
    'turns that the owner may send a day, or none for any number (default: as it is)',
  );
const tokensPerDay = (): Option =>
  new Option(
    '--tokens-per-day <number>',
    "tokens that the owner's model calls may use a day, or none (default: as it is)",
  );

// Each action imports what it needs: what one command takes to load, no other waits for.
const buildProgram = (end: (code: number) => void): Command => {
  const program = new Command('tripact')
    .enablePositionalOptions()
    .description(manifest.description)
    .version(manifest.version)
    .showHelpAfterError()
    .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
    .exitOverride(({ exitCode: code }) => process.exit(code === 0 ? 0 : exitCode.usage))
    .addHelpText(
      'after',
      `\nWithout a command it serves. "tripact config" lists the environment variables.\n${EXIT_CODES_HELP}`,
    );

  program
    .command('serve')
    .description('run the service')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: TRIPACT_PORT, else 8787)')
    .option('--host <address>', 'address to listen on (default: TRIPACT_HOST, else 127.0.0.1)')
    .addOption(dataDir())
    .addHelpText('after', example('tripact serve --port 0'))
    .action(async (options) => (await import('./serve.ts')).serve(options));

  program
    .command('run')
    .description('carry out one task: progress on standard error, the answer on standard output')
    .argument('<goal>', 'what to do; or an answer, "continue" or a slash command for the session')
    .addOption(session())
    .addOption(timezone())
    .addOption(confirmPlan())
    .option('--json', 'print the finished turn as one line of JSON, and ask nothing')
    .addOption(url())
    .addOption(dataDir())
    .addHelpText('after', `${example('tripact run "Add milk to my todos"')}\n${EXIT_CODES_HELP}`)
    .action(async (goal, options) => end(await (await import('./run.ts')).run(goal, options)));

  program
    .command('chat')
    .description('talk: tasks, answers, and slash commands also while a task runs')
    .addOption(session())
    .addOption(timezone())
    .addOption(confirmPlan())
    .addOption(url())
    .addOption(dataDir())
    .addHelpText('after', `${example('tripact chat --session me')}\n${EXIT_CODES_HELP}`)
    .action(async (options) => end(await (await import('./chat.ts')).chat(options)));

  program
    .command('init')
    .description('write a small project that works at once: an agent with one tool, and a test of it')
    .argument('[folder]', 'folder to write it to', '.')
    .addHelpText('after', example('tripact init my-agent'))
    .action(async (folder) => end((await import('./init.ts')).init(folder)));

  program
    .command('replay')
    .description('fold traces through the machine and compare; touches nothing else')
    .argument('<file...>', 'traces as NDJSON, - for standard input')
    .addHelpText('after', example('tripact trace me --format json | tripact replay -'))
    .action(async (files) => end(await (await import('./replay.ts')).replayFiles(files)));

  program
    .command('trace')
    .description('show the trace of a task or a session, also while the service runs')
    .argument('<id>', 'id of a task or a session')
    .option('--follow', 'go on with new entries as they come, to the end of the task')
    .addOption(
      new Option('--format <format>', 'prose, or the NDJSON that replay reads')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--as-test', 'print a vitest test that contains the trace and replays it')
    .option('--owner <name>', 'whose session it is, where several have one of that name')
    .addOption(urlToRead())
    .addOption(dataDir())
    .addHelpText('after', example('tripact trace run-9f3c1a77b2 --follow'))
    .action(async (id, options) => (await import('./trace.ts')).showTrace(id, options));

  program
    .command('fork')
    .description('go on from any entry of a task, in a new session')
    .argument('<task>', 'id of the task')
    .option('--at <seq>', 'last entry of the history that the fork has (default: the last one there is)')
    .option('--input <text>', 'the answer where the task waits, "continue" where it is paused, a steer where it runs')
    .option('--session <id>', 'name of the new session (default: made up)')
    .option('--json', 'print the finished turn as one line of JSON')
    .addOption(url())
    .addOption(dataDir())
    .addHelpText('after', `${example('tripact fork task_0mwr… --at 9 --input "tomorrow at 10am"')}\n${EXIT_CODES_HELP}`)
    .action(async (task, options) => end(await (await import('./fork.ts')).fork(task, options)));

  asList(
    program
      .command('sessions')
      .description('list the sessions, the most recently used first, with what each waits for'),
  )
    .addHelpText('after', example('tripact sessions --limit 10'))
    .action(async (options) => (await import('./sessions.ts')).showSessions(options));

  asList(
    program
      .command('tasks')
      .description('list the tasks that wait for you over all sessions, longest first; or all tasks of one session')
      .option('--state <states>', 'awaiting_user, paused, or both with a comma (default: both)')
      .addOption(new Option('--session <id>', 'all tasks of this session').conflicts('state')),
  )
    .addHelpText('after', example('tripact tasks --state awaiting_user'))
    .action(async (options) => (await import('./tasks.ts')).showTasks(options));

  const callbacks = asList(
    program
      .command('callbacks')
      .description('list what is to be posted to programs, was delivered or was given up, newest first')
      .addOption(
        new Option('--state <state>', 'only what is in this state').choices(['pending', 'delivered', 'given_up']),
      ),
  )
    .addHelpText('after', example('tripact callbacks --state given_up'))
    .action(async (options) => (await import('./callbacks.ts')).showCallbacks(options));
  callbacks
    .command('resend')
    .description('post one now, whatever came of it before')
    .argument('<id>', 'id of the callback, as "tripact callbacks" lists it')
    .addOption(url())
    .addOption(dataDir())
    .action(async (id, options) => (await import('./callbacks.ts')).resendCallback(id, options));

  program
    .command('cancel')
    .description('cancel a task, or what a session works on, waits for or has paused')
    .argument('<id>', 'id of a task or a session')
    .addOption(url())
    .addOption(dataDir())
    .addHelpText('after', `${example('tripact cancel run-9f3c1a77b2')}\n${EXIT_CODES_HELP}`)
    .action(async (id, options) => end(await (await import('./cancel.ts')).cancel(id, options)));

  program
    .command('prune')
    .description('remove sessions that were not used for long; todos and schedules stay')
    .option('--older-than <age>', 'such as 90d, 12w or 36h (default: TRIPACT_RETENTION_DAYS)')
    .option('--include-waiting', 'also sessions with a task that waits for an answer or is paused')
    .option('--dry-run', 'list them and remove nothing; also while the service runs')
    .addOption(dataDir())
    .addHelpText('after', example('tripact prune --older-than 90d --dry-run'))
    .action(async (options) => (await import('./prune.ts')).prune(options));

  const keys = program.command('keys').description('who may call the service; works at once, also while it runs');
  keys
    .command('add')
    .description('make a key and print it: it is shown this once; from the first key on every caller needs one')
    .argument('<owner>', 'whose sessions and data it is for: letters, digits, _ and -')
    .addOption(new Option('--role <role>', 'what it may do').choices(['user', 'operator']).default('user'))
    .option('--expires <age>', 'when it ends, such as 90d, 12w or 36h (default: never)')
    .addOption(turnsPerDay())
    .addOption(tokensPerDay())
    .option('--json', 'print the key with all that is known of it, as one line of JSON')
    .addOption(dataDir())
    .action(async (owner, options) => (await import('./keys.ts')).addKey(owner, options));
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option('--json', 'print a line of JSON for each')
    .addOption(dataDir())
    .action(async (options) => (await import('./keys.ts')).listKeys(options));
  keys
    .command('quota')
    .description('show or change what an owner may use a day (UTC), whatever key it shows')
    .argument('<owner>', 'whose')
    .addOption(turnsPerDay())
    .addOption(tokensPerDay())
    .addOption(dataDir())
    .action(async (owner, options) => (await import('./keys.ts')).changeQuota(owner, options));
  keys
    .command('revoke')
    .description('end a key at once')
    .argument('<id>', 'id of the key, as "tripact keys list" shows it')
    .addOption(dataDir())
    .action(async (id, options) => (await import('./keys.ts')).revokeKey(id, options));

  program
    .command('backup')
    .description('copy the database into a new file, also while the service runs')
    .argument('<file>', 'the backup; never overwritten')
    .addOption(dataDir())
    .addHelpText('after', example('tripact backup tripact-backup.db'))
    .action(async (file, options) => (await import('./backup.ts')).backup(file, options));

  program
    .command('restore')
    .description('make a backup the database of a data folder that no service uses')
    .argument('<file>', 'the backup')
    .option('--force', 'in place of a database that is there, which is kept beside it')
    .addOption(dataDir())
    .addHelpText('after', example('tripact restore tripact-backup.db --data-dir elsewhere'))
    .action(async (file, options) => (await import('./restore.ts')).restore(file, options));

  program
    .command('tools')
    .description('list the tools that a task may use, with their usage; needs no model and no running service')
    .addHelpText('after', example('tripact tools'))
    .action(async () => (await import('./tools.ts')).showTools());

  program
    .command('tool')
    .description('call a tool once, without a model and without a task; its result on standard output')
    .argument('<name>', 'name of the tool, as "tripact tools" lists it')
    .argument('[input...]', 'its input, as a model would write it')
    .addOption(new Option('--session <id>', 'session whose folder it works in (default: try)'))
    .addOption(timezone())
    .addOption(url())
    .addOption(dataDir())
    .passThroughOptions()
    .addHelpText('after', `${example('tripact tool todo add milk')}\n${EXIT_CODES_HELP}`)
    .action(async (name, input, options) => end(await (await import('./tool.ts')).runTool(name, input, options)));

  program
    .command('config')
    .description('show every setting with its value, source and meaning')
    .addHelpText('after', example('tripact config'))
    .action(async () => (await import('./config.ts')).showConfig());

  return program;
};

/** A reader that has seen enough, such as `head`, is no failure. */
const endQuietlyWithReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.answered);
    throw error;
  });
};

/** Runs one command line, without `node` and the script's name. Sets the process's exit code; only `serve` keeps running after it. */
export const runCommandLine = async (words: string[]): Promise<void> => {
  endQuietlyWithReader();
  const program = buildProgram((code) => {
    process.exitCode = code;
  });
  try {
    await program.parseAsync(words.length === 0 ? ['serve'] : words, { from: 'user' });
  } catch (error) {
    const { text, code } = formatError(error);
    console.error(printable(text));
    process.exitCode = code;
  }
};
