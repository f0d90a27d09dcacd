import { Command, Option } from 'commander';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { exitCode, formatError } from './failure.ts';

/** Makes an action of a function in a module, which is loaded only for it. The number that the function gives is the process's exit code. */
const by =
  <Name extends string>(
    load: () => Promise<Record<Name, (...given: never[]) => unknown>>,
    name: Name,
  ): ((...given: unknown[]) => Promise<void>) =>
  async (...given) => {
    // The last one is the command itself.
    const code = await (await load())[name](...(given.slice(0, -1) as never[]));
    if (typeof code === 'number') process.exitCode = code;
  };

const EXIT_CODES_HELP =
  'Exit codes: 0 answered, 1 failed or cancelled, 2 wrong usage or configuration, 3 asking, 4 paused, 130 left by Ctrl-C.';

const data = () => import('./data.ts');
const lists = () => import('./lists.ts');
const run = () => import('./run.ts');

const dataDir = (): Option => new Option('--data-dir <folder>', 'data folder (default: TRIPACT_DATA_DIR, else ./data)');
const timezone = (): Option =>
  new Option('--timezone <zone>', "zone of dates, such as Europe/Berlin (default: TRIPACT_TIMEZONE, else the host's)");

const served = (command: Command): Command => {
  const urlHelp = 'service to talk to (default: TRIPACT_URL, else the one on the data folder, else one of its own)';
  return command.addOption(new Option('--url <address>', urlHelp).conflicts('dataDir')).addOption(dataDir());
};

const asList = (command: Command): Command =>
  served(
    command
      .option('--limit <number>', 'list at most so many, up to 500 (default: 50)')
      .option('--cursor <next>', 'go on where the page before ended')
      .option('--json', 'one line of JSON for each, as the API gives it'),
  );

const talking = (command: Command): Command => {
  const replan = new Option('--replan <when>', 'replan after every item, or only when it is needed');
  return served(
    command
      .option('--session <id>', 'session to go on with (default: a new one)')
      .addOption(timezone())
      .option('--expires-in <seconds>', 'pause the task where nobody answers a question in time')
      .option('--confirm-plan', 'show the plan and wait for a yes before it is carried out')
      .addOption(replan.choices(['always', 'when_needed'])),
  );
};

const withQuota = (command: Command): Command => {
  const turnsHelp = 'turns that the owner may send a day, or none for any number (default: as it is)';
  const tokensHelp = "tokens that the owner's model calls may use a day, or none (default: as it is)";
  return command
    .option('--turns-per-day <number>', turnsHelp)
    .option('--tokens-per-day <number>', tokensHelp)
    .addOption(dataDir());
};

/** Has a wrong command line answered with its error and one line of usage. */
const showUsageAfterErrors = (command: Command): void => {
  const usage = command.createHelp().commandUsage(command);
  command.showHelpAfterError(`Usage: ${usage}; ${usage.split(' [')[0]} --help says more`);
  for (const below of command.commands) showUsageAfterErrors(below);
};

const buildProgram = (): Command => {
  const program = new Command('tripact')
    .enablePositionalOptions()
    .description(manifest.description)
    .version(manifest.version)
    .configureOutput({
      writeErr: (text) => process.stderr.write(printable(text)),
      // With the name that was meant on the same line.
      outputError: (text, write) => write(text.replace('\n(', ' (')),
    })
    .exitOverride(({ exitCode: code }) => process.exit(code === 0 ? 0 : exitCode.usage))
    .addHelpText(
      'after',
      `\nWithout a command it serves. "tripact config" lists the environment variables.\n${EXIT_CODES_HELP}`,
    );
  const add = (name: string, description: string, example: string, hasExitCodes = false): Command =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', `\nExample:\n  $ ${example}\n${hasExitCodes ? `\n${EXIT_CODES_HELP}` : ''}`);

  add('serve', 'run the service', 'tripact serve --port 0')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: TRIPACT_PORT, else 8787)')
    .option('--host <address>', 'address to listen on (default: TRIPACT_HOST, else 127.0.0.1)')
    .addOption(dataDir())
    .action(by(() => import('./serve.ts'), 'serve'));

  const runHelp = 'carry out one task: progress on standard error, the answer on standard output';
  talking(add('run', runHelp, 'tripact run "Add milk to my todos"', true))
    .argument('<goal>', 'what to do; or an answer, "continue" or a slash command for the session')
    .option('--json', 'print the finished turn as one line of JSON, and ask nothing')
    .option('--answer-schema <file>', 'JSON Schema that the answer must meet; the answer is printed as JSON')
    .action(by(run, 'run'));

  const chatHelp = 'talk: tasks, answers, and slash commands also while a task runs';
  talking(add('chat', chatHelp, 'tripact chat --session me', true)).action(by(() => import('./chat.ts'), 'chat'));

  const initHelp = 'write a small project that works at once: an agent with one tool, and a test of it';
  add('init', initHelp, 'tripact init my-agent')
    .argument('[folder]', 'folder to write it to', '.')
    .action(by(() => import('./init.ts'), 'init'));

  const replayExample = 'tripact trace me --format json | tripact replay -';
  add('replay', 'fold traces through the machine and compare; touches nothing else', replayExample)
    .argument('<file...>', 'traces as NDJSON, - for standard input')
    .action(by(() => import('./replay.ts'), 'replayFiles'));

  const format = new Option('--format <format>', 'prose, or the NDJSON that replay reads');
  served(add('trace', 'show the trace of a task or a session', 'tripact trace run-9f3c1a77b2 --follow'))
    .argument('<id>', 'id of a task or a session')
    .option('--follow', 'go on with new entries as they come, to the end of the task')
    .addOption(format.choices(['text', 'json']).default('text'))
    .option('--as-test', 'print a vitest test that contains the trace and replays it')
    .action(by(() => import('./trace.ts'), 'showTrace'));

  const forkExample = 'tripact fork task_0mwr… --at 9 --input "tomorrow at 10am"';
  served(add('fork', 'go on from any entry of a task, in a new session', forkExample, true))
    .argument('<task>', 'id of the task')
    .option('--at <seq>', 'last entry of the history that the fork has (default: the last one there is)')
    .option('--input <text>', 'the answer where the task waits, "continue" where it is paused, a steer where it runs')
    .option('--session <id>', 'name of the new session (default: made up)')
    .option('--json', 'print the finished turn as one line of JSON')
    .action(by(run, 'fork'));

  const sessionsHelp = 'list the sessions, the most recently used first, with what each waits for';
  asList(add('sessions', sessionsHelp, 'tripact sessions --search "team lunch"'))
    .option('--search <words>', 'only those with all of these words in their name, title, inputs or answers')
    .action(by(lists, 'showSessions'));

  const tasksHelp = 'list the tasks that wait for you over all sessions, longest first; or all tasks of one session';
  asList(add('tasks', tasksHelp, 'tripact tasks --state awaiting_user'))
    .option('--state <states>', 'awaiting_user, paused, or both with a comma (default: both)')
    .addOption(new Option('--session <id>', 'all tasks of this session').conflicts('state'))
    .action(by(lists, 'showTasks'));

  const callbackState = new Option('--state <state>', 'only what is in this state');
  const callbacksHelp = 'list what is to be posted to programs, was delivered or was given up, newest first';
  const callbacks = asList(add('callbacks', callbacksHelp, 'tripact callbacks --state given_up'))
    .addOption(callbackState.choices(['pending', 'delivered', 'given_up']))
    .action(by(lists, 'showCallbacks'));
  served(callbacks.command('resend').description('post one now, whatever came of it before'))
    .argument('<id>', 'id of the callback, as "tripact callbacks" lists it')
    .action(by(lists, 'resendCallback'));

  const cancelHelp = 'cancel a task, or what a session works on, waits for or has paused';
  served(add('cancel', cancelHelp, 'tripact cancel run-9f3c1a77b2', true))
    .argument('<id>', 'id of a task or a session')
    .action(by(run, 'cancel'));

  const pruneHelp = 'remove sessions that were not used for long; todos and schedules stay';
  add('prune', pruneHelp, 'tripact prune --older-than 90d --dry-run')
    .option('--older-than <age>', 'such as 90d, 12w or 36h (default: TRIPACT_RETENTION_DAYS)')
    .option('--include-waiting', 'also sessions with a task that waits for an answer or is paused')
    .option('--dry-run', 'list them and remove nothing; also while the service runs')
    .addOption(dataDir())
    .action(by(data, 'prune'));

  const keys = program.command('keys').description('who may call the service; works at once, also while it runs');
  withQuota(keys.command('add'))
    .description('make a key and print it: it is shown this once; from the first key on every caller needs one')
    .argument('<owner>', 'whose sessions and data it is for: letters, digits, _ and -')
    .addOption(new Option('--role <role>', 'what it may do').choices(['user', 'operator', 'front_end']).default('user'))
    .option('--expires <age>', 'when it ends, such as 90d, 12w or 36h (default: never)')
    .option('--json', 'print the key with all that is known of it, as one line of JSON')
    .action(by(data, 'addKey'));
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option('--json', 'print a line of JSON for each')
    .addOption(dataDir())
    .action(by(data, 'listKeys'));
  withQuota(keys.command('quota'))
    .description('show or change what an owner may use a day (UTC), whatever key it shows')
    .argument('<owner>', 'whose')
    .action(by(data, 'changeQuota'));
  keys
    .command('revoke')
    .description('end a key at once')
    .argument('<id>', 'id of the key, as "tripact keys list" shows it')
    .addOption(dataDir())
    .action(by(data, 'revokeKey'));

  const users = program
    .command('users')
    .description('the users of front ends, whom their keys speak for; for operators');
  served(users.command('list'))
    .description('list those of whom anything is stored, with what they used today')
    .option('--json', 'one line of JSON for each, as the API gives it')
    .action(by(lists, 'showUsers'));
  served(users.command('remove'))
    .description('remove a user with all that is stored of them; what runs is aborted')
    .argument('<user>', 'as it is listed, or <owner of the key>~ and the user as the front end names them')
    .action(by(lists, 'removeUser'));

  add('backup', 'copy the database into a new file, also while the service runs', 'tripact backup tripact-backup.db')
    .argument('<file>', 'the backup; never overwritten')
    .addOption(dataDir())
    .action(by(data, 'backup'));

  const restoreExample = 'tripact restore tripact-backup.db --data-dir elsewhere';
  add('restore', 'make a backup the database of a data folder that no service uses', restoreExample)
    .argument('<file>', 'the backup')
    .option('--force', 'in place of a database that is there, which is kept beside it')
    .addOption(dataDir())
    .action(by(data, 'restore'));

  const exportHelp =
    'write all that is stored of an owner on standard output, to be imported elsewhere; changes nothing';
  add('export', exportHelp, 'tripact export ada > ada.ndjson')
    .argument('<owner>', 'whose sessions, todos, keys and all else; no service may serve it meanwhile')
    .addOption(dataDir())
    .action(by(data, 'exportOwner'));

  const importHelp = 'store an exported owner in the data folder or the database, where nothing is stored of it';
  add('import <file>', importHelp, 'TRIPACT_DATABASE_URL=postgres://… tripact import ada.ndjson')
    .addOption(dataDir())
    .action(by(data, 'importOwner'));

  const toolsHelp = 'list the tools that a task may use, with their usage';
  served(add('tools', toolsHelp, 'tripact tools')).action(by(lists, 'showTools'));

  const toolHelp = 'call a tool once, without a model and without a task; its result on standard output';
  served(add('tool', toolHelp, 'tripact tool todo add milk', true))
    .argument('<name>', 'name of the tool, as "tripact tools" lists it')
    .argument('[input...]', 'its input, as a model would write it')
    .option('--session <id>', 'session whose folder it works in (default: try)')
    .addOption(timezone())
    .passThroughOptions()
    .action(by(run, 'runTool'));

  const configHelp = 'show every setting with its value, source and meaning';
  add('config', configHelp, 'tripact config').action(by(() => import('./settings.ts'), 'showConfig'));

  showUsageAfterErrors(program);
  return program;
};

/** Runs one command line, without `node` and the script's name. Sets the process's exit code; only `serve` keeps running after it. */
export const runCommandLine = async (words: string[]): Promise<void> => {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.answered);
    throw error;
  });
  try {
    await buildProgram().parseAsync(words.length === 0 ? ['serve'] : words, { from: 'user' });
  } catch (error) {
    const { text, code } = formatError(error);
    console.error(printable(text));
    process.exitCode = code;
  }
};
