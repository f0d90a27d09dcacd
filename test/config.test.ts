import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TaskLimits } from '../contracts/task.ts';
import { loadConfig, unknownSettings } from '../src/config/config.ts';
import { ANTHROPIC_MODEL_DEFAULT, OPENAI_MODEL_DEFAULT } from '../src/config/model-config.ts';
import { PROTOCOLS, type SettingName, settings } from '../src/config/settings.ts';

const KEY = 'k'.repeat(16);

/** The lines of the error that an environment is refused with. */
const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
};

describe('the configuration with nothing set', () => {
  it('listens on loopback with the offline model and the limits of the specification', () => {
    const { host, port, dataDir, model, limits, apiKeys, tokens, protocols, keepPrompts, retentionDays } = loadConfig(
      {},
    );
    expect({ host, port, dataDir, model }).toEqual({
      host: '127.0.0.1',
      port: 8787,
      dataDir: resolve('data'),
      model: { kind: 'offline' },
    });
    expect(limits).toEqual(TaskLimits.parse({}));
    expect({ apiKeys, tokens, protocols }).toEqual({ apiKeys: [], tokens: null, protocols: [...PROTOCOLS] });
    expect({ keepPrompts, retentionDays }).toEqual({ keepPrompts: 7, retentionDays: null });
  });

  it('is the same when every variable is empty', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, ' ']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });
});

describe('a variable', () => {
  it('changes what it names', () => {
    const limits = {
      max_steps: 30,
      max_total_steps: 31,
      failure_limit: 1,
      plan_retries: 0,
      max_questions: 0,
      max_plan_items: 50,
      max_rounds_per_item: 5,
      max_replans: 7,
      verify_limit: 4,
      max_task_tokens: 9,
      max_task_cost: '0.50',
      prompt_tokens: 9_000,
    };
    const written = Object.entries(limits).map(([name, value]) => [`TRIPACT_${name.toUpperCase()}`, ` ${value} `]);
    expect(loadConfig(Object.fromEntries(written)).limits).toEqual(limits);
    const config = loadConfig({
      TRIPACT_HOST: '::1',
      TRIPACT_PORT: '0',
      TRIPACT_DATA_DIR: '/srv/tripact',
      TRIPACT_BRIDGE_DIR: '/srv/agent',
      TRIPACT_MODEL_TIMEOUT_MS: '1000',
      TRIPACT_TOOL_TIMEOUT_MS: '2000',
      TRIPACT_BRIDGE_TIMEOUT_MS: '3000',
      TRIPACT_CONFIRM_PLAN: 'true',
      TRIPACT_APPROVE: 'todo, My_tool, todo',
      TRIPACT_TOOLS: 'schedule, TODO',
      TRIPACT_KEEP_PROMPTS: '0',
      TRIPACT_RETENTION_DAYS: '90',
    });
    expect(config).toMatchObject({ host: '::1', port: 0, dataDir: '/srv/tripact', bridgeDir: '/srv/agent' });
    expect(config).toMatchObject({ modelTimeoutMs: 1_000, toolTimeoutMs: 2_000, bridgeTimeoutMs: 3_000 });
    expect(config).toMatchObject({
      confirmPlan: true,
      approve: ['todo', 'My_tool'],
      tools: ['schedule', 'todo'],
    });
    expect(config).toMatchObject({ keepPrompts: 0, retentionDays: 90 });
    expect(loadConfig({ TRIPACT_CONFIRM_PLAN: 'after_looking' })).toMatchObject({ confirmPlan: 'after_looking' });
  });

  it.each<[SettingName, string]>([
    ['TRIPACT_HOST', 'a b'],
    ['TRIPACT_PORT', '65536'],
    ['TRIPACT_MODEL', 'gpt'],
    ['TRIPACT_MAX_STEPS', '0'],
    ['TRIPACT_SEARXNG_URL', 'localhost:8080'],
    ['TRIPACT_APPROVE', 'todo,what ever'],
    ['TRIPACT_TOOLS', 'todo,todos'],
    ['TRIPACT_CALLBACK_HOSTS', 'hooks.internal, 10.0.0.0/33'],
  ])('%s=%s stops the start with the variable, the value and what is allowed', (variable, value) => {
    const { allowed } = settings[variable];
    expect(problemsOf({ [variable]: value })).toEqual([`  ${variable}=${JSON.stringify(value)} must be ${allowed}.`]);
  });

  it('that is unknown is a warning, not an error', () => {
    expect(unknownSettings({ TRIPACT_MAX_STEP: '3', TRIPACT_QQ: '', PATH: '/bin' })).toEqual([
      'Warning: TRIPACT_MAX_STEP is not a setting of Tripact; did you mean TRIPACT_MAX_STEPS?',
      'Warning: TRIPACT_QQ is not a setting of Tripact; "tripact config" lists them',
    ]);
  });

  it('is checked against the others', () => {
    expect(problemsOf({ TRIPACT_MAX_STEPS: '300' })).toEqual([
      '  TRIPACT_MAX_STEPS=300 must not be greater than TRIPACT_MAX_TOTAL_STEPS, which is 200.',
    ]);
  });

  it('has the settings of Restate', () => {
    const env = { TRIPACT_SCHEDULER: 'restate', TRIPACT_RESTATE_URL: 'http://restate:8080' };
    expect(problemsOf(env)).toEqual([
      '  TRIPACT_SCHEDULER=restate needs TRIPACT_DATABASE_URL, TRIPACT_NODE_URL and TRIPACT_RESTATE_URL.',
    ]);
    expect(problemsOf({ ...env, TRIPACT_RESTATE_IDENTITY_KEY: 'privatekey' })).toEqual([
      '  TRIPACT_RESTATE_IDENTITY_KEY="privatekey" must be the public key that Restate logs, such as publickeyv1_ and 44 letters and digits.',
    ]);
  });

  it('may leave out every built-in tool, and needs a folder for the coding agent', () => {
    expect(loadConfig({ TRIPACT_TOOLS: 'none' }).tools).toEqual([]);
    expect(loadConfig({ TRIPACT_PROTOCOLS: 'none' }).protocols).toEqual([]);
    expect(loadConfig({ TRIPACT_TOOLS: 'coding_agent', TRIPACT_BRIDGE_DIR: 'b' }).tools).toEqual(['coding_agent']);
    expect(problemsOf({ TRIPACT_TOOLS: 'todo,coding_agent' })).toEqual([
      '  TRIPACT_TOOLS="todo,coding_agent" has coding_agent, which needs TRIPACT_BRIDGE_DIR: the folder that it shares.',
    ]);
  });
});

describe('the model', () => {
  it.each([
    { env: { ANTHROPIC_API_KEY: 'sk' }, model: { kind: 'anthropic', model: ANTHROPIC_MODEL_DEFAULT, apiKey: 'sk' } },
    {
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:11434', TRIPACT_MODEL: 'anthropic:qwen3:8b' },
      model: { kind: 'anthropic', model: 'qwen3:8b', baseURL: 'http://127.0.0.1:11434' },
    },
    { env: { ANTHROPIC_API_KEY: 'sk', TRIPACT_MODEL: 'offline' }, model: { kind: 'offline' } },
    { env: { OPENAI_API_KEY: 'sk-o' }, model: { kind: 'openai', model: OPENAI_MODEL_DEFAULT, apiKey: 'sk-o' } },
    {
      env: { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk' },
      model: { kind: 'anthropic', model: ANTHROPIC_MODEL_DEFAULT, apiKey: 'sk' },
    },
    {
      env: { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk', TRIPACT_MODEL: 'openai:gpt-5.5' },
      model: { kind: 'openai', model: 'gpt-5.5', apiKey: 'sk-o' },
    },
    // The key is for the server there, and nobody knows its models.
    { env: { OPENAI_API_KEY: 'sk-o', TRIPACT_OPENAI_BASE_URL: 'http://h/v1' }, model: { kind: 'offline' } },
  ])('of $env is $model', ({ env, model }) => {
    expect(loadConfig(env).model).toEqual(model);
  });

  it('of another provider has its own address and key', () => {
    const env = {
      TRIPACT_MODEL: 'openai-compatible:qwen/qwen3:8b',
      TRIPACT_OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1',
    };
    expect(loadConfig({ ...env, ANTHROPIC_API_KEY: 'sk' }).model).toEqual({
      kind: 'openai-compatible',
      server: 'openai-compatible',
      model: 'qwen/qwen3:8b',
      baseURL: 'http://127.0.0.1:1234/v1',
    });
    expect(loadConfig({ ...env, OPENAI_API_KEY: 'sk-o' }).model).toHaveProperty('apiKey', 'sk-o');
  });

  it.each([
    ['ollama', 'http://127.0.0.1:11434/v1'],
    ['llamacpp', 'http://127.0.0.1:8080/v1'],
    ['vllm', 'http://127.0.0.1:8000/v1'],
    ['lmstudio', 'http://127.0.0.1:1234/v1'],
    ['openrouter', 'https://openrouter.ai/api/v1'],
  ])('of %s has its address, or that of TRIPACT_OPENAI_BASE_URL, and a key of no other provider', (server, known) => {
    const keys = { OPENAI_API_KEY: 'sk-o', OPENROUTER_API_KEY: 'sk-r' };
    const env = { ...keys, TRIPACT_MODEL: `${server}:qwen3:8b` };
    const model = { kind: 'openai-compatible', server, model: 'qwen3:8b' };
    expect(loadConfig(env).model).toEqual({
      ...model,
      baseURL: known,
      ...(server === 'openrouter' && { apiKey: 'sk-r' }),
    });
    const baseURL = 'http://gpu:9000/v1';
    expect(loadConfig({ ...env, TRIPACT_OPENAI_BASE_URL: baseURL }).model).toEqual({
      ...model,
      baseURL,
      apiKey: 'sk-o',
    });
  });

  it.each([
    ['openai:gpt-5.5', 'needs OPENAI_API_KEY.'],
    ['openrouter:x', 'needs OPENROUTER_API_KEY.'],
    [
      'ollama',
      'must be offline, anthropic:<model>, openai:<model>, or <server>:<model> with openai-compatible, ollama,',
    ],
  ])('stops the start without what it needs: %s', (written, needs) => {
    expect(problemsOf({ TRIPACT_MODEL: written })).toEqual([
      expect.stringContaining(`TRIPACT_MODEL="${written}" ${needs}`),
    ]);
  });

  it.each([
    ['anthropic', 'needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own'],
    ['openai-compatible:gpt-x', 'needs TRIPACT_OPENAI_BASE_URL: where /chat/completions begins'],
    ['gpt-x', 'must be offline, anthropic:<model>, openai:<model>, or <server>:<model> with openai-compatible,'],
  ])('that cannot work stops the start, with what is to be set: %s', (written, needs) => {
    const [problem, ...others] = problemsOf({ TRIPACT_MODEL: written, OPENAI_API_KEY: 'sk-secret' });
    expect(others).toEqual([]);
    expect(problem).toContain(`TRIPACT_MODEL="${written}" ${needs}`);
  });
});

describe('API keys', () => {
  it('belong to owners, who may have several', () => {
    const list = `alice:${KEY}1, bob:${KEY}:2,alice:${KEY}3,`;
    expect(loadConfig({ TRIPACT_API_KEYS: list }).apiKeys).toEqual([
      { owner: 'alice', role: 'user', key: `${KEY}1` },
      { owner: 'bob', role: 'user', key: `${KEY}:2` },
      { owner: 'alice', role: 'user', key: `${KEY}3` },
    ]);
    const { apiKeys } = loadConfig({ TRIPACT_API_KEYS: list, TRIPACT_OPERATORS: 'bob' });
    expect(apiKeys.map(({ role }) => role)).toEqual(['user', 'operator', 'user']);
    expect(problemsOf({ TRIPACT_API_KEYS: list, TRIPACT_OPERATORS: 'bob,carol' })).toEqual([
      '  TRIPACT_OPERATORS="carol" must be an owner of a key in TRIPACT_API_KEYS.',
    ]);
  });

  it.each(['short', 'alice', `:${KEY}`, `a b:${KEY}`, 'alice:short', `alice:${KEY},bob:${KEY}`, `alice:${KEY},bob`])(
    'are refused as %s, without a word of them in the message',
    (list) => {
      const [problem, ...others] = problemsOf({ TRIPACT_API_KEYS: list });
      expect(others).toEqual([]);
      expect(problem).toMatch(/^ {2}TRIPACT_API_KEYS \(not shown\) must be owner:key/);
      expect(problem).not.toContain(list);
      expect(problem).not.toContain(KEY);
    },
  );

  it('are needed to listen beyond loopback, unless that is allowed explicitly', () => {
    const isNeeded = (env: Record<string, string>): boolean => loadConfig(env).mustAuthenticate;
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'tripact.example'])
      expect(isNeeded({ TRIPACT_HOST: host })).toBe(true);
    for (const host of ['localhost', '127.0.0.2', '::1']) expect(isNeeded({ TRIPACT_HOST: host })).toBe(false);
    expect(isNeeded({ TRIPACT_HOST: '0.0.0.0', TRIPACT_ALLOW_UNAUTHENTICATED: 'true' })).toBe(false);
  });
});

it('reads host names that callers without keys may use, and refuses anything else', () => {
  expect(loadConfig({ TRIPACT_ALLOWED_HOSTS: 'Tripact.internal, box-1 ,' }).allowedHosts).toEqual([
    'tripact.internal',
    'box-1',
  ]);
  for (const list of ['http://box', 'box:80', 'a b', '*'])
    expect(problemsOf({ TRIPACT_ALLOWED_HOSTS: list })).toEqual([expect.stringContaining('host names without ports')]);
});

it.each([
  ['http://me:hunter2@example.com/', 'http://…@example.com/'],
  ['me:hunter2@h', '…@h'],
])('never shows credentials in an address: %s', (text, shown) => {
  expect(problemsOf({ ANTHROPIC_BASE_URL: text })[0]).toContain(`ANTHROPIC_BASE_URL="${shown}" must be`);
});

it.each(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'TRIPACT_API_KEY'])(
  'refuses a %s that no header can carry',
  (name) => {
    expect(problemsOf({ [name]: 'hunter2\u200b' })).toEqual([
      `  ${name} (not shown) must be a key of letters, digits and signs of ASCII, without spaces.`,
    ]);
  },
);
