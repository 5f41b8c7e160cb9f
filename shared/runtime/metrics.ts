import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Where CloudWatch keeps what the service counts of itself; the stack's alarms read the same names. */
export const METRICS = {
  namespace: 'Exposure',
  service: 'exposure',
  machinesOffline: 'MachinesWentOffline',
} as const;

/** Of one deployment and one kind of machine. */
export const machineDimensions = (table: string, kind: string) => ({ service: METRICS.service, table, kind });

/** Written as a line of the log in CloudWatch's embedded metric format: no call, and nothing that can fail. */
export function countOffline(tableName: string, kind: string, count: number): void {
  const { service, ...dimensions } = machineDimensions(tableName, kind);
  const metrics = new Metrics({ namespace: METRICS.namespace, serviceName: service });
  metrics.addDimensions(dimensions);
  metrics.addMetric(METRICS.machinesOffline, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
