import { onAsset } from '#shared/assets/asset/on-asset.ts';
import { type Ready, readyCompiler } from '#shared/findings/branches/tried-rules.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import type { Filtered } from '#shared/platform/filter/fields.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';
import { givenFilters } from '#shared/platform/filter/rule-filter.ts';
import { vulnerabilityFilter } from '#shared/vulnerabilities/vulnerability/filter-fields.ts';
import type { TicketConditions, TicketRule, TicketSubjectType } from './ticket-rule.ts';

/** The collection from which tickets of a kind are opened: tickets of fixes come from vulnerabilities. */
export const isOfFindings = (type: TicketSubjectType): boolean => type === 'finding';

/** The records from which tickets of a kind are opened, with their fields. */
export const filteredBy = (type: TicketSubjectType): Filtered =>
  isOfFindings(type) ? findingFilter : vulnerabilityFilter;

/** The conditions as filters, which all hold. */
function filtersOf(conditions: TicketConditions): Filter[] {
  const { severities, minPriority, minEpss, kev, tool, ruleId, advisory, tag, applicationId, asset } = conditions;
  const named = (field: string, value: string | undefined): Leaf[] =>
    value === undefined ? [] : [{ field, operator: 'equals', value }];
  const least = (field: string, value = 0): Leaf[] =>
    value === 0 ? [] : [{ field, operator: 'within', value: `${value}..` }];
  return [
    ...(severities ? [{ field: 'severity', operator: 'in' as const, value: severities }] : []),
    ...[...least('priority', minPriority), ...least('epss', minEpss), ...named('kev', kev && 'true')],
    ...[...named('tool', tool), ...named('rule', ruleId), ...named('cve', advisory), ...named('tag', tag)],
    ...named('application', applicationId),
    ...(asset ? [onAsset(asset)] : []),
  ];
}

export type ReadyRule = TicketRule & Ready;

type Selecting = Pick<TicketRule, 'conditions' | 'filter' | 'opensFor'>;

/** The rules, ready to be tried on records. */
export async function readyRules<R extends Selecting>(rules: readonly R[]): Promise<(R & Ready)[]> {
  const ofFindings = await readyCompiler(findingFilter.fields);
  const ofOthers = await readyCompiler(vulnerabilityFilter.fields);
  return rules.map((rule) => {
    const compile = isOfFindings(rule.opensFor) ? ofFindings : ofOthers;
    return { ...rule, ...compile([...filtersOf(rule.conditions), ...givenFilters(rule)]) };
  });
}
