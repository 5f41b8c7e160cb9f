import { nowMs } from './clock.ts';

/** The names of the service's own metrics in CloudWatch; the stack's alarms use the same names. */
export const METRICS = {
  namespace: 'Exposure',
  machinesOffline: 'MachinesWentOffline',
  slowRequests: 'SlowRequests',
} as const;

/** The dimensions that tell the deployments of an account apart, and the kinds of machines. */
export const machineDimensions = (table: string, kind: string) => ({ table, kind });
export const requestDimensions = (table: string) => ({ table });

type Metric = Exclude<keyof typeof METRICS, 'namespace'>;

/**
 * Fields that make a line of the log a measurement too, which needs no call and cannot fail.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const embeddedMetric = (metric: Metric, count: number, dimensions: Record<string, string>) => ({
  _aws: {
    Timestamp: nowMs(),
    CloudWatchMetrics: [
      {
        Namespace: METRICS.namespace,
        Dimensions: [Object.keys(dimensions)],
        Metrics: [{ Name: METRICS[metric], Unit: 'Count' }],
      },
    ],
  },
  ...dimensions,
  [METRICS[metric]]: count,
});
