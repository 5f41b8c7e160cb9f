import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { MACHINES_OFFLINE, METRICS, SIGNING_KEY_AGE, SLOW_REQUESTS } from '#shared/platform/runtime/metrics.ts';

/** A measurement of Lambda for one function. */
export const functionMetric = (functionName: string, metricName: 'Errors' | 'Invocations', period: Duration): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName },
    statistic: 'Sum',
    period,
  });

/** The measurements that the functions of one table write into their logs, for alarms and the dashboard. */
export function ownMetrics(table: string, period: Duration) {
  const metric = (metricName: string, dimensionsMap: Record<string, string>, label?: string) =>
    new Metric({ namespace: METRICS, metricName, dimensionsMap, label, statistic: 'Sum', period });
  const offline = (kind: string) => metric(MACHINES_OFFLINE, { table, kind }, `${kind} offline`);
  return {
    slowRequests: metric(SLOW_REQUESTS, { table }),
    signingKeyAge: metric(SIGNING_KEY_AGE, { table }).with({ statistic: 'Maximum' }),
    offline: { agents: offline('agent'), scanners: offline('scanner'), appliances: offline('apex') },
  };
}
