import type { ServedOwners } from '../cluster/port.ts';
import type { DueClock } from '../runtime/due-clock.ts';
import type { MetricsSource } from '../telemetry/port.ts';
import type { ToolHooks } from '../tools/port.ts';
import type { Mirror } from '../workspace/mirror.ts';
import type { AuditKeeper } from './audit-keeper.ts';
import type { Foundation } from './foundation.ts';
import type { OpenedEngine } from './open-engine.ts';
import type { Folders } from './open-folders.ts';
import { createRetention } from './retention.ts';

interface Parts extends Pick<OpenedEngine, 'engine' | 'mirror' | 'metrics'> {
  foundation: Foundation;
  folders: Pick<Folders, 'turnFiles' | 'toolFiles' | 'sessionFiles'>;
  hooks: readonly ToolHooks[];
  clock: DueClock;
  keeper: AuditKeeper;
}

/** The engine's work for the owners at home on this node, with their session files. */
const servedOwners = (
  served: ServedOwners,
  mirror: Pick<Mirror, 'release' | 'drop'>,
  onServed: (owner: string) => void,
  { happened }: Pick<MetricsSource, 'happened'>,
): ServedOwners => ({
  ...served,
  serve: async (owner, wasReleased) => {
    mirror.drop(owner);
    await served.serve(owner, wasReleased);
    happened({ type: 'home_claimed' });
    onServed(owner);
  },
  release: async (owner, graceMs) => {
    await served.release(owner, graceMs);
    await mirror.release(owner);
  },
  drop: (owner) => {
    happened({ type: 'home_lost' });
    served.drop(owner);
    mirror.drop(owner);
  },
});

/** Creates the retention by the settings; null: sessions are kept. Each node removes old sessions of its own owners, and becomes the home of owners who have none. */
const openRetention = async ({ foundation, engine }: Pick<Parts, 'foundation' | 'engine'>) => {
  const { config, store, now, log } = foundation;
  const { homes } = store;
  const { retentionDays } = config;
  if (retentionDays === null) return null;
  const isHome = async (owner: string): Promise<boolean> =>
    homes === null || (await homes.find(owner).catch(() => null))?.kind === 'here';
  // Read first: background work writes at the clock's current time.
  const lastUsedAt = await store.lastUsedAt(now());
  return createRetention({
    engine: { prune: (which) => engine.prune({ ...which, isHome }) },
    retentionDays,
    lastUsedAt,
    now,
    log,
  });
};

/** Starts the background work: open tasks, due times, homes of owners, and the retention. `stop` waits for the retention. */
export const startBackground = async ({
  foundation,
  folders,
  engine,
  mirror,
  metrics,
  hooks,
  clock,
  keeper,
}: Parts) => {
  const { homes } = foundation.store;
  const retention = await openRetention({ foundation, engine });
  if (homes === null) await engine.start();
  await folders.sessionFiles.emptyStages();
  if (homes === null) {
    void folders.turnFiles.sweep();
    void folders.toolFiles.sweep();
  }
  for (const hook of hooks) void hook.recover(engine.hasEnded);
  clock.start(engine);
  const onServed = (owner: string): void => {
    clock.rearm();
    retention?.addOwner(owner);
  };
  homes?.start(servedOwners(engine.served, mirror, onServed, metrics));
  retention?.start();
  keeper.start();
  const stop = async (): Promise<void> => {
    await keeper.stop();
    await retention?.stop();
  };
  return { stop };
};
