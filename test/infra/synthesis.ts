import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '#infra/app.ts';
import type { Deployment } from '#infra/deployment.ts';
import { functionSources, type Service } from '#infra/service.ts';
import { parseTenant } from '#infra/tenants.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes, and each test names what it looks for
export type Resource = { Type: string; Properties: any; DeletionPolicy?: string; Metadata?: Record<string, unknown> };
export type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: unknown }> };

export const deployed = (settings: Record<string, unknown> = {}, name = 'main'): Deployment =>
  parseTenant(`${name}.eu-central-1.json`, JSON.stringify({ alarmEmail: 'ops@acme.test', ...settings }));

type Assembled = { region: string; template: Template };

/** The stacks of a service whose bundles are empty files: they do not depend on their content. The directory gets the assembly. */
export function assemble(
  service: Service,
  directory: string,
  settings: Record<string, unknown>,
  name = 'main',
): Assembled[] {
  const functions = mkdtempSync(join(tmpdir(), 'exposure-functions-'));
  try {
    for (const { name } of functionSources(service)) {
      mkdirSync(join(functions, name), { recursive: true });
      writeFileSync(join(functions, name, 'index.js'), `// ${name}\n`);
    }
    const app = makeApp({ service, directory: functions }, () => [deployed(settings, name)], {
      outdir: directory,
      analyticsReporting: false,
    });
    return app.synth().stacks.map(({ environment: { region }, template }) => ({ region, template }));
  } finally {
    rmSync(functions, { recursive: true, force: true });
  }
}

/** The template of a tenant's stack. */
export function synthesise(service: Service, settings: Record<string, unknown> = {}, name = 'main'): Template {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-synth-'));
  try {
    const [stack] = assemble(service, join(directory, 'cdk.out'), settings, name);
    if (!stack) throw new Error('no stack was made');
    return stack.template;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const ofType = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

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
