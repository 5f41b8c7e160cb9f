import { AssetExportResult } from '#shared/assets/export.ts';
import { ExportResult } from '#shared/findings/export.ts';
import type { Results } from '#shared/jobs/results.ts';
import { VulnerabilityExportResult } from '#shared/vulnerabilities/export.ts';

export const results = {
  export_findings: ExportResult,
  export_assets: AssetExportResult,
  export_vulnerabilities: VulnerabilityExportResult,
} satisfies Results;
