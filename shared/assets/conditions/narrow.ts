import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import type { Bits } from '#shared/platform/table/layout/bits.ts';
import { seenIn } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assets } from '../asset/asset.ts';

const RETIRED: Marked = { name: 'retired', values: ['true'] };

type Seen = Pick<Table, 'dynamo' | 'tenant' | 'part'>;

/** The assets with a combination of values, by their current marks; of those that a caller with a part sees. */
export const assetBits = ({ dynamo, tenant, part }: Seen, marked: Marked): Promise<Bits> =>
  combinedBits(
    { dynamo, tenant, entity: assets, consistent: true },
    part ? { all: [marked, seenIn(assets, part)] } : marked,
  );

/** The assets of these that are not retired. */
export const present = (marked: Marked): Marked => ({ all: [marked, { not: RETIRED }] });

export const presentBits = (table: Seen, marked: Marked): Promise<Bits> => assetBits(table, present(marked));
