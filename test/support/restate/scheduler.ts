import { freePort } from '../http/free-port.ts';
import { startBalancer } from './balancer.ts';
import { startRestate } from './server.ts';

/** How long a balancer waits for a node to say that it is well, in milliseconds. */
const HEALTH_MS = 500;

/** Starts a Restate server that reaches nodes on these ports by a balancer, and gives it with the settings of each node. */
export const startScheduler = async (ports: readonly number[]) => {
  const restate = await startRestate();
  const own = await Promise.all(ports.map(() => freePort()));
  const isWell = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const balancer = await startBalancer(ports.map((port, i) => ({ port: own[i]!, isWell: () => isWell(port) })));
  const settings = own.map((port) => ({
    TRIPACT_SCHEDULER: 'restate',
    TRIPACT_RESTATE_URL: restate.ingress,
    TRIPACT_RESTATE_ADMIN_URL: restate.admin,
    TRIPACT_RESTATE_ENDPOINT_URL: balancer.url,
    TRIPACT_RESTATE_PORT: String(port),
    TRIPACT_RESTATE_IDENTITY_KEY: restate.identityKey,
  }));
  const end = async (): Promise<void> => {
    await balancer.close();
    await restate.stop();
  };
  return { restate, settings, end };
};
