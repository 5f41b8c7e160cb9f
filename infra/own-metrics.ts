import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS, machineDimensions, requestDimensions } from '#shared/runtime/metrics.ts';

/** The measurements that the functions of one table write into their logs, for alarms and the dashboard. */
export function ownMetrics(table: string, period: Duration) {
  const metric = (metricName: string, dimensionsMap: Record<string, string>, label?: string) =>
    new Metric({ namespace: METRICS.namespace, metricName, dimensionsMap, label, statistic: 'Sum', period });
  const offline = (kind: string) => metric(METRICS.machinesOffline, machineDimensions(table, kind), `${kind} offline`);
  return {
    slowRequests: metric(METRICS.slowRequests, requestDimensions(table)),
    offline: { agents: offline('agent'), scanners: offline('scanner'), appliances: offline('apex') },
  };
}
