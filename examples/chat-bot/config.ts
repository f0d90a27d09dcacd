/** The bot's configuration, from the environment. */
export interface BotConfig {
  tripact: { url: string; key: string | null };
  /** Folder of the bot's own database. */
  dataDir: string;
  /** Who may use the bot, as `platform:user`; null: everybody who can write to it. */
  allowed: ReadonlySet<string> | null;
  /** Where platforms that call the bot reach it. */
  listen: { host: string; port: number };
  telegram: { token: string; apiUrl: string; webhook: { url: string | null; secret: string } | null } | null;
  slack: { token: string; apiUrl: string; signingSecret: string | null; appToken: string | null } | null;
  feishu: { appId: string; appSecret: string; domain: string } | null;
  dingtalk: { clientId: string; clientSecret: string; apiUrl: string; mediaUrl: string } | null;
}

/** Faults of the environment: one sentence for each variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const FEISHU_DOMAINS: Readonly<Record<string, string>> = {
  feishu: 'https://open.feishu.cn',
  lark: 'https://open.larksuite.com',
};

/** Which form an app id has: with any other Feishu's SDK never connects, and says nothing. */
const FEISHU_APP_ID = /^cli_[0-9a-fA-F]{16}$/;

/** Secrets that Telegram takes for a webhook. */
const TELEGRAM_SECRET = /^[\w-]{1,256}$/;

/**
 * Reads the configuration. A platform is on where one of its variables is set; then all that it needs must be there, also what proves that
 * a call comes from the platform. Throws `ConfigError` with everything that is missing.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): BotConfig => {
  const faults: string[] = [];
  const read = (name: string): string | null => env[name]?.trim() || null;
  const fault = (text: string): string => {
    faults.push(text);
    return '';
  };
  const need = (name: string, what: string): string => read(name) ?? fault(`${name} is missing: ${what}`);
  const isSet = (...names: string[]): boolean => names.some((name) => read(name) !== null);
  const address = (name: string, fallback: string): string => {
    const value = read(name) ?? fallback;
    return URL.canParse(value) && /^https?:/.test(value)
      ? value.replace(/\/+$/, '')
      : fault(`${name} is "${value}": it must be an address such as ${fallback}`);
  };

  const telegram = (): BotConfig['telegram'] => {
    if (!isSet('TELEGRAM_BOT_TOKEN', 'TELEGRAM_WEBHOOK_URL', 'TELEGRAM_WEBHOOK_SECRET_TOKEN')) return null;
    const token = need('TELEGRAM_BOT_TOKEN', 'the token that @BotFather gives');
    const apiUrl = address('TELEGRAM_API_BASE_URL', 'https://api.telegram.org');
    if (!isSet('TELEGRAM_WEBHOOK_URL', 'TELEGRAM_WEBHOOK_SECRET_TOKEN')) return { token, apiUrl, webhook: null };
    const secret = need(
      'TELEGRAM_WEBHOOK_SECRET_TOKEN',
      'a webhook needs a secret of your own, by which its calls are known to be Telegram’s. Without TELEGRAM_WEBHOOK_URL the bot asks Telegram for messages, and needs none',
    );
    if (secret !== '' && !TELEGRAM_SECRET.test(secret))
      fault('TELEGRAM_WEBHOOK_SECRET_TOKEN must be 1 to 256 letters, digits, _ or -');
    const url = read('TELEGRAM_WEBHOOK_URL');
    return {
      token,
      apiUrl,
      webhook: { url: url && address('TELEGRAM_WEBHOOK_URL', 'https://bot.example.com/telegram'), secret },
    };
  };

  const slack = (): BotConfig['slack'] => {
    if (!isSet('SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN')) return null;
    const token = need('SLACK_BOT_TOKEN', 'the “Bot User OAuth Token” (xoxb-…) of the Slack app');
    const signingSecret = read('SLACK_SIGNING_SECRET');
    const appToken = read('SLACK_APP_TOKEN');
    if (signingSecret === null && appToken === null)
      fault(
        'SLACK_SIGNING_SECRET or SLACK_APP_TOKEN is missing: the signing secret where Slack calls the bot at a public address, else an app-level token (xapp-…) with Socket Mode, which needs no address',
      );
    return { token, apiUrl: `${address('SLACK_API_URL', 'https://slack.com/api')}/`, signingSecret, appToken };
  };

  const feishu = (): BotConfig['feishu'] => {
    if (!isSet('LARK_APP_ID', 'LARK_APP_SECRET')) return null;
    const appId = need('LARK_APP_ID', 'the App ID (cli_…) of the Feishu or Lark app');
    if (appId !== '' && !FEISHU_APP_ID.test(appId))
      fault(`LARK_APP_ID is "${appId}": it must be cli_ and 16 hexadecimal digits`);
    const appSecret = need('LARK_APP_SECRET', 'the App Secret of the Feishu or Lark app');
    const domain = read('LARK_DOMAIN') ?? 'feishu';
    // Its SDK takes `:443` for a place to fill in.
    if (/:\d/.test(domain)) fault(`LARK_DOMAIN is "${domain}": it must have no port`);
    return { appId, appSecret, domain: FEISHU_DOMAINS[domain] ?? address('LARK_DOMAIN', 'https://open.feishu.cn') };
  };

  const dingtalk = (): BotConfig['dingtalk'] => {
    if (!isSet('DINGTALK_CLIENT_ID', 'DINGTALK_CLIENT_SECRET')) return null;
    return {
      clientId: need('DINGTALK_CLIENT_ID', 'the Client ID (AppKey) of the DingTalk app'),
      clientSecret: need('DINGTALK_CLIENT_SECRET', 'the Client Secret of the DingTalk app'),
      apiUrl: address('DINGTALK_API_URL', 'https://api.dingtalk.com'),
      mediaUrl: address('DINGTALK_MEDIA_URL', 'https://oapi.dingtalk.com'),
    };
  };

  const port = Number(read('BOT_PORT') ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    fault(`BOT_PORT is "${env['BOT_PORT']}": it must be a port`);
  const allowed = read('BOT_ALLOWED_USERS');
  const config: BotConfig = {
    tripact: { url: address('TRIPACT_URL', 'http://127.0.0.1:8787'), key: read('TRIPACT_API_KEY') },
    dataDir: read('BOT_DATA_DIR') ?? './data',
    allowed:
      allowed === null
        ? null
        : new Set(
            allowed
              .split(',')
              .map((user) => user.trim())
              .filter(Boolean),
          ),
    listen: { host: read('BOT_HOST') ?? '127.0.0.1', port },
    telegram: telegram(),
    slack: slack(),
    feishu: feishu(),
    dingtalk: dingtalk(),
  };
  if (config.telegram === null && config.slack === null && config.feishu === null && config.dingtalk === null)
    fault(
      'No platform is set: give TELEGRAM_BOT_TOKEN, or SLACK_BOT_TOKEN with SLACK_SIGNING_SECRET or SLACK_APP_TOKEN, or LARK_APP_ID with LARK_APP_SECRET, or DINGTALK_CLIENT_ID with DINGTALK_CLIENT_SECRET',
    );
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
};
