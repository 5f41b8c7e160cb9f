import * as z from 'zod';
import { exportInput } from '#shared/platform/exports/export.ts';

/** The formats that hold records of any kind. */
export const AssetExportFormat = z.enum(['csv', 'jsonl']);

/** The columns of an export: paths of fields of an asset as it is answered, and of its owner and its applications. */
export const ASSET_COLUMNS = [
  'id',
  'type',
  'name',
  'value',
  'zone',
  'criticality',
  'internetExposed',
  'ownerId',
  'tags',
  'status',
  'riskScore',
  'openFindings.critical',
  'openFindings.high',
  'openFindings.medium',
  'openFindings.low',
  'openFindings.info',
  'openVulnerabilities.critical',
  'openVulnerabilities.high',
  'openVulnerabilities.medium',
  'openVulnerabilities.low',
  'openVulnerabilities.info',
  'identifiers.ips',
  'identifiers.macs',
  'identifiers.hostnames',
  'identifiers.fqdns',
  'identifiers.machineIds',
  'identifiers.cloudResourceId',
  'identifiers.agentId',
  'identifiers.serialNumber',
  'identifiers.imageDigest',
  'cloud.provider',
  'cloud.accountId',
  'cloud.region',
  'os.family',
  'os.name',
  'os.version',
  'sources',
  'firstSeenAt',
  'lastSeenAt',
  'owner.name',
  'applications',
  'applicationIds',
] as const;

export const AssetExportInput = exportInput(AssetExportFormat, ASSET_COLUMNS);
export type AssetExportInput = z.infer<typeof AssetExportInput>;

/** The outcome of an export, in the `result` of its task. */
export const AssetExportResult = z
  .object({ assets: z.int(), sizeBytes: z.int(), format: AssetExportFormat })
  .meta({ id: 'AssetExportResult' });

export const EXPORT_ASSETS = { operation: 'export_assets' as const, unit: 'assets', result: AssetExportResult };
