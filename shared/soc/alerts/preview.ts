import * as z from 'zod';
import { previewOf } from '#shared/findings/bulk/preview.ts';
import { Id } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';

const Sample = z.object({ id: Id, title: z.string(), severity: Severity, status: z.string() });

/** The answer to a dry run of a change of many alerts or incidents. */
export const ChangePreview = previewOf(Sample);

export const changeSample = ({ id, title, severity, status }: z.infer<typeof Sample>) => ({
  id,
  title,
  severity,
  status,
});
