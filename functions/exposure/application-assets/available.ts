import { assets } from '#shared/assets/asset/asset.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { presentBits } from '#shared/assets/conditions/narrow.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { both, countOf, newestOf } from '#shared/platform/table/layout/bits.ts';
import { markedBits } from '#shared/platform/table/marked.ts';
import { type PageRange, pageNumbers } from '#shared/platform/table/paging.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Query = PageRange & { search?: string | undefined };

/** A page of the assets that the application neither links nor excludes: two round trips at any offset. */
export async function availableAssets(table: Table, applicationId: string, { search, ...range }: Query) {
  const values = [applicationId];
  const [free, found] = await Promise.all([
    presentBits(table, {
      not: {
        any: [
          { name: 'application', values },
          { name: 'excluded', values },
        ],
      },
    }),
    search === undefined ? undefined : markedBits({ ...table, entity: assets }, { search }),
  ]);
  const bits = found ? both(free, found.bits) : free;
  const page = newestOf(bits, { from: range.paginateFrom, size: range.paginateSize });
  const data = (await recordsAt(table, assets, page)).sort((a, b) => (a.id < b.id ? 1 : -1));
  return showPage({ data, ...pageNumbers(range, countOf(bits)) }, (some) => assetViews(table, some));
}
