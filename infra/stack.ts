import { type App, Stack, Tags } from 'aws-cdk-lib';
import { type Api, addApi } from './api.ts';
import { addCopies } from './copies.ts';
import { addDashboards } from './dashboard.ts';
import { type Deployment, namePrefix, stackName } from './deployment.ts';
import { type FunctionEnvironment, variables } from './environment.ts';
import { addFront, type Front } from './front.ts';
import { addSampling, functionNameOf } from './functions.ts';
import { addLanguageModel } from './language-model.ts';
import { mailOf } from './mail.ts';
import { addObservability } from './observability.ts';
import { addOutputs } from './outputs.ts';
import { addPayments } from './payments.ts';
import { addQueues } from './queues.ts';
import { type FunctionSource, type Service, scheduleFunction, workerFunction } from './service.ts';
import { addStorage, type Storage } from './storage.ts';
import { addWings } from './wings.ts';

export type StackSource = { service: Service; directory: string };

/** The whole service of one tenant in one region. */
export function addStack(app: App, deployment: Deployment, { service, directory }: StackSource): Stack {
  const stack = emptyStack(app, deployment);
  const storage = addStorage(stack, deployment);
  const queues = addQueues(stack, deployment);
  const api = addApi(stack, deployment, service);
  const front = addFront(stack, deployment, { apiHost: api.host, storage });
  const environment = functionEnvironment(stack, { deployment, storage, api, front });
  const resources = {
    storage,
    queues,
    front,
    languageModel: addLanguageModel(stack, deployment, storage),
    mail: mailOf(stack, deployment),
    payments: addPayments(stack, deployment, storage),
    feeds: variables({
      EPSS_FEED_URL: deployment.epssFeedUrl,
      KEV_FEED_URL: deployment.kevFeedUrl,
      NVD_FEED_URL: deployment.nvdFeedUrl,
      OSV_FEED_URL: deployment.osvFeedUrl,
    }),
    challenges: variables({ TURNSTILE_SITE_KEY: deployment.turnstileSiteKey }),
  };
  addSampling(stack, deployment);
  const nameOf = (source: FunctionSource) => functionNameOf(deployment, source);
  const scheduled = service.schedules.map((schedule) => ({
    schedule,
    functionName: nameOf(scheduleFunction(schedule)),
  }));
  const workers = service.workers.map((worker) => nameOf(workerFunction(worker)));
  const unattended = [...workers, ...scheduled.map(({ functionName }) => functionName)];
  const { topic, ofApi } = addObservability(stack, deployment, { api, storage, queues, scheduled, unattended });
  addDashboards(stack, deployment, { api, storage, queues, unattended });
  const context = { deployment, environment, directory, resources };
  addWings(stack, { service, api, alarms: ofApi, context });
  addCopies(app, stack, { deployment, storage });
  addOutputs(stack, { environment, topic });
  return stack;
}

function emptyStack(app: App, deployment: Deployment): Stack {
  const { account, region, tenant, stage } = deployment;
  // A tenant may have stacks of one name in several regions.
  const stack = new Stack(app, `${stackName(deployment)}-${region}`, {
    stackName: stackName(deployment),
    env: { account, region },
    description: 'Security exposure management service',
    terminationProtection: stage !== 'development',
  });
  // CloudFormation's published schema of a dashboard has no tags.
  const excludeResourceTypes = ['AWS::CloudWatch::Dashboard'];
  Tags.of(stack).add('tenant', tenant, { excludeResourceTypes });
  Tags.of(stack).add('stage', stage, { excludeResourceTypes });
  return stack;
}

type EnvironmentSource = { deployment: Deployment; storage: Storage; api: Api; front: Front | undefined };

/** Empty in the cloud. `sam local --env-vars` sets only what a template declares. */
const LOCAL_ENGINES = { DYNAMODB_ENDPOINT: '', SQS_ENDPOINT: '', S3_ENDPOINT: '', SECRETS_FILE: '' };

function functionEnvironment(
  stack: Stack,
  { deployment, storage, api, front }: EnvironmentSource,
): FunctionEnvironment {
  const address = deployment.baseUrl ?? front?.address ?? `https://${api.host}`;
  const { region, account, urlSuffix } = stack;
  return {
    TABLE_NAME: storage.table.tableName,
    BUCKET_NAME: storage.bucket.bucketName,
    QUEUE_URL_PREFIX: `https://sqs.${region}.${urlSuffix}/${account}/${namePrefix(deployment)}`,
    TOKEN_ISSUER: address,
    SIGNING_SECRET: storage.signingSecret.name,
    SEALING_SECRET: storage.sealingSecret.name,
    BILLING_SECRET: storage.billingSecret.name,
    CHALLENGE_SECRET: storage.challengeSecret.name,
    BASE_URL: address,
    ...LOCAL_ENGINES,
    ...variables({
      SCANNER_RECOMMENDED_VERSION: deployment.scannerRecommendedVersion,
      SCANNER_MINIMUM_VERSION: deployment.scannerMinimumVersion,
    }),
  };
}
