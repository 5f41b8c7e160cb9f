import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Api } from './api.ts';
import { type Deployment, stackName } from './deployment.ts';
import { functionMetric, ownMetrics } from './own-metrics.ts';
import type { JobQueue } from './queues.ts';
import type { Storage } from './storage.ts';

type Shown = {
  api: Api;
  storage: Storage;
  queues: readonly JobQueue[];
  /** The names of the functions that no caller waits for. */
  unattended: readonly string[];
};

const period = Duration.minutes(5);

/** Two pages with the graphs behind the alarms: requests and table, and work. An account's first three dashboards of up to 50 metrics are free. */
export function addDashboards(parent: Construct, deployment: Deployment, shown: Shown): void {
  const scope = new Construct(parent, 'Dashboard');
  // Dashboards belong to an account, not to a region.
  const dashboardName = `${stackName(deployment)}-${deployment.region}`;
  const requests = new Dashboard(scope, 'Dashboard', { dashboardName });
  const work = new Dashboard(scope, 'Work', { dashboardName: `${dashboardName}-work` });
  const { slowRequests, offline } = ownMetrics(shown.storage.table.tableName, period);
  requests.addWidgets(...apiGraphs(shown.api, slowRequests));
  requests.addWidgets(...tableGraphs(shown.storage));
  work.addWidgets(...workGraphs(shown));
  requests.addWidgets(graph('Machines that went offline', Object.values(offline)));
}

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6 });

function apiGraphs({ id, stage }: Api, slowRequests: IMetric): GraphWidget[] {
  const metric = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiId: id, Stage: stage },
      statistic,
      period,
    });
  return [
    graph('Requests', [metric('Count', 'Sum')]),
    graph('Failed and slow requests', [metric('4xx', 'Sum'), metric('5xx', 'Sum'), slowRequests]),
    graph(
      'Milliseconds, waiting callers included',
      [Stats.percentile(50), Stats.percentile(99)].map((statistic) => metric('Latency', statistic)),
    ),
  ];
}

function tableGraphs({ table }: Storage): GraphWidget[] {
  const metric = (metricName: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: 'Sum',
      period,
    });
  const account = (metricName: string, statistic: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period });
  return [
    graph('Units of the table', [metric('ConsumedReadCapacityUnits'), metric('ConsumedWriteCapacityUnits')]),
    graph('Throttled by the table', [metric('ReadThrottleEvents'), metric('WriteThrottleEvents')]),
    graph('Functions of the account at once, and throttled', [
      account('ConcurrentExecutions', 'Maximum'),
      account('Throttles', 'Sum'),
    ]),
  ];
}

function workGraphs({ queues, unattended }: Shown): GraphWidget[] {
  return [
    graph(
      'Errors of workers',
      unattended.map((worker) => functionMetric(worker, 'Errors', period)),
    ),
    graph(
      'Seconds that work waits',
      queues.map(({ job, queue }) => queue.metricApproximateAgeOfOldestMessage({ period, label: job })),
    ),
    graph(
      'Dead letters',
      queues.map(({ job, deadLetters }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: job }),
      ),
    ),
  ];
}
