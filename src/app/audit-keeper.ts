import type { Logger } from 'pino';
import { MACHINE } from '../../machines/task-machine.ts';
import { sha256 } from '../audit/act.ts';
import { DAY_MS, dayAfter, dayAt, startOf } from '../audit/days.ts';
import { isRoot } from '../audit/line.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { createPostCallback, type PostResult } from '../runtime/outbox/post-callback.ts';
import { createWebhookKeys } from '../runtime/outbox/webhook-keys.ts';
import type { PendingCallback } from '../session/outbox-message.ts';
import { type AuditStore, SERVICE_HOME, type Versions } from '../store/port.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Foundation } from './foundation.ts';

/** How often a process looks whether it is the keeper, in milliseconds. That costs nothing. */
const TICK_MS = 5_000;

/** Ticks from one look of the keeper to the next: whether a day has ended or a version has changed. */
const LOOK_TICKS = 12;

/** How long after its end a day is summed up, in milliseconds: all its decisions are stored by then. */
const SETTLED_MS = 10 * 60_000;

interface Parts {
  audit: AuditStore;
  registry: Pick<ToolRegistry, 'list'>;
  versions: Omit<Versions, 'tools'>;
  /** Where roots are posted; null: nowhere. */
  webhookUrl: string | null;
  post(url: string, callback: PendingCallback): Promise<PostResult>;
  /** True while this process is the one that acts for the service. */
  isKeeper(): boolean;
  now(): number;
  log: Logger;
}

const toolVersions = ({ list }: Parts['registry']): Versions['tools'] =>
  Object.fromEntries(
    list().map(({ name, description, usage, input_schema }) => [
      name,
      sha256(JSON.stringify([description, input_schema ?? usage])),
    ]),
  );

export type AuditKeeper = ReturnType<typeof createAuditKeeper>;

/**
 * Creates what keeps the audit: it notes which versions act, and posts the root of each day that has ended, those without acts too, in
 * their order. A root is posted until it is accepted, also after a crash; the same day has the same `webhook-id`. Never changes an act.
 */
export const createAuditKeeper = (parts: Parts) => {
  const { audit, registry, versions, webhookUrl, post, now, log } = parts;
  const isWorthALine = onceAMinute();
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  const rootOf = async (day: string): Promise<{ acts: number; root: string }> => {
    for await (const line of audit.lines({ from: day, to: day, owner: SERVICE_HOME, now: now() }))
      if (isRoot(line)) return line;
    throw new Error(`the audit of ${day} has no root`);
  };

  const send = async (url: string, day: string): Promise<boolean> => {
    const { acts, root } = await rootOf(day);
    const posted = await post(url, {
      id: `audit-${day}`,
      event: 'audit.root',
      reader: SERVICE_HOME,
      owner: SERVICE_HOME,
      url: null,
      turn_id: null,
      data: { day, acts, root },
      created_at: startOf(day) + DAY_MS,
      attempts: 0,
    });
    if (posted.outcome !== 'accepted') return false;
    await audit.markSent(day);
    return true;
  };

  const sendEnded = async (url: string): Promise<void> => {
    let sent = await audit.sentDay();
    // The first day is that of the first start with a webhook.
    if (sent === null) {
      sent = dayAt(now() - DAY_MS);
      await audit.markSent(sent);
    }
    for (let day = dayAfter(sent); startOf(day) + DAY_MS + SETTLED_MS <= now(); day = dayAfter(day))
      if (isStopping || !(await send(url, day))) return;
  };

  const look = async (): Promise<void> => {
    if (isStopping || !parts.isKeeper()) return;
    try {
      await audit.noteVersions(now(), { ...versions, tools: toolVersions(registry) });
      if (webhookUrl !== null) await sendEnded(webhookUrl);
    } catch (error) {
      if (isWorthALine()) log.error({ err: error }, 'the audit can not be kept; trying again');
    }
  };

  /** Ticks until the next look. A process that has just become the keeper looks at once. */
  let ticksLeft = 0;
  const tick = (): void => {
    const isDue = ticksLeft === 0 && parts.isKeeper();
    if (isDue) looking = looking.then(look);
    ticksLeft = isDue ? LOOK_TICKS - 1 : Math.max(0, ticksLeft - 1);
  };
  return {
    start: (): void => {
      tick();
      timer = setInterval(tick, TICK_MS).unref();
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      clearInterval(timer);
      await looking;
    },
  };
};

interface KeeperNeeds {
  foundation: Foundation;
  registry: Parts['registry'];
  callbacks: Pick<CallbackGuard, 'fetch'>;
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal;
}

/** Creates the keeper of a service's audit, as its settings ask for. Starts nothing. */
export const openAuditKeeper = ({ foundation, registry, callbacks, stopping }: KeeperNeeds): AuditKeeper => {
  const { config, store, model, version, log, now } = foundation;
  const webhookKeys = createWebhookKeys(config.webhookSecret ?? [], config.callbackSecrets ?? new Map());
  return createAuditKeeper({
    audit: store.audit,
    registry,
    versions: { service: version, machine: MACHINE, model: model.name },
    webhookUrl: config.auditWebhook,
    post: createPostCallback({ fetch: callbacks.fetch, webhookKeys, now, stopping, log }),
    isKeeper: () => store.homes?.owners().includes(SERVICE_HOME) ?? true,
    now,
    log,
  });
};
