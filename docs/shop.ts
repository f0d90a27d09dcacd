import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { buildApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/lib/log.ts';
import { defineTool } from '../src/tools/define-tool.ts';
import { message } from '../test/support/anthropic/answers.ts';
import type { MessagesAnswer, MessagesRequest } from '../test/support/anthropic/messages.ts';
import { startMessagesServer } from '../test/support/anthropic/server.ts';
import { act, answer, ask, done, plan, replanned } from '../test/support/service/answers.ts';

/**
 * A shop that has its work done by the service, for pictures of the console: the real service with a model whose
 * answers are written down here. Its clock is moved on by each answer and call, so that the work has taken its time, and was
 * done at different hours, without anybody waiting for it.
 */
export interface Shop {
  url: string;
  /** The ids of its tasks, by their sessions' names. */
  tasks: ReadonlyMap<string, string>;
  /** The id of the rerun of some of them by a cheaper model, which is over. */
  rerun: string;
  close(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long an answer of the model and a call of a tool take, in turn, in milliseconds. */
const [ANSWERS_MS, CALLS_MS] = [
  [1_200, 900, 800, 700, 1_100, 800, 1_000],
  [300, 600, 500, 900, 400],
];

/** A clock that is set and moved on by hand. */
const createClock = () => {
  let offset = 0;
  let turn = 0;
  return {
    now: (): number => Date.now() + offset,
    /** Sets it to so many milliseconds ago. */
    setBack: (ms: number): void => {
      offset = -ms;
    },
    pass: (lengths: readonly number[]): void => {
      turn += 1;
      offset += lengths[turn % lengths.length] ?? 0;
    },
  };
};

type Clock = ReturnType<typeof createClock>;

const PAGES: Record<string, string> = {
  refunds: 'Damaged on arrival: full price, within 30 days.',
  damaged: 'A photo is enough; nothing needs to come back.',
  limits: 'Above 10 € a person approves the payment.',
};

/** The tools of the shop. The photo's storage is busy the first time. */
const createTools = ({ pass }: Clock) => {
  let photos = 0;
  const reads = { writes: false } as const;
  return [
    defineTool({
      ...reads,
      name: 'order_get',
      description: 'Looks up an order: who placed it, and what was paid.',
      input: z.object({ order: z.string() }),
      run: ({ order }) => {
        pass(CALLS_MS);
        const customer = { name: 'Anna Lindqvist', email: 'anna@lindqvist.example' };
        return { order, placed: '2026-11-19T09:12:40Z', customer, lines: [{ sku: 'MUG-04', paid_euros: 19.9 }] };
      },
    }),
    defineTool({
      ...reads,
      name: 'photo_read',
      description: 'Says what is to be seen on a photo of a customer.',
      input: z.object({ file: z.string() }),
      run: () => {
        pass(CALLS_MS);
        photos += 1;
        if (photos === 1) throw new Error('503: the storage is busy');
        return 'A blue mug, cracked from the rim to the handle.';
      },
    }),
    defineTool({
      ...reads,
      name: 'page_read',
      description: 'Reads a page of a handbook, or of another shop.',
      input: z.object({ page: z.string() }),
      source: 'untrusted',
      run: ({ page }) => {
        pass(CALLS_MS);
        return PAGES[page] ?? `The refund policy of ${page}.`;
      },
    }),
    defineTool({
      name: 'refund',
      description: 'Pays money back to the card that paid an order.',
      input: z.object({
        amount: z.number().max(100).describe('In euros'),
        order: z.string(),
        reason: z.string(),
        notify: z.boolean().optional(),
      }),
      approval: ({ amount, order }) => ({
        ask: `Refund ${amount.toFixed(2)} € for order ${order}`,
        reason: 'above 10 € a person decides',
      }),
      run: () => {
        pass(CALLS_MS);
        return 'refunded';
      },
    }),
    defineTool({
      name: 'invoices_import',
      description: 'Imports the invoices of a month from the archive.',
      input: z.object({ month: z.string() }),
      run: () => {
        pass(CALLS_MS);
        throw new Error('archive.shop.example: 401, the password expired on 31 October');
      },
    }),
  ];
};

const REFUND = {
  amount: 19.9,
  order: '1043',
  reason:
    'The blue mug (MUG-04) arrived broken. Her photo of 25 November shows the crack. Full price, as “Damaged on arrival” in the refund policy says.',
  notify: true,
};

const POLICIES = `# We are the strictest of four

Our 14 days are half of what the others give, and we alone let the customer pay for the way back. **Thirty days and a label in the parcel** would cost about 85 € a month at November’s volume.

| Shop | Days | Way back | Opened tea | Paid within |
|---|---:|---|---|---:|
| Ours | 14 | customer | no | 5 days |
| Northwind | 30 | shop, label in the parcel | store credit | 3 days |
| Contoso | 30 | shop, above 25 € | no | 7 days |
| Fabrikam | 60 | shop | within 14 days | 2 days |

## What to change

1. Extend the window to **30 days**, and keep \`14\` for opened tea.
2. Put a label into each parcel.
3. Say on the order page what happens to gift cards. None of the four does.

\`\`\`ts
export const refundWindow = ({ lines }: Order): Days =>
  // Opened tea keeps the short window.
  lines.some(({ kind }) => kind === 'tea') ? 14 : 30;
\`\`\`
`;

const call = (tool: string, input: unknown) => act(tool, JSON.stringify(input));

/** A piece of work: its session, how long ago it began, its goal, the model's answers, and what the user says then. */
interface Work {
  session: string;
  ago: number;
  goal: string;
  answers: Record<string, unknown>[];
  options?: Record<string, unknown>;
  then?: string;
}

const small = (session: string, ago: number, goal: string, said: string): Work => ({
  session,
  ago,
  goal,
  answers: [plan('Look it up', 'Write it down'), call('order_get', { order: '1011' }), done(), done(), answer(said)],
});

/** A task that paid back what a cheaper model would not have paid back. */
const LID = 'Order 1038 came without its lid. Refund the lid.';

const lidAnswers = (amount: number, said: string): Work['answers'] => [
  plan('Look up order 1038', 'Pay the lid back', 'Tell the customer'),
  call('order_get', { order: '1038' }),
  done('The teapot was paid; its lid alone is 12.50 €.'),
  call('refund', { amount, order: '1038', reason: 'The teapot arrived without its lid.' }),
  done('Paid back.'),
  done('Told.'),
  answer(said),
];

const WORKS: readonly Work[] = [
  {
    session: 'lid',
    ago: 28 * HOUR,
    goal: LID,
    answers: lidAnswers(12.5, 'The lid is paid back: 12.50 €. The customer knows.'),
    then: 'yes',
  },
  small('vat', 27 * HOUR, 'Answer the VAT question of Contoso', 'Answered: the reverse charge applies.'),
  small('hours', 26 * HOUR, 'Opening hours over the holidays', 'Closed from 24 to 27 December.'),
  small('unpaid', 25 * HOUR, 'Unpaid orders older than 30 days', 'There are two: 1011 and 1019.'),
  {
    session: 'import',
    ago: 1.2 * HOUR,
    goal: 'Import of the October invoices',
    answers: [
      plan('Import the invoices', 'Report the sums'),
      ...['October', '2026-10', '10', 'October'].map((month) => call('invoices_import', { month })),
    ],
  },
  {
    session: 'milk',
    ago: 0.9 * HOUR,
    goal: 'Order milk for the office',
    answers: [
      plan('Ask which one', 'Put it on the list'),
      { ...ask('Which one?'), options: ['Oat milk', 'Cow’s milk'] },
      replanned('Put it on the list'),
      act('todo', 'add oat milk'),
      done('It is on the list'),
      answer('Oat milk is on the list.'),
    ],
    then: 'Oat milk',
  },
  {
    session: 'venue',
    ago: 0.6 * HOUR,
    goal: '三月团建选哪个场地？',
    answers: [
      plan('查空闲的场地', '定一个'),
      {
        ...ask('3 月 12 日有三个场地空闲。选哪个？'),
        options: [
          'Loft 12：640 €，有厨房，离车站 8 分钟',
          'Hotel Amano：980 €，含午餐',
          'Café Einstein：410 €，没有投影仪',
        ],
      },
    ],
  },
  {
    session: 'newsletter',
    ago: 14 * MINUTE,
    goal: 'Send the December newsletter',
    answers: [
      plan(
        'Draft it from the six new products',
        'Show the draft to Max',
        'Send it to 2,300 readers',
        'Write down who opened it',
      ),
    ],
    options: { confirm_plan: true },
  },
  {
    session: 'policies',
    ago: 12 * MINUTE,
    goal: 'Compare the refund policies of four shops. What should we change?',
    answers: [
      plan('Read the policies of four shops', 'Compare them with ours', 'Write down what to change'),
      ...['northwind', 'contoso', 'fabrikam', 'acme'].map((page) => call('page_read', { page })),
      done('All four were read.'),
      done('Ours is the strictest.'),
      call('files', { command: 'write', path: 'policies.md', text: POLICIES }),
      done('Written down.'),
      answer(POLICIES),
    ],
  },
  {
    session: 'order-1043',
    ago: 2.4 * MINUTE,
    goal: 'Order 1043 arrived broken. Refund it and tell the customer.',
    answers: [
      plan('Look up order 1043 and what was paid', 'Ask Anna to send the mug back', 'Tell Anna about the refund'),
      call('order_get', { order: '1043' }),
      call('photo_read', { file: 'photo-1043.jpg' }),
      call('photo_read', { file: 'photo-1043.jpg' }),
      done('Paid 19.90 € by card on 19 November for MUG-04. The photo shows a crack from rim to handle.'),
      replanned('Pay the broken mug back', 'Tell Anna about the refund'),
      ...['refunds', 'damaged', 'limits'].map((page) => call('page_read', { page })),
      call('refund', REFUND),
    ],
  },
];

/** The goal that never gets its next answer: its task runs. */
const RUNNING = 'Reply to yesterday’s eleven reviews';

const goalOf = ({ body }: MessagesRequest): string =>
  /<goal>\n([\s\S]*?)\n<\/goal>/.exec(body.messages[0]?.content ?? '')?.[1] ?? '';

/** The models of the shop, and the cheaper one that is tried on its recorded tasks. */
const [MODEL, CHEAPER] = ['claude-sonnet-4-5', 'claude-haiku-4-5'];

/** The answers of the cheaper model: it pays the whole teapot back, and says the other things in its own words. */
const CHEAPER_ANSWERS: ReadonlyMap<string, Work['answers']> = new Map(
  WORKS.flatMap(({ session, goal, answers }): [string, Work['answers']][] => {
    if (session === 'lid') return [[goal, lidAnswers(64.9, 'The teapot is paid back.')]];
    return [[goal, [...answers.slice(0, -1), answer(`${String(answers.at(-1)?.response)} Anything else?`)]]];
  }),
);

/** The sessions whose tasks run again. */
const RERUN = ['lid', 'vat', 'unpaid'];

/** The model: each goal has its answers in order; beyond them it thinks on. */
const startModel = async (clock: Clock) => {
  const left = new Map(WORKS.map(({ goal, answers }) => [goal, [...answers]]));
  const cheaper = new Map([...CHEAPER_ANSWERS].map(([goal, answers]) => [goal, [...answers]]));
  left.set(RUNNING, [plan('Read the reviews', 'Write the replies'), call('page_read', { page: 'reviews' })]);
  const next: MessagesAnswer = async (response, request) => {
    const given = (request.body.model === CHEAPER ? cheaper : left).get(goalOf(request))?.shift();
    if (given === undefined) return;
    clock.pass(ANSWERS_MS);
    // A task's calls share one prompt, which grows.
    const cached = 1_200 + 70 * request.body.messages.length;
    const usage = { input_tokens: 420, output_tokens: 96, cache_read_input_tokens: cached };
    await message(given, { usage })(response, request);
  };
  const server = await startMessagesServer({ plan: next, thought: next, replan: next });
  return {
    url: server.url,
    close: server.close,
    say: (goal: string, answers: Work['answers']) => left.set(goal, answers),
  };
};

/** Runs tasks again, and waits until they have. */
const startRerun = async (url: string, body: unknown): Promise<string> => {
  const read = async (response: Response) => (await response.json()) as { id: string; state: string };
  const begun = await fetch(`${url}/v1/reruns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  let rerun = await read(begun);
  while (rerun.state === 'running') rerun = await read(await fetch(`${url}/v1/reruns/${rerun.id}`));
  return rerun.id;
};

/** Opens the shop, and has all of its work done. */
export const openShop = async (): Promise<Shop> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-shop-'));
  const clock = createClock();
  const model = await startModel(clock);
  const config = loadConfig({
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: `anthropic:${MODEL}`,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-of-the-shop-0123456789',
    TRIPACT_TIMEZONE: 'UTC',
    TRIPACT_REPLAN: 'when_needed',
    TRIPACT_MAX_STEPS: '20',
    // What the model does not answer goes on as long as pictures are taken.
    TRIPACT_MODEL_TIMEOUT_MS: '3600000',
  });
  const prices = {
    [MODEL]: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
    [CHEAPER]: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 },
  };
  const file = {
    tools: createTools(clock),
    builtinTools: ['todo', 'schedule', 'files'] as ('todo' | 'schedule' | 'files')[],
    prices: { currency: 'USD', models: prices },
  };
  const log = createLog({ level: 'silent' });
  const app = await buildApp({ config, file, log, version: '0.1.0', now: clock.now });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const tasks = new Map<string, string>();
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<void> => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(url + path, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    const turn = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as { session_id: string; task_id: string };
    tasks.set(turn.session_id, turn.task_id);
  };
  for (const { session, ago, goal, options, then } of WORKS) {
    clock.setBack(ago);
    await post(`/v1/sessions/${session}/turns`, { input: goal, ...options });
    if (then !== undefined) await post(`/v1/sessions/${session}/turns`, { input: then });
  }
  const milk = WORKS.find(({ session }) => session === 'milk');
  if (milk === undefined) throw new Error('The shop orders no milk');
  model.say(milk.goal, [
    replanned('Put it on the list'),
    act('todo', 'add cow’s milk'),
    done('It is on the list'),
    answer('Cow’s milk is on the list.'),
  ]);
  for (const { session, goal, answers } of WORKS) if (RERUN.includes(session)) model.say(goal, [...answers]);
  const rerun = await startRerun(url, {
    task_ids: RERUN.map((session) => tasks.get(session)),
    model: `anthropic:${CHEAPER}`,
  });
  const fork = { at: 3, input: 'Cow’s milk', session_id: 'milk-fork' };
  await post(`/v1/tasks/${tasks.get('milk')}/fork`, fork);
  clock.setBack(40_000);
  await post('/v1/sessions/reviews/turns', { input: RUNNING }, { prefer: 'respond-async' });
  clock.setBack(0);
  return {
    url,
    tasks,
    rerun,
    close: async () => {
      await app.engine.drain(0);
      await app.close();
      await model.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
