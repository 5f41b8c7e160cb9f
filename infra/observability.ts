import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Schedule } from '#functions/workers/contract.ts';
import { deadLetterQueueName, jobs } from '#shared/platform/jobs/jobs.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Api } from './api.ts';
import type { Deployment } from './deployment.ts';
import { functionMetric, ownMetrics } from './own-metrics.ts';
import type { JobQueue } from './queues.ts';
import type { Storage } from './storage.ts';

type Watched = {
  api: Api;
  storage: Storage;
  queues: readonly JobQueue[];
  scheduled: readonly Scheduled[];
  /** The names of the functions that no caller waits for: a crash of the others is a 5xx of the gateway. */
  unattended: readonly string[];
};

type Scheduled = { schedule: Schedule; functionName: string };

type Rule = {
  metric: IMetric;
  /** The alarm goes off above this limit; with `atLeast` below it and when nothing was measured. */
  limit: { above: number } | { atLeast: number };
  /** Consecutive periods; one by default. */
  periods?: number;
  /** The operator's first step. docs/operate.md has the rest. */
  meaning: string;
};

const period = Duration.minutes(5);
const METRICS_PER_ALARM = 10;

/**
 * Adds a topic, and an alarm for each way in which the service can fail its users.
 * @returns the topic, and the alarms for failing or slow requests
 */
export function addObservability(parent: Construct, deployment: Deployment, watched: Watched) {
  const scope = new Construct(parent, 'Alarms');
  const topic = new Topic(scope, 'Topic', { masterKey: watched.storage.key, enforceSSL: true });
  allowAlarms(topic);
  if (deployment.alarmEmail) topic.addSubscription(new EmailSubscription(deployment.alarmEmail));
  const rules = {
    ...apiRules(watched),
    ...tableRules(watched.storage.table),
    ...machineRules(watched.storage.table),
    ...Object.assign({}, ...watched.queues.map(queueRules)),
    ...errorRules(watched.unattended),
    ...Object.assign({}, ...watched.scheduled.map(scheduleRules)),
    ...throttleRules(),
    ...keyRules(watched.storage.table),
  };
  const alarms = Object.entries<Rule>(rules).map(([name, rule]) => addAlarm(scope, name, rule));
  for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  return { topic, ofApi: alarms.filter(({ node }) => node.id.startsWith('api-')) };
}

/** The policy that demands TLS replaces AWS's default policy, so alarms need their own statement. */
function allowAlarms(topic: Topic): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
    }),
  );
}

function addAlarm(scope: Construct, name: string, { metric, limit, periods = 1, meaning }: Rule): Alarm {
  return new Alarm(scope, name, { metric, evaluationPeriods: periods, alarmDescription: meaning, ...breachOf(limit) });
}

const breachOf = (limit: Rule['limit']): Pick<AlarmProps, 'threshold' | 'comparisonOperator' | 'treatMissingData'> =>
  'above' in limit
    ? {
        threshold: limit.above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        // Missing data means no traffic, which is no failure.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: limit.atLeast,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };

function apiRules({ api: { id, stage }, storage: { table } }: Watched): Record<string, Rule> {
  const dimensionsMap = { ApiId: id, Stage: stage };
  return {
    'api-5xx': {
      metric: new Metric({ namespace: 'AWS/ApiGateway', metricName: '5xx', dimensionsMap, statistic: 'Sum', period }),
      limit: { above: 2 },
      meaning:
        'Requests fail with 5xx, or their functions crash or run out of time or memory: look for level ERROR in the logs.',
    },
    'api-slow': {
      metric: ownMetrics(table.tableName, period).slowRequests,
      limit: { above: 5 },
      periods: 3,
      meaning: 'Requests take more than five seconds: look at their lines in the logs, at traces and throttles.',
    },
  };
}

function tableRules(table: ITable): Record<string, Rule> {
  const metric = (metricName: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: 'Sum',
      period,
    });
  const throttles = { reads: metric('ReadThrottleEvents'), writes: metric('WriteThrottleEvents') };
  return {
    'table-throttles': {
      metric: new MathExpression({ expression: 'FILL(reads, 0) + FILL(writes, 0)', usingMetrics: throttles, period }),
      limit: { above: 100 },
      periods: 2,
      meaning: 'The table refuses requests: a partition is hot or the account is at its quota.',
    },
  };
}

/** When this many machines stop within minutes, their network or the service has failed. */
const MACHINES_AT_ONCE = 20;

function machineRules({ tableName }: ITable): Record<string, Rule> {
  const usingMetrics = ownMetrics(tableName, period).offline;
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return {
    'machines-offline': {
      metric: new MathExpression({ expression, usingMetrics, period }),
      limit: { above: MACHINES_AT_ONCE },
      meaning: 'Many machines stopped reporting at once: look at api-5xx and throttles first, then at their network.',
    },
  };
}

function queueRules({ job, queue, deadLetters }: JobQueue): Record<string, Rule> {
  const { timeoutSeconds } = jobs[job];
  return {
    [`${job}-dead-letters`]: {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period }),
      limit: { above: 0 },
      meaning: `Work of ${job} failed repeatedly and waits in its queue ${deadLetterQueueName(jobs[job])}: find the cause, then redrive.`,
    },
    [`${job}-age`]: {
      metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', period }),
      limit: { above: Math.max(1800, timeoutSeconds * 6) },
      meaning: `Work of ${job} waits too long: the worker fails, is throttled or overloaded.`,
    },
  };
}

/**
 * One alarm for ten functions, because CloudWatch takes at most ten metrics in the expression of an alarm. Each
 * function has its own limit: the alarm's graph shows which function exceeds it.
 */
function errorRules(functions: readonly string[]): Record<string, Rule> {
  const tens = chunksOf(functions, METRICS_PER_ALARM).map((group, n): [string, Rule] => {
    const errors = group.map((target, index) => [`m${index}`, functionMetric(target, 'Errors', period)]);
    const expression = `MAX([${group.map((_, index) => `m${index}`).join(', ')}])`;
    return [
      `functions-errors-${n}`,
      {
        metric: new MathExpression({ expression, usingMetrics: Object.fromEntries(errors), period }),
        limit: { above: 2 },
        meaning: "A worker crashes or runs out of time or memory: the alarm's graph names it; read its log group.",
      },
    ];
  });
  return Object.fromEntries(tens);
}

const scheduleRules = ({ schedule, functionName }: Scheduled): Record<string, Rule> => ({
  [`${schedule.name}-silent`]: {
    metric: functionMetric(functionName, 'Invocations', Duration.seconds(Math.max(300, schedule.everySeconds))),
    limit: { atLeast: 1 },
    periods: 3,
    meaning: 'The schedule no longer starts the function: look at the schedule, its role, and throttles.',
  },
});

/** Throttling concerns the whole account and region, so one metric of all functions shows it for each stack. */
const throttleRules = (): Record<string, Rule> => ({
  'functions-throttles': {
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', period }),
    limit: { above: 10 },
    meaning: "Functions are throttled: raise the account's concurrency quota or look for a flood of requests.",
  },
});

/** The schedule replaces the key after 90 days. */
const OLDEST_KEY_DAYS = 97;

const keyRules = ({ tableName }: ITable): Record<string, Rule> => ({
  'signing-key-age': {
    metric: ownMetrics(tableName, Duration.hours(6)).signingKeyAge,
    limit: { above: OLDEST_KEY_DAYS },
    meaning:
      'The key of access tokens was not replaced in time: read the log group of keys-schedule, or run npm run rotate-key.',
  },
});
