import { assetBits } from '#shared/assets/conditions/narrow.ts';
import type { Application, StoredApplication } from '#shared/exposure/applications/application.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { countOf } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';

const AT_ONCE = 50;

/** Applications with how many assets belong to them: a unit each for up to 35,000 assets. */
export const applicationViews = (table: Table, some: readonly StoredApplication[]): Promise<Application[]> =>
  eachAtOnce(some, AT_ONCE, async ({ environments, ...application }) => {
    const { id } = application;
    const linked = { name: 'application', values: [id] };
    const counts = { assets: countOf(await assetBits(table, linked)), environments: environments.length };
    // the list of environments has no pages
    const lists = { assets: filtered('/api/v1/assets')(`application:${id}`), environments: null };
    return { ...application, ...withLists(counts, lists) };
  });
