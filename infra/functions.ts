import { join } from 'node:path';
import { CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import type { Needs } from '#functions/needs.ts';
import type { JobName } from '#shared/platform/jobs/jobs.ts';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, namePrefix } from './deployment.ts';
import { type FunctionEnvironment, variables } from './environment.ts';
import { functionPolicy, policyReasons, type Resources } from './policies.ts';
import type { FunctionSource } from './service.ts';

type FunctionSettings = {
  source: FunctionSource;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** The job whose queue feeds the function. */
  consumes?: JobName;
};

export type FunctionContext = {
  deployment: Deployment;
  environment: FunctionEnvironment;
  resources: Resources;
  /** The directory of the bundles, with one directory per function. */
  directory: string;
};

/** Makes a function from its declaration, with a log group, and a role that has the policy inside. */
export function addFunction(parent: Construct, context: FunctionContext, settings: FunctionSettings): LambdaFunction {
  const { deployment, environment, resources, directory } = context;
  const { source, timeoutSeconds, memoryMegabytes, consumes } = settings;
  const scope = new Construct(parent, source.name);
  const functionName = functionNameOf(deployment, source);
  const logGroup = addLogGroup(scope, functionName, deployment);
  const { needs } = source;
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Needs: functionPolicy(scope, resources, { needs, logGroup, consumes }) },
  });
  acknowledge(role, policyReasons(resources, needs));
  const made = new LambdaFunction(scope, 'Function', {
    functionName,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(join(directory, source.name)),
    role: role.withoutPolicyUpdates(),
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: memoryMegabytes,
    reservedConcurrentExecutions: consumes && deployment.reservedConcurrency[consumes],
    recursiveLoop: recursion(settings),
    environment: { ...environment, ...ownSettings(resources, needs) },
    logGroup,
    tracing: Tracing.ACTIVE,
    loggingFormat: LoggingFormat.JSON,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    // Lambda's own START, END and REPORT lines would be most of the log: most requests are polls without work.
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  return withoutDependsOn(made);
}

/** Alarms, the dashboard and the API name a function so, without a reference into its nested stack. */
export const functionNameOf = (deployment: Deployment, { name }: Pick<FunctionSource, 'name'>): string =>
  `${namePrefix(deployment)}${name}`;

const addLogGroup = (scope: Construct, functionName: string, { logDays }: Deployment): LogGroup =>
  new LogGroup(scope, 'Log', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });

/**
 * The function refers to its role, which contains its policy: a second dependency on the policy is redundant, and
 * linters refuse it.
 */
function withoutDependsOn(made: LambdaFunction): LambdaFunction {
  const { defaultChild } = made.node;
  if (CfnResource.isCfnResource(defaultChild)) defaultChild.addDeletionOverride('DependsOn');
  return made;
}

/** The settings of only this function. */
const ownSettings = (
  { languageModel, feeds, challenges, mail, payments, front }: Resources,
  needs: Needs,
): Record<string, string> => ({
  ...(needs.originSecret && variables({ ORIGIN_SECRET: front?.secretName })),
  ...(needs.languageModel && languageModel.environment),
  ...(needs.feeds && feeds),
  ...(needs.challenges && challenges),
  ...(needs.mail && mail.environment),
  ...(needs.payments && payments.environment),
});

/**
 * Long work continues with messages to the worker's own queue. Lambda stops such a loop after 16 messages unless it is
 * allowed.
 */
const recursion = ({ source, consumes }: FunctionSettings): RecursiveLoop =>
  consumes !== undefined && source.needs.sends?.includes(consumes) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE;

/** Samples one trace in a hundred and one per second. Lambda's default is one in twenty. */
export function addSampling(parent: Construct, deployment: Deployment): void {
  new CfnSamplingRule(new Construct(parent, 'Functions'), 'Sampling', {
    samplingRule: {
      // Without the common prefix: X-Ray takes at most 32 characters.
      ruleName: `${deployment.tenant}-${deployment.stage}`,
      priority: 1000,
      fixedRate: 0.01,
      reservoirSize: 1,
      serviceName: `${namePrefix(deployment)}*`,
      serviceType: 'AWS::Lambda::Function',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
      version: 1,
    },
  });
}
