import { nowMs } from './clock.ts';

/** The names of the service's own metrics in CloudWatch; the stack's alarms use the same names. */
export const METRICS = 'Exposure';
export const MACHINES_OFFLINE = 'MachinesWentOffline';
export const SLOW_REQUESTS = 'SlowRequests';
export const SIGNING_KEY_AGE = 'SigningKeyAgeDays';

type Metric = typeof MACHINES_OFFLINE | typeof SLOW_REQUESTS | typeof SIGNING_KEY_AGE;

/**
 * Fields that make a line of the log a measurement too, without a call that could fail. The dimensions separate the
 * deployments of an account, by their `table`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const embeddedMetric = (Name: Metric, count: number, dimensions: { table: string; kind?: string }) => ({
  _aws: {
    Timestamp: nowMs(),
    CloudWatchMetrics: [
      { Namespace: METRICS, Dimensions: [Object.keys(dimensions)], Metrics: [{ Name, Unit: 'Count' }] },
    ],
  },
  ...dimensions,
  [Name]: count,
});
