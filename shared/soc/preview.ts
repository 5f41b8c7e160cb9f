import * as z from 'zod';
import { previewOf } from '../findings/many/preview-each.ts';
import { Id } from '../http/records.ts';
import { Severity } from '../reports/report.ts';

const Sample = z.object({ id: Id, title: z.string(), severity: Severity, status: z.string() });

/** The answer to a dry run of a change of many alerts or incidents. */
export const changePreview = (records: string) => previewOf(records, Sample);

export const changeSample = ({ id, title, severity, status }: z.infer<typeof Sample>) => ({
  ...{ id, title, severity, status },
});
