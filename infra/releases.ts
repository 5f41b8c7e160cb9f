import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaApplication,
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, CfnFunction, type Function as LambdaFunction, Version } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { allowGateway } from './allow-gateway.ts';
import type { Deployment } from './deployment.ts';

/** The alias by which the API calls the functions of areas. */
export const LIVE = 'live';

/** The deployment methods that send a tenth of the requests to a release before all requests. */
const CANARIES: Record<NonNullable<Deployment['canary']>, ILambdaDeploymentConfig> = {
  '5 minutes': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  '10 minutes': LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  '30 minutes': LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
};

/** Whether the API calls the aliases: not in the deployment that makes them in a running stack. */
export const callsAliases = ({ canary, makesAliases }: Deployment): boolean =>
  canary !== undefined && makesAliases !== true;

/** The parts that the deployments of all wings share. */
export type Releasing = {
  /** The requests of the API, in a permission. */
  callers: string;
  alarms: readonly IAlarm[];
  application: ILambdaApplication;
  role: Role;
  deploymentConfig: ILambdaDeploymentConfig;
};

/** Adds the application and the role that move requests to releases; nothing without `canary`. */
export function addReleasing(
  parent: Construct,
  { canary }: Deployment,
  shared: Pick<Releasing, 'callers' | 'alarms'>,
): Releasing | undefined {
  if (canary === undefined) return undefined;
  const scope = new Construct(parent, 'Releases');
  const application = new LambdaApplication(scope, 'Application');
  return { ...shared, application, role: deployRole(scope), deploymentConfig: CANARIES[canary] };
}

/**
 * Adds a version of each area's function, an alias that the API calls, and a deployment that moves a tenth of the requests first. If
 * an alarm goes off meanwhile, all go back to the release before, and CloudFormation undoes the rest.
 */
export function addReleases(scope: Construct, releasing: Releasing, areas: readonly LambdaFunction[]): void {
  const { application, role, deploymentConfig, alarms, callers } = releasing;
  for (const area of areas) {
    const name = area.node.scope?.node.id ?? '';
    const alias = new Alias(scope, `${name}-${LIVE}`, { aliasName: LIVE, version: versionOf(scope, name, area) });
    const group = { application, alias, deploymentConfig, role, alarms: [...alarms] };
    new LambdaDeploymentGroup(scope, `${name}-deployment`, group);
    allowGateway(scope, `${name}-permission`, { functionArn: alias.functionArn, callers });
  }
}

/** A version shows one code with its settings, so each change makes another resource. */
function versionOf(scope: Construct, name: string, area: LambdaFunction): Version {
  const made = area.node.defaultChild;
  if (!CfnFunction.isCfnFunction(made)) throw new Error(`the function ${name} has no resource`);
  const text = JSON.stringify(Stack.of(area).resolve(made._toCloudFormation()));
  return new Version(scope, `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, {
    lambda: area,
  });
}

function deployRole(scope: Construct): Role {
  const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
  });
  acknowledge(role, {
    [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]:
      'AWS keeps the rights that a deployment of CodeDeploy needs: to move aliases and to read alarms.',
  });
  return role;
}
