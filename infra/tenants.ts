import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { Mistake } from '#local/mistake.ts';
import { type Deployment, STAGES, TenantSettings } from './deployment.ts';
import { repositoryRoot } from './repository.ts';

export const tenantsDirectory = join(repositoryRoot, 'infra/tenants');

type Settings = z.infer<typeof TenantSettings>;

/** `acme.eu-central-1.json` is production, `acme-staging.eu-central-1.json` another stage. */
const FILE_NAME = /^([a-z][a-z0-9]{1,15})(?:-(staging|development))?\.([a-z]{2}(?:-[a-z]+)+-\d)\.json$/;

/** The deployments that the files of a directory describe, in the order of their names. */
export function readTenants(directory = tenantsDirectory): Deployment[] {
  const files = readdirSync(directory).sort();
  return files.map((file) => parseTenant(file, readFileSync(join(directory, file), 'utf8')));
}

/** @throws an error that names the file and each field that is wrong in it */
export function parseTenant(file: string, text: string): Deployment {
  const [, tenant, stage = 'production', region] = FILE_NAME.exec(file) ?? [];
  if (tenant === undefined || region === undefined)
    throw refusal(file, [
      'its name must be <tenant>.<region>.json or <tenant>-<stage>.<region>.json, such as acme.eu-central-1.json or acme-staging.eu-central-1.json, with a tenant of two to 16 lower-case letters and digits and the stage staging or development',
    ]);
  const { data, error } = TenantSettings.safeParse(jsonOf(file, text));
  if (error) throw refusal(file, error.issues.map(described));
  const problems = problemsOf(data, stage);
  if (problems.length > 0) throw refusal(file, problems);
  return { ...data, tenant, region, stage: STAGES.find((one) => one === stage) ?? 'production' };
}

/** The rules between settings. */
function problemsOf(settings: Settings, stage: string): string[] {
  const { alarmEmail, baseUrl, certificateArn, hostedZoneId, webAclArn } = settings;
  const problems: string[] = [];
  if (stage === 'production' && alarmEmail === undefined)
    problems.push('alarmEmail: is missing; without it nobody learns that the service fails');
  if (certificateArn !== undefined && (baseUrl === undefined || new URL(baseUrl).pathname !== '/'))
    problems.push('baseUrl: must be https:// and the domain of the certificate, such as https://api.acme.example');
  if (hostedZoneId !== undefined && certificateArn === undefined)
    problems.push('certificateArn: is missing; without it the stack has no domain for the hosted zone');
  if (webAclArn !== undefined && certificateArn !== undefined && !/^arn:[^:]+:acm:us-east-1:/.test(certificateArn))
    problems.push('certificateArn: must be of us-east-1, where CloudFront looks for certificates');
  return problems;
}

/**
 * The deployments that a list such as `acme,other.eu-west-1` names: each word is the name of a file without `.json`, or
 * without the region too. Without a list all are named.
 */
export function selectTenants(all: readonly Deployment[], list?: string): Deployment[] {
  if (list === undefined) return [...all];
  const words = list.split(',').map((word) => word.trim());
  const isNamed = (deployment: Deployment, word: string) =>
    [nameOf(deployment), `${nameOf(deployment)}.${deployment.region}`].includes(word);
  const missing = words.filter((word) => !all.some((one) => isNamed(one, word)));
  if (missing.length > 0) {
    const names = all.map((one) => `${nameOf(one)}.${one.region}`).join(', ') || 'none';
    throw new Mistake(`infra/tenants/ has no ${missing.join(', ')}: name one or several of ${names}`);
  }
  return all.filter((one) => words.some((word) => isNamed(one, word)));
}

/** The file of a deployment, for messages. */
export const fileOf = (deployment: Deployment): string =>
  `infra/tenants/${nameOf(deployment)}.${deployment.region}.json`;

const nameOf = ({ tenant, stage }: Deployment): string => (stage === 'production' ? tenant : `${tenant}-${stage}`);

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(file, [`it must be JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

const described = ({ path, message }: z.core.$ZodIssue): string =>
  path.length > 0 ? `${path.join('.')}: ${message}` : message;

const refusal = (file: string, problems: string[]): Mistake =>
  new Mistake(problems.map((problem) => `infra/tenants/${file}: ${problem}`).join('\n'));
