import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { REPLAY_BYTES_MAX } from '../contracts/limits.ts';
import { CONFIG_FILE } from '../src/app/config-file.ts';
import { loadConfig } from '../src/config/config.ts';
import { settings } from '../src/config/settings.ts';
import { httpLimits } from '../src/http/server/limits.ts';
import { imageEnv, instructions, written } from './support/package/docker-files.ts';

/** Where a volume comes from and where it is, whichever way it is written. */
const Volume = z.union([
  z.object({ source: z.string(), target: z.string() }),
  z.string().transform((text) => {
    const [source = '', target = ''] = text.replaceAll(/\$\{[^}]*\}/g, '').split(':');
    return { source, target };
  }),
]);
const Service = z.object({
  image: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(Volume).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  entrypoint: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).default([]),
  logging: z.object({ driver: z.literal('json-file'), options: z.record(z.string(), z.string()) }),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) });

const composeText = written('docker-compose.yml');
const { services, volumes } = Compose.parse(parse(composeText, { merge: true }));
const tripact = Service.parse(services.tripact);

/** Compose's `${NAME:-default}` with these set on the host. */
const interpolated = (text: string, host: Record<string, string> = {}): string =>
  text.replaceAll(/\$\{([A-Z_]+):-([^}]*)\}/g, (_, name: string, fallback: string) => host[name] || fallback);

/** The variables that a file sets on the host. */
const variablesIn = (path: string): Record<string, string> =>
  Object.fromEntries([...written(path).matchAll(/^([A-Z]\w*)=(.*)$/gm)].map(([, name, value]) => [name, value]));

const environmentOn = (host: Record<string, string>): Record<string, string> => ({
  ...imageEnv,
  ...Object.fromEntries(Object.entries(tripact.environment).map(([name, text]) => [name, interpolated(text, host)])),
});

describe('docker-compose.yml', () => {
  it('publishes ports to this machine alone', () => {
    expect(tripact.ports.map((port) => interpolated(port))).toEqual([`127.0.0.1:8787:${imageEnv.TRIPACT_PORT}`]);
    for (const { ports } of Object.values(services))
      for (const port of ports) expect(interpolated(port)).toMatch(/^127\.0\.0\.1:/);
  });

  it('keeps the data in a volume that outlives the container', () => {
    const { source, target } = tripact.volumes[0]!;
    expect(Object.keys(volumes)).toContain(source);
    expect(target).toBe(imageEnv.TRIPACT_DATA_DIR);
    expect(instructions('VOLUME')).toEqual([target]);
  });

  it('passes on every variable of the configuration, except those that the image sets', () => {
    const handedOn = Object.keys(settings).filter((name) => !Object.hasOwn(imageEnv, name));
    expect(handedOn.filter((name) => !tripact.environment[name]?.startsWith(`\${${name}:-`))).toEqual([]);
    const others = Object.keys(tripact.environment).filter((name) => !Object.hasOwn(settings, name));
    expect(others.filter((name) => !/^(TZ|OTEL_\w+|NODE_USE_ENV_PROXY|(HTTPS?|NO)_PROXY)$/.test(name))).toEqual([]);
    expect(others).toEqual(expect.arrayContaining(['OTEL_BSP_SCHEDULE_DELAY', 'OTEL_SDK_DISABLED', 'HTTPS_PROXY']));
    for (const name of others) expect(tripact.environment[name]).toMatch(`\${${name}:-`);
  });

  it('starts with any number of them set on the host', () => {
    expect(loadConfig(environmentOn({}))).toMatchObject({
      host: '0.0.0.0',
      port: 8787,
      model: { kind: 'offline' },
      apiKeys: [],
      allowedHosts: ['localhost', 'tripact'],
    });
    expect(loadConfig(environmentOn({ TRIPACT_MAX_STEPS: '7', TRIPACT_PLANNING: 'false' }))).toMatchObject({
      limits: { max_steps: 7 },
      planning: false,
    });
  });

  it('contains no secret: a key comes from the host or not at all', () => {
    const secrets = Object.entries(tripact.environment).filter(([name]) => /KEY|SECRET|TOKEN|PASSWORD/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [name, value] of secrets) expect(value).toBe(`\${${name}:-}`);
    expect(JSON.stringify(services.searxng)).not.toMatch(/secret(_key)?["']?\s*[:=]\s*["']?[a-z0-9]/i);
  });

  it('mounts only existing files and folders, and the configuration file where the service looks for it', () => {
    const mounts = Object.values(services).flatMap(({ volumes }) =>
      volumes.map(({ source, target }) => ({ source: interpolated(source), target })),
    );
    const bound = mounts.filter(({ source }) => source.startsWith('.'));
    expect(bound.map(({ source }) => source).filter((source) => !existsSync(source))).toEqual([]);
    const [workdir] = instructions('WORKDIR');
    const config = tripact.volumes.find(({ target }) => target === `${workdir}/${CONFIG_FILE}`);
    expect(interpolated(config!.source, { CONFIG_FILE: './mine.ts' })).toBe('./mine.ts');
    for (const { source } of mounts) if (!source.startsWith('.')) expect(Object.keys(volumes)).toContain(source);
  });

  it('runs a SearXNG that gives JSON, at the address that the service is given', () => {
    expect(interpolated(tripact.environment.TRIPACT_SEARXNG_URL ?? '')).toBe('http://searxng:8080');
    expect(services.searxng?.healthcheck?.test.at(-1)).toContain(':8080/');
    const [settingsFile] = services.searxng?.volumes ?? [];
    expect(settingsFile?.target).toBe('/etc/searxng/settings.yml');
    expect(parse(written(settingsFile!.source))).toMatchObject({ search: { formats: ['html', 'json'] } });
  });
});

describe('the profiles', () => {
  it('start nothing without being chosen', () => {
    const always = Object.entries(services).filter(([, { profiles }]) => profiles.length === 0);
    expect(always.map(([name]) => name)).toEqual(['tripact', 'searxng']);
  });

  it('of a local model: its file of variables has the service ask the model that is fetched', () => {
    const host = variablesIn('examples/compose/local-model.env');
    expect(services.ollama?.profiles).toEqual([host.COMPOSE_PROFILES]);
    for (const name of Object.keys(host))
      if (name !== 'COMPOSE_PROFILES') expect(composeText).toContain(`\${${name}:-`);
    const model = interpolated(services['ollama-pull']?.entrypoint?.at(-1) ?? '', host);
    expect(loadConfig(environmentOn(host)).model).toEqual({ kind: 'anthropic', model, baseURL: 'http://ollama:11434' });
  });

  it('of a public service: the proxy hands whole requests on, as long as the service takes them, and streams as they come', () => {
    const caddyfile = written('examples/compose/Caddyfile');
    expect(caddyfile).toContain(`reverse_proxy tripact:${imageEnv.TRIPACT_PORT} {`);
    const mebibytes = REPLAY_BYTES_MAX / 1_048_576;
    for (const size of [`max_size ${mebibytes}MiB`, `request_buffers ${mebibytes}MiB`])
      expect(caddyfile).toContain(size);
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(caddyfile)?.[1]);
    expect(seconds('read_body') * 1_000).toBe(httpLimits.requestTimeoutMs);
    expect(seconds('keepalive') * 1_000).toBeLessThan(httpLimits.keepAliveTimeoutMs);
    expect(caddyfile).toContain('flush_interval -1');
    expect(services.proxy?.profiles).toEqual(['public']);
  });

  it('of a cluster: nodes that know their own address, each with its own data folder, on one database behind a balancer', () => {
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'));
    expect(nodes.map(([name]) => name)).toEqual(['node-1', 'node-2', 'node-3']);
    const databases = nodes.map(([name, { environment, ports, volumes, profiles }]) => {
      const given = Object.entries(environment).map(([key, text]) => [key, interpolated(text)]);
      const config = loadConfig({ ...imageEnv, ...Object.fromEntries(given) });
      expect(config).toMatchObject({ nodeUrl: `http://${name}:8787`, allowedHosts: expect.arrayContaining([name]) });
      expect(ports).toEqual([]);
      expect(profiles).toEqual(['cluster']);
      expect(volumes.map(({ target }) => target)).not.toContain(imageEnv.TRIPACT_DATA_DIR);
      return new URL(config.databaseUrl!);
    });
    expect(new Set(databases.map(({ hostname }) => hostname))).toEqual(new Set(['database']));
    const { POSTGRES_USER, POSTGRES_PASSWORD = '' } = services.database!.environment;
    expect(databases[0]).toMatchObject({ username: POSTGRES_USER, password: interpolated(POSTGRES_PASSWORD) });
    const caddyfile = written('examples/compose/Caddyfile.cluster');
    expect(caddyfile).toContain(
      `reverse_proxy ${nodes.map(([name]) => `${name}:${imageEnv.TRIPACT_PORT}`).join(' ')} {`,
    );
    expect(caddyfile).toContain('health_uri /readyz');
    expect(caddyfile).toContain('flush_interval -1');
    expect(interpolated(services.balancer!.ports[0]!)).toBe('127.0.0.1:8788:8788');
  });

  it('of Restate: its file of variables has the nodes ask it, and it reaches all of them under one name', () => {
    const host = variablesIn('examples/compose/restate.env');
    const given = Object.entries(services['node-2']!.environment).map(([key, text]) => [key, interpolated(text, host)]);
    const { scheduler, restateUrl, restateEndpointUrl, restatePort } = loadConfig({
      ...imageEnv,
      ...Object.fromEntries(given),
    });
    expect({ scheduler, restateUrl }).toEqual({ scheduler: 'restate', restateUrl: 'http://restate:8080' });
    expect(restateEndpointUrl).toBe(`http://nodes:${restatePort}`);
    expect(composeText).toContain('aliases: [nodes]');
    expect(services.restate?.profiles).toEqual(['restate']);
  });

  it('of monitoring: Prometheus scrapes the service and each node under a name that it may be called by, with the key that it is given', () => {
    const prometheus = parse(written('examples/compose/prometheus.yml'));
    const [{ dns_sd_configs, relabel_configs, authorization }] = prometheus.scrape_configs;
    const [{ names, type, port }] = dns_sd_configs;
    const ours = Object.entries(services).filter(([, { environment }]) => 'TRIPACT_ALLOWED_HOSTS' in environment);
    expect(ours.map(([name]) => name)).toEqual(names);
    for (const [name, { environment }] of ours)
      expect(interpolated(environment.TRIPACT_ALLOWED_HOSTS ?? '').split(',')).toContain(name);
    expect({ type, port: String(port) }).toEqual({ type: 'A', port: imageEnv.TRIPACT_PORT });
    expect(relabel_configs).toEqual([
      { source_labels: ['__meta_dns_name'], target_label: '__address__', replacement: `$1:${imageEnv.TRIPACT_PORT}` },
    ]);
    expect(services.prometheus?.entrypoint?.at(-1)).toContain(`> ${authorization.credentials_file} `);
    const mounted = services.prometheus?.volumes.map(({ target }) => target);
    for (const file of ['/etc/prometheus/prometheus.yml', ...prometheus.rule_files]) expect(mounted).toContain(file);
  });
});

describe('the manifests for Kubernetes', () => {
  const [deployment, service, budget] = parseAllDocuments(written('examples/kubernetes/tripact.yaml')).map((each) => {
    expect(each.errors).toEqual([]);
    return each.toJS();
  });
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;

  it('give each node its own address, and settings that the service has', () => {
    const given = new Map<string, { value?: string; valueFrom?: object }>(
      container.env.map(({ name, ...from }: { name: string }) => [name, from]),
    );
    expect(given.get('POD_IP')).toEqual({ valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } });
    expect(given.get('TRIPACT_NODE_URL')?.value).toBe(`http://$(POD_IP):${imageEnv.TRIPACT_PORT}`);
    const own = [...given.keys()].filter((name) => name.startsWith('TRIPACT_'));
    expect(own.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    // Secret settings come from a Secret.
    for (const [name, { value }] of given) if (/KEY|DATABASE/.test(name)) expect(value).toBeUndefined();
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    // A volume belongs to root there, and the data folder has to be the service's own.
    expect(mounts).toEqual(
      expect.arrayContaining([dirname(given.get('TRIPACT_DATA_DIR')!.value!), '/tmp', '/home/node/.npm']),
    );
  });

  it('leave a node out once it is not ready, and give one that is stopped the time to hand over', () => {
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    // A service stops within 10 s (SPEC 7).
    const seconds = container.lifecycle.preStop.sleep.seconds;
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds + 10);
    expect(seconds).toBeGreaterThan(container.readinessProbe.periodSeconds);
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ])
      expect(pod.metadata.labels).toMatchObject(selector);
    const [port] = container.ports;
    expect(port).toMatchObject({
      name: service.spec.ports[0].targetPort,
      containerPort: Number(imageEnv.TRIPACT_PORT),
    });
    expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
  });
});
