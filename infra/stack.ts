import { type App, Stack, Tags } from 'aws-cdk-lib';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { type Api, AREA_TIMEOUT_SECONDS, addApi } from './api.ts';
import { addCopies } from './copies.ts';
import { addDashboard } from './dashboard.ts';
import { type Deployment, namePrefix, stackName } from './deployment.ts';
import { type FunctionEnvironment, variables } from './environment.ts';
import { addSchedules, feed } from './event-sources.ts';
import { addFront, type Front } from './front.ts';
import { type FunctionFactory, functionFactory } from './functions.ts';
import { addLanguageModel } from './language-model.ts';
import { addObservability } from './observability.ts';
import { addOutputs } from './outputs.ts';
import { addQueues, type JobQueue } from './queues.ts';
import { addReleases } from './releases.ts';
import { areaFunction, type Service, scheduleFunction, workerFunction } from './service.ts';
import { addStorage, type Storage } from './storage.ts';

export type StackSource = { service: Service; directory: string };

/** Lambda gives processor time by memory: with this size a cold start does not wait for the processor. */
const AREA_MEMORY_MEGABYTES = 1024;
const SCHEDULE_TIMEOUT_SECONDS = 300;
const SCHEDULE_MEMORY_MEGABYTES = 512;

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
    feeds: variables({
      EPSS_FEED_URL: deployment.epssFeedUrl,
      KEV_FEED_URL: deployment.kevFeedUrl,
      NVD_FEED_URL: deployment.nvdFeedUrl,
      OSV_FEED_URL: deployment.osvFeedUrl,
    }),
  };
  const make = functionFactory(stack, { deployment, environment, directory, resources });
  const areas = addAreas(service, api, make);
  const workers = addWorkers(service, queues, make);
  const scheduled = service.schedules.map((schedule) => ({ schedule, function: makeScheduled(schedule, make) }));
  addSchedules(stack, deployment, scheduled);
  const unattended = [...workers, ...scheduled.map((entry) => entry.function)];
  const { topic, ofApi } = addObservability(stack, deployment, { api, storage, queues, scheduled, unattended });
  addDashboard(stack, deployment, { api, storage, queues, unattended });
  addReleases(stack, deployment, { callers: api.callers, areas, alarms: ofApi });
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
    BASE_URL: address,
    ...LOCAL_ENGINES,
    ...variables({
      SCANNER_RECOMMENDED_VERSION: deployment.scannerRecommendedVersion,
      SCANNER_MINIMUM_VERSION: deployment.scannerMinimumVersion,
    }),
  };
}

const addAreas = ({ areas }: Service, api: Api, make: FunctionFactory) =>
  areas.map((area) => {
    const source = areaFunction(area);
    const target = make({ source, timeoutSeconds: AREA_TIMEOUT_SECONDS, memoryMegabytes: AREA_MEMORY_MEGABYTES });
    api.allow(area.name, target);
    return target;
  });

const addWorkers = ({ workers }: Service, queues: readonly JobQueue[], make: FunctionFactory) =>
  workers.map((worker) => {
    const { timeoutSeconds, memoryMegabytes } = jobs[worker.job];
    const target = make({ source: workerFunction(worker), timeoutSeconds, memoryMegabytes, consumes: worker.job });
    for (const queue of queues) if (queue.job === worker.job) feed(target, queue);
    return target;
  });

const makeScheduled = (schedule: Service['schedules'][number], make: FunctionFactory) =>
  make({
    source: scheduleFunction(schedule),
    timeoutSeconds: SCHEDULE_TIMEOUT_SECONDS,
    memoryMegabytes: SCHEDULE_MEMORY_MEGABYTES,
  });
