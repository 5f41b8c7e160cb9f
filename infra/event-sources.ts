import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { Schedule } from '#functions/workers/contract.ts';
import { type Deployment, namePrefix } from './deployment.ts';
import type { JobQueue } from './queues.ts';

/** So many batches of one queue are worked at once; a burst of imports leaves the account's other functions room. */
const MAXIMUM_CONCURRENCY = 10;

/** One message a call, because a message may take the whole time limit; failures are reported per message. */
export function feed(worker: LambdaFunction, { job, queue }: JobQueue): void {
  new CfnEventSourceMapping(worker, `${job}-source`, {
    functionName: worker.functionArn,
    eventSourceArn: queue.queueArn,
    batchSize: 1,
    functionResponseTypes: ['ReportBatchItemFailures'],
    scalingConfig: { maximumConcurrency: MAXIMUM_CONCURRENCY },
  });
}

export type Scheduled = { schedule: Schedule; function: LambdaFunction };

/**
 * Starts functions by the clock. A run that fails is not repeated, nor one that Lambda had no room for kept (by itself
 * it tries twice more, and for six hours): the next one does its work.
 */
export function addSchedules(parent: Construct, deployment: Deployment, scheduled: readonly Scheduled[]): void {
  if (scheduled.length === 0) return;
  const scope = new Construct(parent, 'Schedules');
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
    inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke(scheduled)] }) },
  });
  for (const { schedule, function: target } of scheduled) {
    target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new CfnSchedule(scope, schedule.name, {
      name: `${namePrefix(deployment)}${schedule.name}`,
      scheduleExpression: rate(schedule),
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: target.functionArn, roleArn: role.roleArn, retryPolicy: { maximumRetryAttempts: 0 } },
    });
  }
}

const invoke = (scheduled: readonly Scheduled[]): PolicyStatement =>
  new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: scheduled.map(({ function: target }) => target.functionArn),
  });

/** The scheduler counts in minutes. */
function rate({ name, everySeconds }: Schedule): string {
  const minutes = everySeconds / 60;
  if (!Number.isInteger(minutes) || minutes < 1)
    throw new Error(`the schedule ${name} must run every so many whole minutes`);
  return `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;
}
