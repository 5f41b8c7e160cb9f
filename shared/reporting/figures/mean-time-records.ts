import * as z from 'zod';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';

const Count = z.int().nonnegative();

const Seconds = z.int().nonnegative();

const Estimate = Seconds.meta({
  description:
    'an estimate: times are counted in ranges, of which four double the time; times below a minute are one range',
});

const Measure = z
  .object({
    meanSeconds: Seconds.meta({ description: 'exact' }),
    medianSeconds: Estimate,
    p90Seconds: Estimate,
    count: z.int().positive(),
  })
  .meta({
    id: 'MeanTimeMeasure',
    example: { meanSeconds: 93_600, medianSeconds: 79_321, p90Seconds: 188_660, count: 12 },
  });
export type Measure = z.infer<typeof Measure>;

const four = {
  timeToDetect: Measure.nullable(),
  timeToAcknowledge: Measure.nullable(),
  timeToContain: Measure.nullable(),
  timeToRemediate: Measure.nullable(),
};
const FourMeasures = z.object(four);
export type FourMeasures = z.infer<typeof FourMeasures>;

const Change = z.number().nullable();

export const MeanTimeMetrics = objectNamed('MeanTimeMetrics', {
  period: z.object({ from: Timestamp, to: Timestamp }),
  ...four,
  bySeverity: z.record(Severity, FourMeasures),
  openAge: Measure.nullable(),
  trend: z
    .array(
      z.object({
        date: z.iso.date(),
        meanSeconds: Seconds.nullable(),
        count: Count,
        links: figureLinks.links.optional().meta({ description: 'of vulnerabilities only' }),
      }),
    )
    .meta({ description: 'time to remediate per day of the period, oldest first' }),
  change: z.object({ d7: Change, d30: Change, d90: Change }),
  ...figureLinks,
});
export type MeanTimeMetrics = z.infer<typeof MeanTimeMetrics>;
/** The mean times without the lists of the counted records. */
export type MeanTimes = Omit<MeanTimeMetrics, 'links'>;

export const MeanTimeOverview = objectNamed('MeanTimeOverview', {
  findings: MeanTimeMetrics,
  vulnerabilities: MeanTimeMetrics,
  alerts: MeanTimeMetrics,
  incidents: MeanTimeMetrics,
});
export type MeanTimeOverview = z.infer<typeof MeanTimeOverview>;
