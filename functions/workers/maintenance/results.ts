import * as z from 'zod';
import type { Results } from '#shared/jobs/results.ts';

const RekeyResult = z.object({ seen: z.int(), rewritten: z.int() }).meta({ id: 'RekeyResult' });

const VerifyResult = z
  .object({
    records: z.int(),
    unsettled: z.int(),
    differences: z.array(z.record(z.string(), z.unknown())).meta({ description: 'the first 100 wrong rows' }),
  })
  .meta({ id: 'VerifyResult' });

const AuditResult = z
  .object({
    changes: z.int(),
    hash: z.string(),
    broken: z.int().nullable().meta({ description: 'the number from which the log is not as it was written' }),
  })
  .meta({ id: 'AuditResult' });

const DeletedOrganizationResult = z
  .object({
    rows: z.int().meta({ description: 'of the table' }),
    objects: z.int().meta({ description: 'of the bucket' }),
    passes: z.int().meta({ description: 'times that everything was read; the last found nothing' }),
    mentions: z.record(z.string(), z.int()).meta({
      description: 'rows of others that name the organization and stay, by their kind: the audit log of the provider',
    }),
  })
  .meta({ id: 'DeletedOrganizationResult' });

export const results = {
  maintenance_rekey: RekeyResult,
  maintenance_verify: VerifyResult,
  audit_verify: AuditResult,
  delete_organization: DeletedOrganizationResult,
} satisfies Results;
