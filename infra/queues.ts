import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  deadLetterQueueName,
  deliveries,
  type Job,
  type JobName,
  jobNames,
  jobs,
  queueName,
  visibilitySeconds,
} from '#shared/platform/jobs/jobs.ts';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, namePrefix } from './deployment.ts';

export type JobQueue = { job: JobName; queue: Queue; deadLetters: Queue };

/** Adds a queue and a dead-letter queue for each job. */
export function addQueues(parent: Construct, deployment: Deployment): JobQueue[] {
  const scope = new Construct(parent, 'Queues');
  const prefix = namePrefix(deployment);
  return jobNames.map((name) => addQueue(scope, prefix, name));
}

function addQueue(scope: Construct, prefix: string, name: JobName): JobQueue {
  const job: Job = jobs[name];
  const deadLetters = new Queue(scope, `${name}-dead`, {
    ...COMMON,
    queueName: `${prefix}${deadLetterQueueName(job)}`,
  });
  acknowledge(deadLetters, { 'AwsSolutions-SQS3': 'This queue is a dead-letter queue.' });
  const queue = new Queue(scope, name, {
    ...COMMON,
    queueName: `${prefix}${queueName(job)}`,
    visibilityTimeout: Duration.seconds(visibilitySeconds(job)),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: deliveries(job) },
  });
  return { job: name, queue, deadLetters };
}

/** Messages carry only ids, so the encryption of SQS is enough and needs no key policy. */
const COMMON: QueueProps = {
  retentionPeriod: Duration.days(14),
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  fifo: true,
  // Each message group has its own order and deduplication.
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};
