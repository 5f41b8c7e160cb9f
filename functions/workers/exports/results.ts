import { AssetExportResult } from '#shared/assets/export.ts';
import { ExportResult } from '#shared/findings/export.ts';
import type { Results } from '#shared/jobs/results.ts';

export const results = { export_findings: ExportResult, export_assets: AssetExportResult } satisfies Results;
