import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { deliveries, type Job, jobs, visibilitySeconds } from '#shared/platform/jobs/jobs.ts';

type QueueDeclaration = {
  name: string;
  visibilityTimeoutSeconds: number;
  /** The number of deliveries before a message goes to the dead-letter queue. */
  maxReceiveCount: number;
};

export type QueueAddress = { name: string; url: string; arn: string; deadLetterUrl: string };

const fourteenDays = '1209600';

/** The part of the cloud's concurrent calls that one machine can handle. */
const PART = 0.4;

/** Messages of a job that one machine works at once. */
export const localConcurrency = ({ concurrency }: Pick<Job, 'concurrency'>): number => Math.ceil(PART * concurrency);

/** The queues of all jobs. */
export const queueDeclarations = (): QueueDeclaration[] =>
  Object.values(jobs).map((job) => ({
    name: job.name,
    visibilityTimeoutSeconds: visibilitySeconds(job),
    maxReceiveCount: deliveries(job),
  }));

/** Creates the queues and their dead-letter queues, and updates existing ones to their declaration. */
export async function ensureQueues(client: SQSClient, declarations: QueueDeclaration[]): Promise<QueueAddress[]> {
  return Promise.all(declarations.map((declaration) => ensureQueueWithDeadLetters(client, declaration)));
}

async function ensureQueueWithDeadLetters(client: SQSClient, declaration: QueueDeclaration): Promise<QueueAddress> {
  const { name, visibilityTimeoutSeconds, maxReceiveCount } = declaration;
  const deadLetters = await ensureQueue(client, `${name}-dead-letters.fifo`, {
    MessageRetentionPeriod: fourteenDays,
  });
  const { url, arn } = await ensureQueue(client, `${name}.fifo`, {
    VisibilityTimeout: String(visibilityTimeoutSeconds),
    MessageRetentionPeriod: fourteenDays,
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount: String(maxReceiveCount) }),
  });
  return { name, url, arn, deadLetterUrl: deadLetters.url };
}

/** Looks for the queue first, because creating an existing queue with other attributes is refused. */
async function ensureQueue(client: SQSClient, name: string, attributes: Record<string, string>) {
  const answered = (await findQueueUrl(client, name)) ?? (await createQueue(client, name, attributes));
  const url = await reachable(client, answered);
  await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: attributes }));
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return { url, arn: Attributes?.QueueArn ?? '' };
}

async function findQueueUrl(client: SQSClient, name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl;
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}

async function createQueue(client: SQSClient, name: string, attributes: Record<string, string>): Promise<string> {
  const ordered = { FifoQueue: 'true', DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' };
  const Attributes = { ...attributes, ...ordered };
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  if (QueueUrl === undefined) throw new Error(`creating the queue ${name} answered no address`);
  return QueueUrl;
}

/** The engine keeps the host and port of its first start; the client knows the current ones. */
async function reachable(client: SQSClient, queueUrl: string): Promise<string> {
  const endpoint = await client.config.endpoint?.();
  if (endpoint === undefined) return queueUrl;
  const port = endpoint.port === undefined ? '' : `:${endpoint.port}`;
  return `${endpoint.protocol}//${endpoint.hostname}${port}${new URL(queueUrl).pathname}`;
}
