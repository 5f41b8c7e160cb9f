import { collections } from '#shared/organizations/filtered.ts';
import { type Caller, isAdmin, isAllowed, refusalOf } from '#shared/platform/auth/permissions.ts';
import { describeFields, describeFilter } from '#shared/platform/filter/describe.ts';
import type { Filter, FilteredEntity } from '#shared/platform/filter/filter.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { EVERYBODY, SavedFilter, type StoredSavedFilter, savedFilters } from '#shared/platform/filter/saved-filter.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { ApiError, conflict, fixedLimit, notFound } from '#shared/platform/runtime/errors.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { filterRoutes } from './routes.ts';
import { assertFollowing, assertUnused, assertWithoutRules, follow, withUsers } from './users.ts';
import { valuesOf } from './values.ts';

type Routes = typeof filterRoutes;

const MAX_SAVED = 500;

/** The collection of an entity. @throws insufficient_scope for an API key that may not list its records */
function collectionFor(caller: Caller, entity: FilteredEntity) {
  const collection = collections[entity];
  const { access } = collection;
  if (!isAllowed(caller, access)) throw new ApiError('insufficient_scope', refusalOf(caller, access));
  return collection;
}

async function checkFilter({ table, caller, body: { entity, filter: given } }: Call<Routes['checkFilter']>) {
  const { fields, page } = collectionFor(caller, entity);
  const { filter, within: matching } = await readMatching({ table, caller }, { entity, fields }, given);
  const one = { paginateFrom: 0, paginateSize: 1 };
  const [fitting, all] = await Promise.all([page?.(table, { ...one, matching }), page?.(table, one)]);
  const { text, values } = describeFilter(filter, await fields());
  const cost = { values, blocks: Math.ceil((all?.totalCount ?? 0) / RECORDS_A_BLOCK) };
  const { totalCount = null, truncated } = fitting ?? {};
  return { filter, text, count: totalCount, ...(truncated && { truncated }), cost };
}

/** Records for which the index has one row of a value (docs/store.md). */
const RECORDS_A_BLOCK = 4_320;

/** @throws not_found, also for a private filter of somebody else */
async function readSaved(table: Table, caller: Caller, id: string): Promise<StoredSavedFilter> {
  const saved = await table.get(savedFilters, id, true);
  if (saved.visibility === 'private' && saved.createdBy.id !== caller.id) throw notFound('saved-filter', id);
  return saved;
}

/** @throws conflict for a filter of somebody else, and with a part for one that rules of the whole organization use */
async function ownSaved(table: Table, caller: Caller, id: string): Promise<StoredSavedFilter> {
  const saved = await readSaved(table, caller, id);
  const isAdministrator = !table.part && isAdmin(caller, collections[saved.entity].area);
  if (saved.createdBy.id !== caller.id && !isAdministrator)
    throw conflict('Only its creator or an administrator changes a saved filter.');
  if (table.part) await assertWithoutRules(table, saved);
  return saved;
}

async function createSaved({ table, caller, body }: Call<Routes['createSavedFilter']>) {
  const { fields } = collectionFor(caller, body.entity);
  await readMatching({ table, caller }, { entity: body.entity, fields }, body.filter);
  const { totalCount } = await table.list(savedFilters, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_SAVED) throw fixedLimit('An organization', MAX_SAVED, 'saved filters');
  return shown(table, await table.create(savedFilters, body));
}

async function updateSaved({ connections, table, caller, params, body, ifMatch }: Call<Routes['updateSavedFilter']>) {
  const saved = await ownSaved(table, caller, params.id);
  const view = await shown(table, saved);
  const changes = mergePatch(SavedFilter, view, { patch: body, ifMatch });
  if (!changes) {
    // a request that was broken off may have left rules behind
    await follow({ connections, table }, caller, saved);
    return view;
  }
  const { entity, filter, visibility } = { ...saved, ...changes };
  if (visibility === 'private') assertUnused(view, 'private');
  if (entity !== saved.entity) throw conflict('The entity of a saved filter stays: save another filter.');
  await readMatching({ table, caller }, { entity, fields: collectionFor(caller, entity).fields }, filter);
  if (changes.filter !== undefined) await assertFollowing(table, caller, { ...saved, filter });
  const updated = await table.update(savedFilters, saved, changes);
  await follow({ connections, table }, caller, updated);
  return shown(table, updated);
}

/** The records that begin and cease to fit with a change of a saved filter; each list is exact as any list is. */
async function previewSaved({ table, caller, params, body }: Call<Routes['previewSavedFilter']>) {
  const saved = await readSaved(table, caller, params.id);
  const { fields, page } = collectionFor(caller, saved.entity);
  if (!page) throw conflict(`A list of ${saved.entity} has no counts: read it with each of the two filters.`);
  const filtered = { entity: saved.entity, fields };
  const [now, then] = await Promise.all(
    [saved.filter, body.filter].map((one) => readMatching({ table, caller }, filtered, one)),
  );
  const side = async (fitting: typeof now, without: typeof now) => {
    const all: Filter[] = [fitting?.filter ?? [], without ? { not: without.filter } : []].flat();
    const matching: Marked = { all: [fitting?.within ?? 'everything', { not: without?.within ?? 'everything' }] };
    const { data, totalCount, truncated } = await page(table, { paginateFrom: 0, paginateSize: MAX_LISTED, matching });
    const ids = data.map(({ id }) => id);
    return { count: totalCount, ids, filter: { all }, ...(truncated && { truncated }) };
  };
  const [begin, cease] = await Promise.all([side(then, now), side(now, then)]);
  return { begin, cease, usedBy: (await shown(table, saved)).usedBy };
}

/** Records that a preview names; the filter beside them lists all. */
const MAX_LISTED = 20;

async function shown(table: Table, saved: StoredSavedFilter): Promise<SavedFilter> {
  const [view] = await withUsers(table, [saved]);
  return view ?? { ...saved, usedBy: [] };
}

export const filterHandlers: Handlers<Routes> = {
  checkFilter,

  listFilterFields: async ({ caller, query }) => describeFields(await collectionFor(caller, query.entity).fields()),

  listFilterValues: ({ table, caller, query }) => valuesOf(table, collectionFor(caller, query.entity), query),

  listSavedFilters: ({ table, caller, query: { entity, ...page } }) =>
    showPage(table.list(savedFilters, { ...page, where: { entity, seenBy: [EVERYBODY, caller.id] } }), (some) =>
      withUsers(table, some),
    ),

  createSavedFilter: createSaved,
  getSavedFilter: async ({ table, caller, params }) => shown(table, await readSaved(table, caller, params.id)),
  updateSavedFilter: updateSaved,
  async deleteSavedFilter({ table, caller, params }) {
    const saved = await ownSaved(table, caller, params.id);
    assertUnused(await shown(table, saved), 'deleted');
    return table.delete(savedFilters, saved);
  },
  previewSavedFilter: previewSaved,
};
