import { Command, Option } from 'commander';
import manifest from 'tripact/package.json' with { type: 'json' };
import { printable } from '../lib/printable.ts';
import { exitCode, formatError } from './failure.ts';

/**
 * Makes an action from a function in a module that is loaded only for it. The number that it returns is the process's
 * exit code.
 */
const by =
  <Name extends string>(
    load: () => Promise<Record<Name, (...given: never[]) => unknown>>,
    name: Name,
  ): ((...given: unknown[]) => Promise<void>) =>
  async (...given) => {
    // The last argument is the command itself.
    const code = await (await load())[name](...(given.slice(0, -1) as never[]));
    if (typeof code === 'number') process.exitCode = code;
  };

const EXIT_CODES_HELP =
  'Exit codes: 0 answered, 1 failed or cancelled, 2 wrong usage or configuration, 3 asking, 4 paused, 130 left by Ctrl-C.';

const approvals = () => import('./approvals.ts');
const data = () => import('./data.ts');
const lists = () => import('./lists.ts');
const run = () => import('./run.ts');
const signIns = () => import('./sign-ins.ts');

const dataDir = (): Option => new Option('--data-dir <folder>', 'data folder (default: TRIPACT_DATA_DIR, else ./data)');
const timezone = (): Option =>
  new Option(
    '--timezone <zone>',
    "time zone of dates, such as Europe/Berlin (default: TRIPACT_TIMEZONE, else the host's)",
  );

const served = (command: Command): Command => {
  const urlHelp = 'service to talk to (default: TRIPACT_URL, else the one on the data folder, else one of its own)';
  return command.addOption(new Option('--url <address>', urlHelp).conflicts('dataDir')).addOption(dataDir());
};

const asList = (command: Command): Command =>
  served(
    command
      .option('--limit <number>', 'number of items to list, up to 500 (default: 50)')
      .option('--cursor <next>', 'continue where the previous page ended')
      .option('--json', 'one line of JSON for each, as the API returns it'),
  );

const talking = (command: Command): Command => {
  const replan = new Option('--replan <when>', 'replan after every item, or only when needed');
  return served(
    command
      .option('--session <id>', 'session to continue (default: a new one)')
      .option('--agent <name>', 'agent of a new session (default: the one of the configuration)')
      .addOption(timezone())
      .option('--expires-in <seconds>', 'pause the task if nobody answers a question in time')
      .option('--confirm-plan', 'show the plan and wait for a yes before carrying it out')
      .option('--look-first', 'call only tools that read, then show the plan and wait for a yes')
      .addOption(replan.choices(['always', 'when_needed'])),
  );
};

const withQuota = (command: Command): Command => {
  const turnsHelp = 'turns that the owner may send a day, or none for no limit (default: unchanged)';
  const tokensHelp = "tokens that the owner's model calls may use a day, or none for no limit (default: unchanged)";
  const costHelp =
    "what the owner's model calls may cost a day, by the prices, or none for no limit (default: unchanged)";
  return command
    .option('--turns-per-day <number>', turnsHelp)
    .option('--tokens-per-day <number>', tokensHelp)
    .option('--cost-per-day <amount>', costHelp)
    .addOption(dataDir());
};

/** Answers a wrong command line with its error and one line of usage. */
const showUsageAfterErrors = (command: Command): void => {
  const usage = command.createHelp().commandUsage(command);
  command.showHelpAfterError(`Usage: ${usage}; ${usage.split(' [')[0]} --help says more`);
  for (const below of command.commands) showUsageAfterErrors(below);
};

/** Adds a command with an example, and with the exit codes if they depend on the task. */
type AddCommand = (name: string, description: string, example: string, hasExitCodes?: boolean) => Command;

const script = (): Option =>
  new Option(
    '--script <file>',
    "the model's answers, as JSON: no model is asked, tools run for real (docs/testing.md)",
  );

const adderOf =
  (program: Command): AddCommand =>
  (name, description, example, hasExitCodes = false) =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', `\nExample:\n  $ ${example}\n${hasExitCodes ? `\n${EXIT_CODES_HELP}` : ''}`);

const addTaskCommands = (add: AddCommand): void => {
  add('serve', 'run the service', 'tripact serve --port 0')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: TRIPACT_PORT, else 8787)')
    .option('--host <address>', 'address to listen on (default: TRIPACT_HOST, else 127.0.0.1)')
    .addOption(script())
    .addOption(dataDir())
    .action(by(() => import('./serve.ts'), 'serve'));

  const runHelp = 'carry out one task: progress on standard error, the answer on standard output';
  talking(add('run', runHelp, 'tripact run "Add milk to my todos"', true))
    .argument('<goal>', 'the goal; or an answer, "continue" or a slash command for the session')
    .option('--json', 'print the finished turn as one line of JSON; never ask')
    .option(
      '--plan <file>',
      'the plan to carry out, as JSON: a list of steps, or of items with id, step and depends_on',
    )
    .option('--answer-schema <file>', 'JSON Schema that the answer must meet; the answer is printed as JSON')
    .addOption(script().conflicts('url'))
    .action(by(run, 'run'));

  const chatHelp = 'talk: tasks, answers, and slash commands also while a task runs';
  talking(add('chat', chatHelp, 'tripact chat --session me', true)).action(by(() => import('./chat.ts'), 'chat'));

  const initHelp = 'write a small working project: an agent with one tool, and a test of it; or a larger one';
  const template = new Option(
    '--template <name>',
    'a support desk with approvals and MCP, a chat bot, or research over files',
  );
  add('init', initHelp, 'tripact init my-agent')
    .argument('[folder]', 'folder to write it to', '.')
    .addOption(template.choices(['support-desk', 'chat-bot', 'research']))
    .action(by(() => import('./init.ts'), 'init'));
};

const addHistoryCommands = (add: AddCommand): void => {
  const replayExample = 'tripact trace me --format json | tripact replay -';
  add('replay', 'fold traces through the machine and compare; touches nothing else', replayExample)
    .argument('<file...>', 'traces as NDJSON, - for standard input')
    .option('--root <chain>', 'a chain that was noted when the trace was made: one of its entries must have it')
    .option('--skills <folder>', 'name the skills of the traces that are others in this folder')
    .action(by(() => import('./replay.ts'), 'replayFiles'));

  const rerunHelp =
    'run recorded tasks again and compare: as recorded, the same model again, and a candidate; writes nothing';
  add('rerun', rerunHelp, 'tripact rerun monday.ndjson --model anthropic:claude-haiku-4-5')
    .argument('<trace...>', 'traces as NDJSON or as saved pages of the console, - for standard input')
    .option('--model <model>', 'the model of the candidate, written like TRIPACT_MODEL')
    .option('--instructions <file>', 'the instructions of the candidate, in place of those of tripact.config.ts')
    .option('--live-reads', 'let tools that only read run for calls that were not recorded')
    .option('--max-cost <amount>', 'ask no model any more once all runs have cost so much, by the prices')
    .option('--concurrency <number>', 'runs at the same time, 1 to 64 (default: 4)')
    .addOption(timezone())
    .option('--json', 'print the report as one line of JSON')
    .action(by(() => import('./rerun.ts'), 'rerunFiles'));

  const format = new Option('--format <format>', 'prose, or the NDJSON that replay reads');
  served(add('trace', 'show the trace of a task or a session', 'tripact trace run-9f3c1a77b2 --follow'))
    .argument('<id>', 'id of a task or a session')
    .option('--follow', 'follow new entries until the end of the task')
    .addOption(format.choices(['text', 'json']).default('text'))
    .option('--as-test', 'print a vitest test that contains the trace and replays it')
    .action(by(() => import('./trace.ts'), 'showTrace'));

  const forkExample = 'tripact fork task_0mwr… --at 9 --input "tomorrow at 10am"';
  served(add('fork', 'continue from any entry of a task, in a new session', forkExample, true))
    .argument('<task>', 'id of the task, as "tripact tasks --session <id>" lists it')
    .option('--at <seq>', 'last entry of the history to copy (default: the newest)')
    .option('--input <text>', 'the answer if the task waits, "continue" if it is paused, a steer if it runs')
    .option('--session <id>', 'name of the new session (default: generated)')
    .option('--json', 'print the finished turn as one line of JSON')
    .action(by(run, 'fork'));
};

const addSessionCommands = (add: AddCommand): void => {
  const sessionsHelp = 'list the sessions, most recently used first, with what each waits for';
  asList(add('sessions', sessionsHelp, 'tripact sessions --search "team lunch"'))
    .option('--search <words>', 'only those with all of these words in their name, title, inputs or answers')
    .action(by(lists, 'showSessions'));

  const tasksHelp = 'list the waiting tasks of all sessions, longest waiting first; or all tasks of one session';
  asList(add('tasks', tasksHelp, 'tripact tasks --state awaiting_user'))
    .option('--state <states>', 'awaiting_user, paused, or both with a comma (default: both)')
    .addOption(new Option('--session <id>', 'all tasks of this session').conflicts('state'))
    .action(by(lists, 'showTasks'));

  const approvalsHelp = "list the actions of anybody's tasks that wait for you as an approver, longest waiting first";
  asList(add('approvals', approvalsHelp, 'tripact approvals')).action(by(approvals, 'showApprovals'));
  served(add('approve', 'let an action run that waits for you as an approver', 'tripact approve approval-task_0mwr…-4'))
    .argument('<approval>', 'id of the approval, as "tripact approvals" lists it')
    .option('--input <text>', "run it with this input in place of the model's")
    .action(by(approvals, 'approve'));
  served(
    add('refuse', 'refuse an action that waits for you as an approver', 'tripact refuse approval-task_0mwr…-4 "paid"'),
  )
    .argument('<approval>', 'id of the approval, as "tripact approvals" lists it')
    .argument('[reason...]', 'what the task is told')
    .action(by(approvals, 'refuse'));

  const callbackState = new Option('--state <state>', 'only callbacks in this state');
  const callbacksHelp = 'list the callbacks to programs: pending, delivered or given up, newest first';
  const callbacks = asList(add('callbacks', callbacksHelp, 'tripact callbacks --state given_up'))
    .addOption(callbackState.choices(['pending', 'delivered', 'given_up']))
    .action(by(lists, 'showCallbacks'));
  served(callbacks.command('resend').description('post a callback now, whatever its state'))
    .argument('<id>', 'id of the callback, as "tripact callbacks" lists it')
    .action(by(lists, 'resendCallback'));

  const cancelHelp = 'cancel a task, or the running, waiting or paused task of a session';
  served(add('cancel', cancelHelp, 'tripact cancel run-9f3c1a77b2', true))
    .argument('<id>', 'id of a task or a session')
    .action(by(run, 'cancel'));

  const pruneHelp = 'remove sessions that were unused for long; todos and schedules stay';
  add('prune', pruneHelp, 'tripact prune --older-than 90d --dry-run')
    .option('--older-than <age>', 'such as 90d, 12w or 36h (default: TRIPACT_RETENTION_DAYS)')
    .option('--include-waiting', 'also sessions with a task that waits for an answer or is paused')
    .option('--dry-run', 'only list them; also works while the service runs')
    .addOption(dataDir())
    .action(by(data, 'prune'));
};

const addKeyCommands = (program: Command): void => {
  const keys = program.command('keys').description('who may call the service; works at once, also while it runs');
  withQuota(keys.command('add'))
    .description('make a key and print it, only this once; after the first key, every caller needs one')
    .argument('<owner>', 'owner whose sessions and data it gives access to: letters, digits, _ and -')
    .addOption(new Option('--role <role>', 'what it may do').choices(['user', 'operator', 'front_end']).default('user'))
    .option('--roles <names>', 'what it may approve for others, by roles with commas between, such as finance')
    .option('--expires <age>', 'when it ends, such as 90d, 12w or 36h (default: never)')
    .option('--json', 'print the key with its properties, as one line of JSON')
    .action(by(data, 'addKey'));
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--json', 'print a line of JSON for each')
    .addOption(dataDir())
    .action(by(data, 'listKeys'));
  withQuota(keys.command('quota'))
    .description("show or change an owner's daily quota (UTC), which applies to all the owner's keys")
    .argument('<owner>', 'whose')
    .action(by(data, 'changeQuota'));
  keys
    .command('revoke')
    .description('revoke a key at once')
    .argument('<id>', 'id of the key, as "tripact keys list" shows it')
    .addOption(dataDir())
    .action(by(data, 'revokeKey'));
};

const addUserCommands = (program: Command): void => {
  const users = program.command('users').description('the users of front ends; for operators');
  served(users.command('list'))
    .description('list the users for whom anything is stored, with their usage today')
    .option('--json', 'one line of JSON for each, as the API returns it')
    .action(by(lists, 'showUsers'));
  served(users.command('remove'))
    .description('remove a user and everything stored for them; running work is aborted')
    .argument('<user>', "the user as listed, or <owner of the key>~ and the front end's name for the user")
    .action(by(lists, 'removeUser'));
};

const addAuditCommands = (add: AddCommand): void => {
  const auditHelp = 'print what was done, by whom and when, as chained lines of JSON; changes nothing';
  const audit = add('audit', auditHelp, 'tripact audit --from 2026-11-01 --to 2026-11-30 > november.ndjson')
    .option('--from <day>', 'first day, in UTC, such as 2026-11-01 (default: the day of the first act)')
    .option('--to <day>', 'last day, in UTC (default: today)')
    .option('--owner <owner>', 'whose acts are readable; the others are there as hashes (default: all)')
    .addOption(dataDir())
    .action(by(() => import('./audit.ts'), 'printAudit'));
  audit
    .command('verify')
    .description('check the lines of an audit, and traces against it; names the first line that differs')
    .argument('<file>', 'lines that "tripact audit" printed')
    .option('--root <root>', "a day's root that was noted or posted before: one of the days must have it")
    .option('--traces <file...>', 'traces as NDJSON, whose entries must be those that the audit names')
    .action(by(() => import('./audit.ts'), 'verifyAudit'));
};

const addDataCommands = (add: AddCommand): void => {
  add('backup', 'copy the database into a new file, also while the service runs', 'tripact backup tripact-backup.db')
    .argument('<file>', 'the backup; never overwritten')
    .addOption(dataDir())
    .action(by(data, 'backup'));

  const restoreExample = 'tripact restore tripact-backup.db --data-dir elsewhere';
  add('restore', 'make a backup the database of a data folder that no service uses', restoreExample)
    .argument('<file>', 'the backup')
    .option('--force', 'replace an existing database, which is kept beside the new one')
    .addOption(dataDir())
    .action(by(data, 'restore'));

  const exportHelp =
    'write everything stored for an owner to standard output, for an import elsewhere; changes nothing';
  add('export', exportHelp, 'tripact export ada > ada.ndjson')
    .argument(
      '<owner>',
      'the owner of the sessions, todos, keys and other data; no service may serve this owner meanwhile',
    )
    .addOption(dataDir())
    .action(by(data, 'exportOwner'));

  const importHelp = 'store an exported owner in a data folder or database that has nothing of that owner';
  add('import <file>', importHelp, 'TRIPACT_DATABASE_URL=postgres://… tripact import ada.ndjson')
    .addOption(dataDir())
    .action(by(data, 'importOwner'));
};

const addToolCommands = (add: AddCommand): void => {
  const toolsHelp = 'list the tools that a task may use, with their usage';
  served(add('tools', toolsHelp, 'tripact tools')).action(by(lists, 'showTools'));

  served(add('sign-ins', 'list the MCP servers at which you can sign in', 'tripact sign-ins'))
    .option('--json', 'print a line of JSON for each')
    .action(by(signIns, 'showSignIns'));
  served(add('sign-in', 'print the address at which you sign in at an MCP server', 'tripact sign-in mail'))
    .argument('<server>', 'name of the server, as "tripact sign-ins" lists it')
    .action(by(signIns, 'signIn'));
  served(add('sign-out', 'forget your sign-in at an MCP server', 'tripact sign-out mail'))
    .argument('<server>', 'name of the server, as "tripact sign-ins" lists it')
    .action(by(signIns, 'signOut'));

  const toolHelp = 'call a tool once, without a model or task; its result goes to standard output';
  served(add('tool', toolHelp, 'tripact tool todo add milk', true))
    .argument('<name>', 'name of the tool, as "tripact tools" lists it')
    .argument('[input...]', 'its input, as a model would write it')
    .option('--session <id>', 'session whose folder it works in (default: try)')
    .addOption(timezone())
    .passThroughOptions()
    .action(by(run, 'runTool'));

  const docsHelp = 'search the documentation that the package brings; without words, list its pages';
  add('docs', docsHelp, 'tripact docs approvals')
    .argument('[words...]', 'words to search for, or a page such as docs/tools.md')
    .action(by(() => import('./docs.ts'), 'showDocs'));

  const configHelp = 'show every setting with its value, source and meaning';
  add('config', configHelp, 'tripact config').action(by(() => import('./settings.ts'), 'showConfig'));
};

const buildProgram = (): Command => {
  const program = new Command('tripact')
    .enablePositionalOptions()
    .description(manifest.description)
    .version(manifest.version)
    .configureOutput({
      writeErr: (text) => process.stderr.write(printable(text)),
      // Puts the suggested name on the same line.
      outputError: (text, write) => write(text.replace('\n(', ' (')),
    })
    .exitOverride(({ exitCode: code }) => process.exit(code === 0 ? 0 : exitCode.usage))
    .addHelpText(
      'after',
      `\nWithout a command, the service runs. "tripact config" lists the environment variables.\n${EXIT_CODES_HELP}`,
    );
  const add = adderOf(program);
  addTaskCommands(add);
  addHistoryCommands(add);
  addSessionCommands(add);
  addKeyCommands(program);
  addUserCommands(program);
  addAuditCommands(add);
  addDataCommands(add);
  addToolCommands(add);
  showUsageAfterErrors(program);
  return program;
};

/**
 * Runs one command line, given without `node` and the script's name. Sets the process's exit code; only `serve` keeps
 * running afterwards.
 */
export const runCommandLine = async (words: string[]): Promise<void> => {
  // A reader that stops early, such as `head`, is not a failure.
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
