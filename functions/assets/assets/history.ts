import * as z from 'zod';
import { assetFields, assets } from '#shared/assets/asset/asset.ts';
import type { AssetField } from '#shared/assets/asset/asset-field.ts';
import { assetHistory } from '#shared/exposure/asset-actions/asset-history.ts';
import { byRecord } from '#shared/platform/feed/audit.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { readAudit } from '#shared/platform/feed/read-audit.ts';
import { numberIn } from '#shared/platform/http/pagination.ts';
import { Actor, Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { isMade } from '#shared/platform/table/changes.ts';
import type { Table } from '#shared/platform/table/table.ts';

export const AssetHistoryQuery = z.object({
  before: numberIn(z.int().positive()).optional().meta({ description: '`next` of the previous answer' }),
  limit: numberIn(z.int().min(1).max(500))
    .default(100)
    .meta({ description: 'maximum number of changes in the answer' }),
});
type Query = z.infer<typeof AssetHistoryQuery>;

const AssetChange = objectNamed('AssetChange', {
  version: z.int().positive().meta({ description: 'the version of the asset after the change' }),
  at: Timestamp,
  by: Actor,
  kind: z.enum(['created', 'updated', 'deleted']).meta({ description: '`deleted`: merged into another one' }),
  operation: z.string().meta({
    description: 'the operation, the task or the timer that made the change',
    example: 'updateAsset',
  }),
  taskId: Id.nullable(),
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).partial()).meta({
    description: 'a new asset has no `from`',
    example: { criticality: { from: 'medium', to: 'critical' } },
  }),
  otherFields: z.array(z.string()).meta({ description: 'other changed fields, whose values are not kept' }),
  reason: z.string().nullable().meta({ description: 'the task of a merge or of its undoing' }),
});

export const AssetHistory = objectNamed('AssetHistory', {
  data: z.array(AssetChange),
  next: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: 'send it as `before` to get the next page; null: there are no more' }),
});
type AssetHistory = z.infer<typeof AssetHistory>;

/** Parts of the log that an answer looks at: scans move `lastSeenAt` of neighbours each day, and nobody asks for that. */
const MAX_PARTS = 5;

const MAX_MERGES = 500;

/** Who changed which field of an asset, from the change log; the reasons of merges are there too. */
export async function listAssetHistory(table: Table, id: string, { before, limit }: Query): Promise<AssetHistory> {
  await table.get(assets, id);
  const merges = await table.rows(assetHistory).query(id, { limit: MAX_MERGES });
  const ofVersion = new Map(merges.map((merge) => [merge.version, merge]));
  const data: AssetHistory['data'] = [];
  let next: number | null | undefined = before;
  for (let part = 0; part < MAX_PARTS && next !== null && data.length < limit; part++) {
    const query = { of: byRecord('asset', id), before: next };
    const page = await readAudit(table, query, {
      limit: limit - data.length,
      fits: (announced) => isShown(announced, id),
    });
    data.push(...page.data.flatMap((announced) => shownChange(announced, ofVersion)));
    next = page.next;
  }
  return { data, next: next ?? null };
}

const isShown = ({ change }: Announced, id: string): boolean =>
  change?.entity === 'asset' &&
  change.id === id &&
  (Object.keys(change.fields).length > 0 || namesOf(change.masked).length > 0);

const FIELDS = new Map<string, AssetField>(Object.entries(assetFields));

/** The fields under the names that an asset is answered with. */
function namesOf(masked: readonly string[]): string[] {
  const named = masked.flatMap((name) => {
    const { shown = false, feed } = FIELDS.get(name) ?? {};
    if (shown === false || feed === 'quiet') return [];
    return shown === true ? name : shown;
  });
  return [...new Set(named)];
}

type Merges = ReadonlyMap<number, { changes: AssetHistory['data'][number]['changes']; reason: string }>;

function shownChange({ entry, change }: Announced, merges: Merges): AssetHistory['data'] {
  if (!change || !isMade(change)) return [];
  const { version, kind, fields, masked } = change;
  const merge = merges.get(version);
  const changes = { ...fields, ...merge?.changes };
  const { operation, taskId = null } = entry.cause;
  const otherFields = namesOf(masked).filter((name) => !(name in changes));
  return [
    {
      version,
      at: entry.at,
      by: entry.by,
      kind,
      operation,
      taskId,
      changes,
      otherFields,
      reason: merge?.reason ?? null,
    },
  ];
}
