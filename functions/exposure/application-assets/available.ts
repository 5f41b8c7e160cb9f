import { assets } from '#shared/assets/asset/asset.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { presentBits } from '#shared/assets/conditions/narrow.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { countOf, newestOf } from '#shared/platform/table/layout/bits.ts';
import { markedOf } from '#shared/platform/table/match.ts';
import { type PageRange, pageNumbers } from '#shared/platform/table/paging.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Query = PageRange & { search?: string | undefined };

/** A page of the assets that the application neither links nor excludes: two round trips at any offset. */
export async function availableAssets(table: Table, applicationId: string, { search, ...range }: Query) {
  const values = [applicationId];
  const taken: Marked[] = ['application', 'excluded'].map((name) => ({ name, values }));
  const bits = await presentBits(table, { all: [markedOf({ search }), { not: { any: taken } }] });
  const page = newestOf(bits, { from: range.paginateFrom, size: range.paginateSize });
  const data = (await recordsAt(table, assets, page)).sort((a, b) => (a.id < b.id ? 1 : -1));
  return showPage({ data, ...pageNumbers(range, countOf(bits)) }, (some) => assetViews(table, some));
}
