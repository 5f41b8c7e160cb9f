import * as z from 'zod';
import { Severity } from '#shared/reports/report/report.ts';

/** The open findings of a repository or branch by severity. */
export const OpenFindings = z.record(Severity, z.int().nonnegative()).meta({ description: 'open or in progress' });
