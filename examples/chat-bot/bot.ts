import { ConfigError, readConfig } from './config.ts';
import { startBot } from './start.ts';

const log = (text: string): void => console.error(`${new Date().toISOString()} ${text}`);

const main = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (config.allowed === null && config.telegram !== null)
    log('Everybody who finds the bot in Telegram may use it; BOT_ALLOWED_USERS says who may');
  const bot = await startBot(config, log);
  log(
    `The bot runs: ${bot.platforms.join(', ')}; Tripact at ${config.tripact.url}${bot.url === null ? '' : `; webhooks at ${bot.url}`}`,
  );
  const stop = (): void => {
    bot.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log(String(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
};

main().catch((error: unknown) => {
  if (error instanceof ConfigError) console.error(error.message);
  else log(`The bot cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
