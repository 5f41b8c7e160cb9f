import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const RekeyResult = z.object({ seen: z.int(), rewritten: z.int() }).meta({ id: 'RekeyResult' });

const VerifyResult = objectNamed('VerifyResult', {
  records: z.int(),
  unsettled: z.int(),
  differences: z.array(z.record(z.string(), z.unknown())).meta({ description: 'the first 100 wrong rows' }),
});

const AuditResult = objectNamed('AuditResult', {
  changes: z.int(),
  hash: z.string(),
  broken: z.int().nullable().meta({ description: 'the number from which the log is not as it was written' }),
});

const DeletedOrganizationResult = objectNamed('DeletedOrganizationResult', {
  rows: z.int().meta({ description: 'of the table' }),
  objects: z.int().meta({ description: 'of the bucket' }),
  passes: z.int().meta({ description: 'how often the task read everything; the last time it found nothing' }),
  mentions: z.record(z.string(), z.int()).meta({
    description: 'rows of others that name the organization and stay, by their kind: the audit log of the provider',
  }),
});

const digest = z.string().meta({ description: 'the sum of the SHA-256 digests of the rows, in their first 16 bytes' });

const CopiedOrganizationResult = z
  .object({ copyId: z.uuid(), rows: z.int(), objects: z.int(), digest })
  .meta({ id: 'CopiedOrganizationResult' });

const RestoredOrganizationResult = objectNamed('RestoredOrganizationResult', {
  rows: z.int().meta({ description: 'of the table, that were written and read again' }),
  objects: z.int().meta({ description: 'of the bucket' }),
  passes: z.int().meta({ description: 'how often the task read everything to remove existing data' }),
  digest,
  taken: z.record(z.string(), z.int()).meta({
    description:
      'rows that lead to the organization, such as sources of webhooks, that another organization has meanwhile, by kind',
  }),
  secrets: z
    .object({
      replaced: z.int().meta({ description: 'secrets that were replaced or disabled since the copy, and stay so' }),
      notRestored: z.int().meta({ description: 'secrets that were revoked or removed since the copy, and stay so' }),
      named: z
        .array(z.object({ kind: z.string(), id: z.string(), name: z.string().optional() }))
        .meta({ description: 'the first 100 of those that were not restored' }),
    })
    .meta({ description: 'none for a deleted organization: its secrets come back from the copy' }),
});

export const results = {
  maintenance_rekey: RekeyResult,
  maintenance_verify: VerifyResult,
  audit_verify: AuditResult,
  delete_organization: DeletedOrganizationResult,
  copy_organization: CopiedOrganizationResult,
  restore_organization: RestoredOrganizationResult,
} satisfies Results;
