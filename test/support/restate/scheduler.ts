import { freePort } from '../http/free-port.ts';
import { type Behind, startBalancer } from './balancer.ts';
import { type RestateServer, startRestate } from './server.ts';

/** How long a load balancer waits for a health check, in milliseconds. */
const HEALTH_MS = 500;

/** One server behind a load balancer, healthy while it answers at `health`. */
const behind = (port: number, health: string): Behind => ({
  port,
  isWell: () =>
    fetch(health, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
      ({ ok }) => ok,
      () => false,
    ),
});

/**
 * Makes Restate the scheduler of nodes on these ports, each side behind load balancers; returns the settings of each
 * node. By default there is one server.
 */
export const startScheduler = async (ports: readonly number[], given?: readonly RestateServer[]) => {
  const restates = given ?? [await startRestate()];
  const own = await Promise.all(ports.map(() => freePort()));
  const to = (url: string, path: string): Behind => behind(Number(new URL(url).port), url + path);
  const balancers = await Promise.all([
    startBalancer(ports.map((port, i) => behind(own[i]!, `http://127.0.0.1:${port}/healthz`))),
    startBalancer(restates.map(({ ingress }) => to(ingress, '/restate/health'))),
    startBalancer(restates.map(({ admin }) => to(admin, '/health'))),
  ]);
  const [endpoint, ingress, admin] = balancers;
  const settings = own.map((port) => ({
    TRIPACT_SCHEDULER: 'restate',
    TRIPACT_RESTATE_URL: ingress.url,
    TRIPACT_RESTATE_ADMIN_URL: admin.url,
    TRIPACT_RESTATE_ENDPOINT_URL: endpoint.url,
    TRIPACT_RESTATE_PORT: String(port),
    TRIPACT_RESTATE_IDENTITY_KEY: restates[0]!.identityKey,
  }));
  const end = async (): Promise<void> => {
    await Promise.all(balancers.map((balancer) => balancer.close()));
    await Promise.all(restates.map((restate) => restate.stop()));
  };
  return { restate: restates[0]!, settings, end };
};
