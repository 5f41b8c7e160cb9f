import * as z from 'zod';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';

const Count = z.int().nonnegative();

/** The state of a framework; the dashboard shows the same for each framework. */
export const FrameworkStanding = objectNamed('FrameworkStanding', {
  id: z.string().meta({ example: 'owasp-top-10-2021' }),
  name: z.string(),
  version: z.string(),
  controls: z.object({ total: Count, passed: Count, failed: Count, notAssessed: Count }),
  score: z.int().min(0).max(100).nullable().meta({
    description:
      'the percentage of passed controls among the passed and failed controls, rounded down; null: no control passed or failed',
  }),
  ...figureLinks,
});

export const ComplianceSummary = objectNamed('ComplianceSummary', {
  asOf: Timestamp,
  frameworks: z.array(FrameworkStanding),
  failedControls: Count.meta({ description: 'of all frameworks together' }),
  change30d: z.int().nullable().meta({
    description:
      'failed controls minus the failed controls of 30 days ago; recorded once a day; null: no record of that day',
  }),
  ...figureLinks,
});
