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

/** The template of a service whose bundles are empty files: the stack does not depend on their content. */
export function synthesise(service: Service, settings: Record<string, unknown> = {}, name = 'main'): Template {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-synth-'));
  try {
    for (const { name } of functionSources(service)) {
      mkdirSync(join(directory, 'functions', name), { recursive: true });
      writeFileSync(join(directory, 'functions', name, 'index.js'), `// ${name}\n`);
    }
    const source = { service, directory: join(directory, 'functions') };
    const app = makeApp(source, () => [deployed(settings, name)], {
      outdir: join(directory, 'cdk.out'),
      analyticsReporting: false,
    });
    const [stack] = app.synth().stacks;
    return stack?.template;
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
