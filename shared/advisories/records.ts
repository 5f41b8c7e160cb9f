import * as z from 'zod';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

const Rating = z.object({ vector: z.string(), score: z.number().min(0).max(10), source: z.string() });

/** The entry of one vulnerability in a database: its ratings by version of CVSS, and the versions that repair it. */
export const AdvisoryRecord = z.object({
  id: z.string(),
  /** The time from the publisher. */
  modifiedAt: z.string(),
  cvss: z.object({ v2: Rating.optional(), v3: Rating.optional(), v4: Rating.optional() }),
  /** The first version of a product that is not affected. */
  fixed: z.array(z.object({ vendor: z.string(), product: z.string(), version: z.string() })),
});
export type AdvisoryRecord = z.infer<typeof AdvisoryRecord>;

/** In the global key scope: each vulnerability is kept once for the whole deployment. */
export const advisoryRows = defineRow<AdvisoryRecord, Pick<AdvisoryRecord, 'id'>>({
  name: 'advisory',
  about: 'what NVD says of a vulnerability: ratings, and versions that repair it',
  key: ({ id }) => [id],
});

/** By id; half a read unit each. A vulnerability that no feed has is absent. */
export async function readAdvisories(dynamo: Dynamo, ids: readonly string[]): Promise<Map<string, AdvisoryRecord>> {
  const rows = await openTable(dynamo, GLOBAL_SCOPE)
    .rows(advisoryRows)
    .findMany([...new Set(ids)].map((id) => ({ id })));
  return new Map(rows.map((row) => [row.id, row]));
}
