import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** The names of the service's own metrics in CloudWatch; the stack's alarms use the same names. */
export const METRICS = {
  namespace: 'Exposure',
  service: 'exposure',
  machinesOffline: 'MachinesWentOffline',
} as const;

/** The dimensions of one deployment and one kind of machine. */
export const machineDimensions = (table: string, kind: string) => ({ service: METRICS.service, table, kind });

/** Writes a log line in CloudWatch's embedded metric format, which needs no call and cannot fail. */
export function countOffline(tableName: string, kind: string, count: number): void {
  const { service, ...dimensions } = machineDimensions(tableName, kind);
  const metrics = new Metrics({ namespace: METRICS.namespace, serviceName: service });
  metrics.addDimensions(dimensions);
  metrics.addMetric(METRICS.machinesOffline, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
