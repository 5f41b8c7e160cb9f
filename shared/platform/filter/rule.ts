import { isDeepStrictEqual } from 'node:util';
import { currentDay } from '../runtime/clock.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity, Stored } from '../table/entity.ts';
import { marksOf } from '../table/layout/marks.ts';
import { originOf } from '../table/layout/record.ts';
import type { Table } from '../table/table.ts';
import type { Compiled } from './compile.ts';
import type { Filtered } from './fields.ts';
import type { Filter, FilteredEntity } from './filter.ts';
import type { Seen } from './on-record.ts';

/** A record as rules see it before it is stored. */
export function seen<T extends Stored, D extends keyof T>(entity: Entity<T, D>, record: object, more?: object): Seen {
  let marks: string[] | undefined;
  return {
    facts: { ...record, ...more },
    marks: () => {
      marks ??= marksOf(entity, record as T);
      return marks;
    },
  };
}

/** The same of a record that was read. */
export const seenStored = (record: object, more?: object): Seen => ({
  facts: { ...record, ...more },
  marks: () => originOf(record).contribution().marks,
});

/** The filter of a rule as text or as JSON. */
export type RuleFilter = string | Filter;

/** The filters of rules that were saved, ready to be tried on records. Ages are those of today. */
export async function ruleCompiler(
  fields: Filtered['fields'],
  unsure: readonly string[] = [],
): Promise<(...given: RuleFilter[]) => Compiled> {
  const { compileStored } = await import('./language.ts');
  const known = await fields();
  return (...given) => compileStored(given, known, { today: currentDay(), rule: { stored: true, unsure } });
}

/** The members of a rule that name its filter. */
type Filtering = { filter?: RuleFilter | null | undefined; filterId?: string | null | undefined };

type Following<R> = {
  rule: R;
  /** The members that the request sends. */
  given: Filtering;
  /** The name of the member that takes the copy, and the path of the rule in the request with a dot behind it. */
  copy?: string;
  at?: string;
};

/**
 * A rule with a copy of the saved filter that it names.
 * @throws validation_failed
 */
export async function withSaved<R extends Filtering>(
  table: Table,
  entity: FilteredEntity,
  { rule, given, copy = 'filter', at = '' }: Following<R>,
): Promise<R> {
  if (rule.filterId == null) return rule;
  const { sharedFilter } = await import('./language.ts');
  const saved = await sharedFilter(table, { id: rule.filterId, entity });
  if ('problem' in saved) throw invalid(`${at}filterId`, saved.problem);
  const { filter } = saved;
  if (given.filter != null && !isDeepStrictEqual(given.filter, filter))
    throw invalid(`${at}${copy}`, 'must be left out: the rule has the filter of filterId');
  return { ...rule, filter };
}

/** @throws validation_failed for a filter that a rule cannot have */
export async function assertRuleFilter(fields: Filtered['fields'], given: RuleFilter, name = 'filter'): Promise<void> {
  const { readFilter } = await import('./language.ts');
  const read = readFilter(given, await fields(), { today: currentDay(), rule: {} });
  if ('problem' in read) throw invalid([name, ...(read.path ?? [])].join('.'), read.problem);
}
