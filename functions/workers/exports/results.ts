import { AssetExportResult } from '#shared/assets/asset/export.ts';
import { ExportResult } from '#shared/platform/exports/export.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { EventExportResult } from '#shared/soc/hunting/export.ts';
import { VulnerabilityExportResult } from '#shared/vulnerabilities/vulnerability/export.ts';

export const results = {
  export_findings: ExportResult,
  export_assets: AssetExportResult,
  export_events: EventExportResult,
  export_vulnerabilities: VulnerabilityExportResult,
} satisfies Results;
