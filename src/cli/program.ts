import { Command, Option } from 'commander';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { EXIT_CODES_HELP, exitCode, formatError } from './failure.ts';

const dataDir = (): Option => new Option('--data-dir <folder>', 'data folder (default: TRIPACT_DATA_DIR, else ./data)');
const timezone = (): Option =>
  new Option('--timezone <zone>', "zone of dates, such as Europe/Berlin (default: TRIPACT_TIMEZONE, else the host's)");

/** Gives a command the options that name its service. */
const served = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--url <address>',
        'service to talk to (default: TRIPACT_URL, else the one on the data folder, else one of its own)',
      ).conflicts('dataDir'),
    )
    .addOption(dataDir());

/** Gives a command the options of those that print a list by page. */
const asList = (command: Command): Command =>
  served(
    command
      .option('--limit <number>', 'list at most so many, up to 500 (default: 50)')
      .option('--cursor <next>', 'go on where the page before ended')
      .option('--json', 'one line of JSON for each, as the API gives it'),
  );

/** Gives a command the options of those that talk in a session. */
const talking = (command: Command): Command =>
  served(
    command
      .option('--session <id>', 'session to go on with (default: a new one)')
      .addOption(timezone())
      .option('--confirm-plan', 'show the plan and wait for a yes before it is carried out'),
  );

/** Gives a command the options of those that set a quota. */
const withQuota = (command: Command): Command =>
  command
    .option(
      '--turns-per-day <number>',
      'turns that the owner may send a day, or none for any number (default: as it is)',
    )
    .option(
      '--tokens-per-day <number>',
      "tokens that the owner's model calls may use a day, or none (default: as it is)",
    )
    .addOption(dataDir());

// Each action imports what it needs, so that no command waits for the code of another.
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
  /** Adds a command whose help ends with an example. */
  const add = (name: string, description: string, example: string, hasExitCodes = false): Command =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', `\nExample:\n  $ ${example}\n${hasExitCodes ? `\n${EXIT_CODES_HELP}` : ''}`);

  add('serve', 'run the service', 'tripact serve --port 0')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: TRIPACT_PORT, else 8787)')
    .option('--host <address>', 'address to listen on (default: TRIPACT_HOST, else 127.0.0.1)')
    .addOption(dataDir())
    .action(async (options) => (await import('./serve.ts')).serve(options));

  const runHelp = 'carry out one task: progress on standard error, the answer on standard output';
  talking(add('run', runHelp, 'tripact run "Add milk to my todos"', true))
    .argument('<goal>', 'what to do; or an answer, "continue" or a slash command for the session')
    .option('--json', 'print the finished turn as one line of JSON, and ask nothing')
    .action(async (goal, options) => end(await (await import('./run.ts')).run(goal, options)));

  talking(
    add('chat', 'talk: tasks, answers, and slash commands also while a task runs', 'tripact chat --session me', true),
  ).action(async (options) => end(await (await import('./chat.ts')).chat(options)));

  add(
    'init',
    'write a small project that works at once: an agent with one tool, and a test of it',
    'tripact init my-agent',
  )
    .argument('[folder]', 'folder to write it to', '.')
    .action(async (folder) => end((await import('./init.ts')).init(folder)));

  const replayExample = 'tripact trace me --format json | tripact replay -';
  add('replay', 'fold traces through the machine and compare; touches nothing else', replayExample)
    .argument('<file...>', 'traces as NDJSON, - for standard input')
    .action(async (files) => end(await (await import('./replay.ts')).replayFiles(files)));

  served(add('trace', 'show the trace of a task or a session', 'tripact trace run-9f3c1a77b2 --follow'))
    .argument('<id>', 'id of a task or a session')
    .option('--follow', 'go on with new entries as they come, to the end of the task')
    .addOption(
      new Option('--format <format>', 'prose, or the NDJSON that replay reads')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--as-test', 'print a vitest test that contains the trace and replays it')
    .action(async (id, options) => (await import('./trace.ts')).showTrace(id, options));

  const forkExample = 'tripact fork task_0mwr… --at 9 --input "tomorrow at 10am"';
  served(add('fork', 'go on from any entry of a task, in a new session', forkExample, true))
    .argument('<task>', 'id of the task')
    .option('--at <seq>', 'last entry of the history that the fork has (default: the last one there is)')
    .option('--input <text>', 'the answer where the task waits, "continue" where it is paused, a steer where it runs')
    .option('--session <id>', 'name of the new session (default: made up)')
    .option('--json', 'print the finished turn as one line of JSON')
    .action(async (task, options) => end(await (await import('./fork.ts')).fork(task, options)));

  const sessionsHelp = 'list the sessions, the most recently used first, with what each waits for';
  asList(add('sessions', sessionsHelp, 'tripact sessions --limit 10')).action(async (options) =>
    (await import('./lists.ts')).showSessions(options),
  );

  const tasksHelp = 'list the tasks that wait for you over all sessions, longest first; or all tasks of one session';
  asList(add('tasks', tasksHelp, 'tripact tasks --state awaiting_user'))
    .option('--state <states>', 'awaiting_user, paused, or both with a comma (default: both)')
    .addOption(new Option('--session <id>', 'all tasks of this session').conflicts('state'))
    .action(async (options) => (await import('./lists.ts')).showTasks(options));

  const callbacksHelp = 'list what is to be posted to programs, was delivered or was given up, newest first';
  const callbacks = asList(add('callbacks', callbacksHelp, 'tripact callbacks --state given_up'))
    .addOption(
      new Option('--state <state>', 'only what is in this state').choices(['pending', 'delivered', 'given_up']),
    )
    .action(async (options) => (await import('./lists.ts')).showCallbacks(options));
  served(callbacks.command('resend').description('post one now, whatever came of it before'))
    .argument('<id>', 'id of the callback, as "tripact callbacks" lists it')
    .action(async (id, options) => (await import('./lists.ts')).resendCallback(id, options));

  const cancelHelp = 'cancel a task, or what a session works on, waits for or has paused';
  served(add('cancel', cancelHelp, 'tripact cancel run-9f3c1a77b2', true))
    .argument('<id>', 'id of a task or a session')
    .action(async (id, options) => end(await (await import('./run.ts')).cancel(id, options)));

  const pruneHelp = 'remove sessions that were not used for long; todos and schedules stay';
  add('prune', pruneHelp, 'tripact prune --older-than 90d --dry-run')
    .option('--older-than <age>', 'such as 90d, 12w or 36h (default: TRIPACT_RETENTION_DAYS)')
    .option('--include-waiting', 'also sessions with a task that waits for an answer or is paused')
    .option('--dry-run', 'list them and remove nothing; also while the service runs')
    .addOption(dataDir())
    .action(async (options) => (await import('./data.ts')).prune(options));

  const keys = program.command('keys').description('who may call the service; works at once, also while it runs');
  withQuota(keys.command('add'))
    .description('make a key and print it: it is shown this once; from the first key on every caller needs one')
    .argument('<owner>', 'whose sessions and data it is for: letters, digits, _ and -')
    .addOption(new Option('--role <role>', 'what it may do').choices(['user', 'operator']).default('user'))
    .option('--expires <age>', 'when it ends, such as 90d, 12w or 36h (default: never)')
    .option('--json', 'print the key with all that is known of it, as one line of JSON')
    .action(async (owner, options) => (await import('./keys.ts')).addKey(owner, options));
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option('--json', 'print a line of JSON for each')
    .addOption(dataDir())
    .action(async (options) => (await import('./keys.ts')).listKeys(options));
  withQuota(keys.command('quota'))
    .description('show or change what an owner may use a day (UTC), whatever key it shows')
    .argument('<owner>', 'whose')
    .action(async (owner, options) => (await import('./keys.ts')).changeQuota(owner, options));
  keys
    .command('revoke')
    .description('end a key at once')
    .argument('<id>', 'id of the key, as "tripact keys list" shows it')
    .addOption(dataDir())
    .action(async (id, options) => (await import('./keys.ts')).revokeKey(id, options));

  add('backup', 'copy the database into a new file, also while the service runs', 'tripact backup tripact-backup.db')
    .argument('<file>', 'the backup; never overwritten')
    .addOption(dataDir())
    .action(async (file, options) => (await import('./data.ts')).backup(file, options));

  const restoreExample = 'tripact restore tripact-backup.db --data-dir elsewhere';
  add('restore', 'make a backup the database of a data folder that no service uses', restoreExample)
    .argument('<file>', 'the backup')
    .option('--force', 'in place of a database that is there, which is kept beside it')
    .addOption(dataDir())
    .action(async (file, options) => (await import('./data.ts')).restore(file, options));

  served(add('tools', 'list the tools that a task may use, with their usage', 'tripact tools')).action(
    async (options) => (await import('./tools.ts')).showTools(options),
  );

  const toolHelp = 'call a tool once, without a model and without a task; its result on standard output';
  served(add('tool', toolHelp, 'tripact tool todo add milk', true))
    .argument('<name>', 'name of the tool, as "tripact tools" lists it')
    .argument('[input...]', 'its input, as a model would write it')
    .option('--session <id>', 'session whose folder it works in (default: try)')
    .addOption(timezone())
    .passThroughOptions()
    .action(async (name, input, options) => end(await (await import('./tools.ts')).runTool(name, input, options)));

  add('config', 'show every setting with its value, source and meaning', 'tripact config').action(async () =>
    (await import('./config.ts')).showConfig(),
  );

  return program;
};

/** Runs one command line, without `node` and the script's name. Sets the process's exit code; only `serve` keeps running after it. */
export const runCommandLine = async (words: string[]): Promise<void> => {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.answered);
    throw error;
  });
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
