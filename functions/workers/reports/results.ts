import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const ReportResult = objectNamed('ReportResult', {
  reportId: z.uuid(),
  kept: z.boolean().meta({ description: 'false: nothing had changed, and the schedule keeps only reports of changes' }),
});

export const results = { make_report: ReportResult } satisfies Results;
