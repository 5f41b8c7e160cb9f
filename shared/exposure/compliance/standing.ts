import * as z from 'zod';
import { Timestamp } from '#shared/platform/http/records.ts';

const Count = z.int().nonnegative();

/** Where a framework stands; the dashboard shows the same of each. */
export const FrameworkStanding = z
  .object({
    id: z.string().meta({ example: 'owasp-top-10-2021' }),
    name: z.string(),
    version: z.string(),
    controls: z.object({ total: Count, passed: Count, failed: Count, notAssessed: Count }),
    score: z.int().min(0).max(100).nullable().meta({
      description: 'passed controls of those that passed or failed, in per cent, rounded down; null: none is',
    }),
  })
  .meta({ id: 'FrameworkStanding' });

export const ComplianceSummary = z
  .object({
    asOf: Timestamp,
    frameworks: z.array(FrameworkStanding),
    failedControls: Count.meta({ description: 'of all frameworks together' }),
    change30d: z.int().nullable().meta({
      description:
        'failed controls less those of 30 days ago, which are noted once a day; null: there is no note of that day',
    }),
  })
  .meta({ id: 'ComplianceSummary' });
