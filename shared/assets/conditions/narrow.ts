import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import type { Bits } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assets } from '../asset/asset.ts';

const RETIRED: Marked = { name: 'retired', values: ['true'] };

/** The assets with a combination of values, by their current marks. */
export const assetBits = ({ dynamo, tenant }: Pick<Table, 'dynamo' | 'tenant'>, marked: Marked): Promise<Bits> =>
  combinedBits({ dynamo, tenant, entity: assets, consistent: true }, marked);

/** The assets of these that are not retired. */
export const present = (marked: Marked): Marked => ({ all: [marked, { not: RETIRED }] });

export const presentBits = (table: Pick<Table, 'dynamo' | 'tenant'>, marked: Marked): Promise<Bits> =>
  assetBits(table, present(marked));
