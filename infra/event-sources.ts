import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { Schedule } from '#functions/workers/contract.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { type Deployment, namePrefix } from './deployment.ts';
import type { JobQueue } from './queues.ts';

/** Feeds a function from a queue, one message per call: a message may take the whole time limit. */
export function feed(worker: LambdaFunction, { job, queue }: JobQueue): void {
  new CfnEventSourceMapping(worker, `${job}-source`, {
    functionName: worker.functionArn,
    eventSourceArn: queue.queueArn,
    batchSize: 1,
    functionResponseTypes: ['ReportBatchItemFailures'],
    scalingConfig: { maximumConcurrency: jobs[job].concurrency },
  });
}

type Scheduled = { schedule: Schedule; function: LambdaFunction };

/**
 * Starts functions by the clock. A failed or throttled run is not repeated, because the next run does its work.
 * Lambda's default would be two more attempts within six hours.
 */
export function addSchedules(parent: Construct, deployment: Deployment, scheduled: readonly Scheduled[]): void {
  if (scheduled.length === 0) return;
  const scope = new Construct(parent, 'Schedules');
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      // Schedules of another account must not use the role.
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
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

/** The rate of a schedule, in whole minutes. */
function rate({ name, everySeconds }: Schedule): string {
  const minutes = everySeconds / 60;
  if (!Number.isInteger(minutes) || minutes < 1)
    throw new Error(`the interval of the schedule ${name} must be whole minutes`);
  return `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;
}
