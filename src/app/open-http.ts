import { createFileLinks } from '../access/file-links.ts';
import type { AccessControl, FileLinks } from '../access/port.ts';
import { buildHttp } from '../http/build-http.ts';
import type { FindConsole } from '../http/routes/console.ts';
import type { HttpLimits } from '../http/server/limits.ts';
import type { CallReruns } from '../rerun/call-reruns.ts';
import type { Reruns } from '../rerun/reruns.ts';
import type { DueClock } from '../runtime/due-clock.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import type { Foundation } from './foundation.ts';
import type { OpenedEngine } from './open-engine.ts';
import type { Folders } from './open-folders.ts';
import type { ServiceSignIns } from './open-sign-ins.ts';
import type { ServiceTools } from './tools.ts';

interface HttpNeeds extends Pick<OpenedEngine, 'engine' | 'readiness' | 'metrics' | 'traceOf'> {
  foundation: Foundation;
  folders: Folders;
  tools: ServiceTools;
  access: AccessControl;
  signIns: ServiceSignIns | null;
  callbacks: Pick<CallbackGuard, 'problem'>;
  clock: Pick<DueClock, 'rearm'>;
  reruns: Reruns;
  callReruns: CallReruns;
  findConsole: FindConsole | null;
  httpLimits: Partial<HttpLimits>;
}

/** The links to files; null: the operator gave no address for browsers, or no key. */
const fileLinksOf = ({ config: { secretKey, publicUrl }, now }: Foundation): FileLinks | null =>
  secretKey === null || publicUrl === null
    ? null
    : createFileLinks({ secrets: secretKey, publicUrl: publicUrl.replace(/(?<!\/)\/+$/, ''), now });

/** Makes the HTTP application of the service. It listens nowhere. */
export const openHttp = (needs: HttpNeeds) => {
  const { foundation, folders, tools, access, callbacks, clock, reruns, findConsole, httpLimits } = needs;
  const { engine, readiness, metrics, traceOf } = needs;
  const { config, file, limits, hostTimezone, version, log, now, model, store } = foundation;
  const modelOf = (agent: string): string =>
    model.nameFor?.({ contract: 'plan', item_id: null, task: { agent, plan_items: [] } }) ?? model.name;
  return buildHttp({
    homes: store.homes,
    engine,
    readiness,
    access,
    accessStore: store.access,
    currency: file.prices?.currency ?? null,
    audit: store.audit,
    signIns: needs.signIns,
    ownerData: store.ownerData,
    ownerDataChanged: clock.rearm,
    isStored: store.isStored,
    remembered: store.conversations,
    signingKey: store.signingKey,
    tokenIssuer: config.tokens?.issuer ?? null,
    files: folders.sessionFiles,
    fileLinks: fileLinksOf(foundation),
    tools: tools.registry,
    agents: () => tools.agents.views(modelOf),
    skills: tools.skills.all,
    mcp: tools.mcp,
    otherAgents: tools.otherAgents,
    reruns,
    callReruns: needs.callReruns,
    metrics,
    traceOf,
    model,
    callbackProblem: callbacks.problem,
    findConsole,
    prefix: config.publicUrl === null ? '' : new URL(config.publicUrl).pathname.replace(/(?<!\/)\/+$/, ''),
    allowedHosts: config.allowedHosts,
    corsOrigins: config.corsOrigins,
    protocols: config.protocols,
    hostTimezone,
    version,
    serviceLimits: limits,
    limits: httpLimits,
    log,
    now,
  });
};
