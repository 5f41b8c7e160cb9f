import { ExportResult } from '#shared/findings/export.ts';
import type { Results } from '#shared/jobs/results.ts';

export const results = { export_findings: ExportResult } satisfies Results;
