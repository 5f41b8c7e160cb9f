import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { makeApp } from '#infra/app.ts';
import { NESTED_STACK } from '#infra/cloudformation.ts';
import type { Deployment } from '#infra/deployment.ts';
import { functionSources, type Service } from '#infra/service.ts';
import { parseTenant } from '#infra/tenants.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes, and each test names what it looks for
export type Resource = { Type: string; Properties: any; DeletionPolicy?: string; Metadata?: Record<string, unknown> };
export type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: unknown }> };

export const deployed = (settings: Record<string, unknown> = {}, name = 'main'): Deployment =>
  parseTenant(`${name}.eu-central-1.json`, JSON.stringify({ alarmEmail: 'ops@acme.test', ...settings }));

type Assembled = { region: string; template: Template };

/** The stacks of a service, whose assembly the directory gets. */
export const assemble = (
  service: Service,
  directory: string,
  settings: Record<string, unknown>,
  name = 'main',
): Assembled[] =>
  assembly(service, directory, deployed(settings, name)).stacks.map(({ environment: { region }, template }) => ({
    region,
    template,
  }));

/** CDK's own validation only warns, and takes three seconds in each process. The rules of cdk-nag end a synthesis. */
export const QUIET = { analyticsReporting: false, builtinCloudFormationValidation: false };

/** The assembly of a service whose bundles are empty files: it does not depend on their content. */
export function assembly(service: Service, outdir: string, deployment: Deployment): CloudAssembly {
  const functions = mkdtempSync(join(tmpdir(), 'exposure-functions-'));
  try {
    for (const { name } of functionSources(service)) {
      mkdirSync(join(functions, name), { recursive: true });
      writeFileSync(join(functions, name, 'index.js'), `// ${name}\n`);
    }
    const app = makeApp({ service, directory: functions }, () => [deployment], { outdir, ...QUIET });
    return app.synth();
  } finally {
    rmSync(functions, { recursive: true, force: true });
  }
}

/** A stack's template as it is, with the templates of its nested stacks by their names. */
export type Parts = { parent: Template; nested: Record<string, Template> };

export function partsIn(directory: string, parent: Template): Parts {
  const stacks = ofType(parent, NESTED_STACK).map(([id, { Metadata }]) => {
    return [id, JSON.parse(readFileSync(join(directory, String(Metadata?.['aws:asset:path'])), 'utf8'))];
  });
  return { parent, nested: Object.fromEntries(stacks) };
}

/** Files that share a process ask for the same stack again and again, which takes more than a second each time. */
const made: { service: Service; key: string; parts: Parts }[] = [];

export function synthesiseParts(service: Service, settings: Record<string, unknown> = {}, name = 'main'): Parts {
  const key = JSON.stringify([settings, name]);
  const known = made.find((one) => one.service === service && one.key === key);
  const parts = known?.parts ?? makeParts(service, settings, name);
  if (!known) made.push({ service, key, parts });
  return structuredClone(parts);
}

function makeParts(service: Service, settings: Record<string, unknown>, name: string): Parts {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-synth-'));
  try {
    const [stack] = assemble(service, join(directory, 'cdk.out'), settings, name);
    if (!stack) throw new Error('no stack was made');
    return partsIn(join(directory, 'cdk.out'), stack.template);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The template of a tenant's stack and of its nested stacks as one: the values of the parent in place of parameters. */
export const synthesise = (service: Service, settings: Record<string, unknown> = {}, name = 'main'): Template =>
  flat(synthesiseParts(service, settings, name));

export function flat({ parent, nested }: Parts): Template {
  const Resources = { ...parent.Resources };
  for (const [id, template] of Object.entries(nested)) {
    const given = parent.Resources[id]?.Properties.Parameters ?? {};
    delete Resources[id];
    for (const [name, resource] of Object.entries(template.Resources)) {
      if (name in Resources) throw new Error(`two stacks have ${name}`);
      Resources[name] = JSON.parse(JSON.stringify(resource), (_, value) => given[value?.Ref] ?? value);
    }
  }
  return { ...parent, Resources };
}

export const ofType = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

/** How many resources the largest of the stack and its nested stacks has. */
export const largest = ({ parent, nested }: Parts): number =>
  Math.max(...[parent, ...Object.values(nested)].map(({ Resources }) => Object.keys(Resources).length));

/** The one resource of this type. */
export function only(template: Template, type: string): Resource {
  const [[, found] = [], ...more] = ofType(template, type);
  if (!found || more.length > 0) throw new Error(`the template must have one ${type}`);
  return found;
}

/** The alarms on a metric of one resource. */
export const alarmsOn = (template: Template, metric: string, logicalId: string): [string, Resource][] =>
  ofType(template, 'AWS::CloudWatch::Alarm').filter(
    ([, { Properties }]) =>
      Properties.MetricName === metric && JSON.stringify(Properties.Dimensions).includes(`"${logicalId}"`),
  );
