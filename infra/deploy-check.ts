import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import {
  findNestedTemplates,
  findTemplate,
  NESTED_STACK,
  type NestedTemplates,
  parseTemplate,
  type Template,
} from './cloudformation.ts';
import { type Deployment, namePrefix, stackName } from './deployment.ts';
import { fixedChanges } from './fixed-values.ts';
import { LIVE } from './releases.ts';
import { fileOf } from './tenants.ts';

/** The sample's address for alarms, and the other addresses that RFC 2606 reserves: nobody reads them. */
export function unreadAlarms(deployment: Deployment): string[] {
  const isReserved = /[@.]example(\.(com|net|org))?$/.test(deployment.alarmEmail ?? '');
  return isReserved ? [`${fileOf(deployment)}: alarmEmail: must be an address that someone reads`] : [];
}

/** The fixed values that a deployment would change in the running stack, without those that are allowed to change. */
export async function unaskedChanges(
  stack: CloudFormationStackArtifact,
  allowed: readonly string[],
): Promise<string[]> {
  const { region } = stack.environment;
  const running = await findTemplate({ name: stack.stackName, region });
  if (!running) return [];
  return fixedChanges(running, parseTemplate(stack.template), region)
    .filter(({ output }) => !allowed.includes(output))
    .map(
      ({ output, change }) =>
        `${stack.stackName}: ${output} would change ${change}. Add --allow-change ${output} if this is meant.`,
    );
}

/**
 * The deployment without the functions that a release moves to another stack, such as the nested stack of another wing;
 * undefined when it moves none. CloudFormation creates new functions before it removes old ones, and two functions
 * cannot have one name.
 */
export async function needsMoves(
  deployment: Deployment,
  { stacks }: { stacks: readonly CloudFormationStackArtifact[] },
): Promise<Deployment[]> {
  const place = { name: stackName(deployment), region: deployment.region };
  const stack = stacks.find(
    ({ stackName: name, environment }) => name === place.name && environment.region === place.region,
  );
  const running = await findTemplate(place);
  if (!stack || !running) return [];
  const before = stacksOfFunctions(running, await findNestedTemplates(place));
  const after = stacksOfFunctions(parseTemplate(stack.template), nestedTemplates(stack));
  const moved = [...before].flatMap(([name, holder]) => (after.has(name) && after.get(name) !== holder ? [name] : []));
  const prefix = namePrefix(deployment);
  return moved.length > 0 ? [{ ...deployment, leavesOut: moved.map((name) => name.slice(prefix.length)) }] : [];
}

/** The nested stack of each named function; an empty text for the stack itself. */
function stacksOfFunctions(template: Template, nested: NestedTemplates): Map<string, string> {
  const found = new Map<string, string>();
  for (const [holder, { Resources }] of [['', template] as const, ...nested])
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === 'AWS::Lambda::Function' && typeof Properties.FunctionName === 'string')
        found.set(Properties.FunctionName, holder);
  return found;
}

/** The templates of nested stacks, which are files beside the template of their stack. */
function nestedTemplates({ template, assembly }: CloudFormationStackArtifact): NestedTemplates {
  const files = Object.entries(parseTemplate(template).Resources).flatMap(([name, { Type, Metadata }]) =>
    Type === NESTED_STACK ? [[name, join(assembly.directory, String(Metadata['aws:asset:path']))] as const] : [],
  );
  return new Map(files.map(([name, file]) => [name, parseTemplate(JSON.parse(readFileSync(file, 'utf8')))]));
}

/**
 * The deployment that makes the aliases of a running stack, if its API should call aliases and does not yet:
 * CloudFormation changes the API before the functions, so that the API would call aliases that do not exist.
 */
export async function needsAliases(deployment: Deployment): Promise<Deployment[]> {
  if (deployment.canary === undefined) return [];
  const running = await findTemplate({ name: stackName(deployment), region: deployment.region });
  const api = Object.values(running?.Resources ?? {}).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
  const callsThem = JSON.stringify(api?.Properties.Body ?? {}).includes(`:${LIVE}/invocations`);
  return running && !callsThem ? [{ ...deployment, makesAliases: true }] : [];
}
