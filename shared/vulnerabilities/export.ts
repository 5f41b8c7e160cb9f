import * as z from 'zod';
import type { Selection } from '../table/list.ts';

export const VulnerabilityExportFormat = z.enum(['csv', 'jsonl', 'vex']);

/** The columns of an export: paths of fields of a vulnerability in lists. */
export const VULNERABILITY_COLUMNS = [
  'id',
  'advisoryId',
  'aliases',
  'title',
  'severity',
  'status',
  'statusReason',
  'priority',
  'ssvc',
  'dueAt',
  'component.name',
  'component.version',
  'component.purl',
  'component.fixedVersions',
  'asset.type',
  'asset.name',
  'asset.zone',
  'asset.id',
  'cvss.v4.score',
  'cvss.v4.vector',
  'cvss.v3.score',
  'cvss.v3.vector',
  'epss.probability',
  'epss.percentile',
  'epss.date',
  'kev.addedAt',
  'kev.dueAt',
  'kev.ransomware',
  'acceptance.until',
  'acceptance.treatment',
  'acceptance.approver.name',
  'assignee.name',
  'findingsCount',
  'tools',
  'tags',
  'firstSeenAt',
  'fixedAt',
] as const;

export const VulnerabilityExportInput = z.object({
  format: VulnerabilityExportFormat,
  columns: z.array(z.enum(VULNERABILITY_COLUMNS)).optional(),
  selection: z.custom<Selection>(),
});
export type VulnerabilityExportInput = z.infer<typeof VulnerabilityExportInput>;

/** The outcome of an export, as its task has it in `result`. */
export const VulnerabilityExportResult = z
  .object({ vulnerabilities: z.int(), sizeBytes: z.int(), format: VulnerabilityExportFormat })
  .meta({ id: 'VulnerabilityExportResult' });

export const EXPORT_VULNERABILITIES = {
  operation: 'export_vulnerabilities' as const,
  unit: 'vulnerabilities',
  result: VulnerabilityExportResult,
};
