import type { Caller } from '../auth/permissions.ts';
import { Id } from '../http/records.ts';
import { currentDay } from '../runtime/clock.ts';
import { invalid } from '../runtime/errors.ts';
import type { Marked } from '../table/combined.ts';
import type { Table } from '../table/table.ts';
import type { Filtered } from './fields.ts';
import type { Filter } from './filter.ts';
import { FilterText } from './filter-text.ts';

/** The parameters of lists that take a filter. */
export const filterParameters = {
  filter: FilterText.optional().meta({
    description:
      'a filter such as `severity:critical,high -tool:trivy due<7d log4j "remote code"`, or the same as JSON; the other ' +
      'parameters apply too. `GET /api/v1/filters/fields` names the fields, docs/filters.md explains the language',
  }),
  filterId: Id.optional().meta({ description: 'a saved filter, instead of `filter` or beside it' }),
};

/** The same, of lists whose records have an assignee or an owner. */
export const teamFilterParameters = {
  ...filterParameters,
  teamId: Id.optional().meta({ description: 'of this team or one of its members, as `team:` in a filter' }),
};

type Asked = { filter?: string | Filter | undefined; filterId?: string | undefined; teamId?: string | undefined };
type Asking = { table: Table; caller: Caller };

/**
 * A query or a body with the condition of its filters in their place.
 * @throws validation_failed that says why a filter is none
 */
export async function withMatching<Q extends Asked>(
  { table, caller }: Asking,
  filtered: Filtered,
  { filter, filterId, teamId, ...rest }: Q,
): Promise<Omit<Q, keyof Asked> & { matching?: Marked }> {
  if (filter === undefined && filterId === undefined && teamId === undefined) return rest;
  const saved = filterId === undefined ? [] : [await namedFilter({ table, caller }, { ...filtered, id: filterId })];
  const ofTeam: Filter[] = teamId === undefined ? [] : [{ field: 'team', operator: 'equals', value: teamId }];
  const given = [filter ?? [], saved, ofTeam].flat();
  const read = await Promise.all(given.map((one) => readMatching({ table, caller }, filtered, one)));
  return { ...rest, matching: { all: read.map(({ within }) => within) } };
}

/** The saved filter that a request names. @throws not_found, validation_failed */
export async function namedFilter(
  { table, caller }: { table: Table; caller: Pick<Caller, 'id'> },
  named: { id: string; entity: Filtered['entity'] },
  at = '',
): Promise<string | Filter> {
  const { savedFilter } = await import('./language.ts');
  const saved = await savedFilter(table, caller, named);
  if ('problem' in saved) throw invalid(`${at}filterId`, saved.problem);
  return saved.filter;
}

/** The same for the filter of a body, which may have none. */
export const bodyMatching = async <Q extends Asked, B extends { filter?: Q | undefined }>(
  asking: Asking,
  filtered: Filtered,
  body: B,
) => ({ ...body, filter: body.filter && (await withMatching(asking, filtered, body.filter)) });

/** @throws validation_failed that says at which column a text is wrong */
export async function readMatching(
  { table, caller }: { table?: Table; caller: Pick<Caller, 'id'> },
  filtered: Filtered,
  given: string | Filter,
) {
  const { readFilter, teamsIn } = await import('./language.ts');
  const fields = await filtered.fields();
  const asking = { callerId: caller.id, today: currentDay() };
  const first = readFilter(given, fields, asking);
  const named = 'problem' in first ? undefined : teamsIn(first.filter, fields);
  const read = named
    ? readFilter(given, fields, { ...asking, teams: table ? await named.peopleOf(table, named.ids) : new Map() })
    : first;
  if ('problem' in read) throw invalid(['filter', ...(read.path ?? [])].join('.'), read.problem);
  return read;
}
