import * as z from 'zod';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id } from '#shared/platform/http/records.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { CREDENTIAL_SOURCES, CREDENTIAL_STATUSES } from './exposed-credential.ts';

/** Each narrows a list of exposed credentials; they combine in any way. */
export const credentialFilters = {
  ...filterParameters,
  status: anyOf(z.enum(CREDENTIAL_STATUSES)).optional(),
  kind: anyOf(z.enum(CREDENTIAL_KINDS)).optional(),
  source: z.enum(CREDENTIAL_SOURCES).optional(),
  tool: z.string().min(1).max(120).optional().meta({ description: 'a scanner or a breach' }),
  verified: z.enum(['true', 'false', 'unknown']).optional().meta({ description: 'by the last check' }),
  assetId: Id.optional(),
  account: z.string().min(1).max(300).optional(),
};

type CredentialFilter = z.output<z.ZodObject<typeof credentialFilters>> & {
  search?: string | undefined;
  matching?: Marked;
};

/** The exposed credentials that fit a filter. */
export function credentialSelection({
  search,
  matching,
  verified,
  assetId,
  account,
  tool,
  ...same
}: CredentialFilter): Selection {
  const where = given({
    ...same,
    verified: verified === 'unknown' ? null : verified,
    asset: assetId,
    account: account?.toLowerCase(),
    tool: tool && toolKey(tool),
  });
  return {
    ...(Object.keys(where).length > 0 && { where }),
    ...(search !== undefined && { search }),
    ...(matching && { matching }),
  };
}
