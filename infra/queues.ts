import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  deadLetterQueueName,
  type Job,
  type JobName,
  jobNames,
  jobs,
  queueName,
  visibilitySeconds,
} from '#shared/jobs/jobs.ts';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, namePrefix } from './deployment.ts';

export type JobQueue = { job: JobName; queue: Queue; deadLetters: Queue };

/** A queue and its dead-letter queue for each job. */
export function addQueues(parent: Construct, deployment: Deployment): JobQueue[] {
  const scope = new Construct(parent, 'Queues');
  const prefix = namePrefix(deployment);
  return jobNames.map((name) => addQueue(scope, prefix, name));
}

function addQueue(scope: Construct, prefix: string, name: JobName): JobQueue {
  const job: Job = jobs[name];
  const deadLetters = new Queue(scope, `${name}-dead`, {
    ...common(job),
    queueName: `${prefix}${deadLetterQueueName(job)}`,
  });
  acknowledge(deadLetters, { 'AwsSolutions-SQS3': 'It is the dead-letter queue.' });
  const queue = new Queue(scope, name, {
    ...common(job),
    queueName: `${prefix}${queueName(job)}`,
    visibilityTimeout: Duration.seconds(visibilitySeconds(job)),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: job.attempts },
  });
  return { job: name, queue, deadLetters };
}

/** Messages carry ids only, so the queues' own encryption is enough and needs no key policy. */
const common = ({ fifo }: Job): QueueProps => ({
  retentionPeriod: Duration.days(14),
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  // Groups are as many as scan scopes: each has its own order and its own deduplication.
  ...(fifo && {
    fifo,
    deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  }),
});
