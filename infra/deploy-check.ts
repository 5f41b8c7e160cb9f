import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { findTemplate, parseTemplate } from './cloudformation.ts';
import { type Deployment, stackName } from './deployment.ts';
import { fixedChanges } from './fixed-values.ts';
import { fileOf } from './tenants.ts';

/** The sample's address for alarms, and the others that RFC 2606 reserves: nobody would get them. */
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
 * The deployment that makes the aliases of a standing stack, if it is to call them and has none yet: CloudFormation changes the API
 * before the functions, so that it would call what is not there.
 */
export async function needsAliases(deployment: Deployment): Promise<Deployment[]> {
  if (deployment.canary === undefined) return [];
  const running = await findTemplate({ name: stackName(deployment), region: deployment.region });
  const hasThem = Object.values(running?.Resources ?? {}).some(({ Type }) => Type === 'AWS::CloudFormation::Stack');
  return running && !hasThem ? [{ ...deployment, makesAliases: true }] : [];
}
