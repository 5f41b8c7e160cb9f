import * as z from 'zod';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { FindingAsset, findings } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type BreachRecord, breachRecords } from './breach-record.ts';
import type { StoredCredential } from './exposed-credential.ts';

export const PLACES = ['findings', 'branch_findings', 'breaches'] as const;

export const CredentialPlace = objectNamed('ExposedCredentialPlace', {
  id: Id.meta({ description: 'of the finding, or of the record of a breach' }),
  tool: z.string(),
  asset: FindingAsset.nullable(),
  location: z.string(),
  ref: z.string().nullable(),
  status: z.enum(FINDING_STATUSES).nullable(),
  firstSeenAt: Timestamp,
});
type CredentialPlace = z.infer<typeof CredentialPlace>;

const ofFinding = ({ id, tool, asset, location, ref, status, firstSeenAt }: FindingRow): CredentialPlace => ({
  id,
  tool,
  asset,
  location,
  status,
  firstSeenAt,
  ref: ref ?? null,
});

type BreachRow = Omit<BreachRecord, 'createdBy'>;

const ofBreach = ({ id, breach, location, firstSeenAt }: BreachRow): CredentialPlace => ({
  id,
  tool: breach,
  asset: null,
  location: location ?? '',
  ref: null,
  status: null,
  firstSeenAt,
});

/** A page of the places of a credential. */
export function placesOf(
  table: Table,
  { key }: Pick<StoredCredential, 'key'>,
  { in: where, ...page }: PageRange & { in: (typeof PLACES)[number] },
) {
  const asked = { ...page, where: { credential: key } };
  if (where === 'breaches') return showEach(table.list(breachRecords, asked), ofBreach);
  return showEach(table.list(where === 'findings' ? findings : branchFindings, asked), ofFinding);
}
