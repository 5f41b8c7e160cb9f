import type { Fields } from '#shared/platform/filter/fields.ts';
import { assertRuleFilter, type RuleFilter } from '#shared/platform/filter/rule.ts';
import { givenFilters } from '#shared/platform/filter/rule-filter.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Ready, readyCompiler } from '../branches/tried-rules.ts';
import { findingFilter } from '../finding/filter-fields.ts';
import { OPEN_STATUSES } from '../finding/finding-status.ts';
import type { ReadyRule } from './decide.ts';
import { type SuppressionRule, suppressionRules } from './suppression-rule.ts';

/** The most rules of an organization: every new finding is compared with all of them. */
export const MAX_RULES = 200;

/** All current rules of an organization in their order. */
export async function readRules(table: Table): Promise<ReadyRule[]> {
  const rules = await recordsOf(table, suppressionRules);
  return rules.length === 0 ? [] : inOrder(await readyRules(rules));
}

/** The rules, ready to be tried on findings. */
export async function readyRules(rules: readonly SuppressionRule[]): Promise<ReadyRule[]> {
  const compile = await readyCompiler(suppressionFields);
  return rules.map((rule) => ({ ...rule, ...compile(filtersOf(rule)) }));
}

/** The fields of filters of rules: those that no rule changes. */
export async function suppressionFields(): Promise<Fields> {
  const { status, suppressedBy, acceptanceEnds, updated, ...fields } = await findingFilter.fields();
  return fields;
}

/**
 * @param at the path of the rule in the request, with a dot behind it
 * @throws validation_failed for a rule that has no condition, or a filter that is none
 */
export async function assertConditions(rule: Pick<SuppressionRule, 'conditions' | 'filter'>, at = ''): Promise<void> {
  const { conditions, filter } = rule;
  if (filter == null && Object.keys(conditions).length === 0) throw invalid(`${at}conditions`, NO_CONDITION);
  if (filter != null) await assertRuleFilter(suppressionFields, filter, `${at}filter`);
}

const NO_CONDITION = 'must have at least one of ruleId, tool, path, host, cve, assetTag, unless there is a filter';

/** The conditions and the filter of a rule, which all hold. */
export function filtersOf({ conditions, filter }: Pick<SuppressionRule, 'conditions' | 'filter'>): RuleFilter[] {
  const { ruleId, tool, path, host, cve, assetTag } = conditions;
  const equals = { rule: ruleId, tool, cve, 'asset.tag': assetTag };
  // a pattern of asterisks also meets what has no path
  const matches = { path: path?.replaceAll('*', '') === '' ? undefined : path, host };
  const leaves = (values: Record<string, string | undefined>, operator: 'equals' | 'matches') =>
    Object.entries(values).flatMap(([field, value]) => (value === undefined ? [] : [{ field, operator, value }]));
  return [...leaves(equals, 'equals'), ...leaves(matches, 'matches'), ...givenFilters({ filter })];
}

export const inOrder = <R extends SuppressionRule>(rules: readonly R[]): R[] =>
  rules.toSorted((a, b) => a.order - b.order || (a.createdAt < b.createdAt ? -1 : 1));

/** The findings that the rule may concern, as far as the index knows; default: open ones. */
export const ruleSelection = (
  { compiled }: Ready,
  where: Selection['where'] = { status: OPEN_STATUSES },
): Selection => ({
  where,
  matching: compiled.within,
});
