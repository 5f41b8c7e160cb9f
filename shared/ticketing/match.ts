import { assets } from '#shared/assets/asset/asset.ts';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import { asksAsset, onAsset } from '#shared/assets/asset/on-asset.ts';
import { branchesOf } from '#shared/exposure/asset-rules/branches.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import type { Compiled } from '#shared/platform/filter/compile.ts';
import type { Filtered } from '#shared/platform/filter/fields.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';
import { ruleCompiler, seenStored } from '#shared/platform/filter/rule.ts';
import { givenFilters } from '#shared/platform/filter/rule-filter.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { vulnerabilityFilter } from '#shared/vulnerabilities/vulnerability/filter-fields.ts';
import type { TicketConditions, TicketRule, TicketSubjectType } from './ticket-rule.ts';

/** The collection from which tickets of a kind are opened: tickets of fixes come from vulnerabilities. */
export const isOfFindings = (type: TicketSubjectType): boolean => type === 'finding';

export const ticketFields = (type: TicketSubjectType): Filtered['fields'] =>
  (isOfFindings(type) ? findingFilter : vulnerabilityFilter).fields;

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

/** A rule that is ready to be tried on records. */
type Ready<R> = R & { compiled: Compiled; asksAsset: boolean };
export type ReadyRule = Ready<TicketRule>;

type Selecting = Pick<TicketRule, 'conditions' | 'filter' | 'opensFor'>;

export async function readyRules<R extends Selecting>(rules: readonly R[]): Promise<Ready<R>[]> {
  return Promise.all(
    rules.map(async (rule) => {
      const fields = await ticketFields(rule.opensFor)();
      const compile = await ruleCompiler(() => fields);
      const compiled = compile(...filtersOf(rule.conditions), ...givenFilters(rule));
      return { ...rule, compiled, asksAsset: asksAsset(fields, compiled.asks) };
    }),
  );
}

export type Assets = ReadonlyMap<string, AssetFacts>;

/** The assets of some records by their ids; read only if a rule uses them. */
export async function readAssets(table: Table, rules: readonly ReadyRule[], ids: readonly string[]): Promise<Assets> {
  const asking = rules.filter((rule) => rule.asksAsset);
  if (asking.length === 0) return new Map();
  const read = await table.findMany(assets, ids, true);
  const asksBranches = asking.some(({ compiled }) => compiled.asks.includes('asset.branch'));
  const branches = await branchesOf(table, read, { asksBranches });
  return new Map(read.map((asset) => [asset.id, { ...asset, branches: branches.get(asset.id) ?? [] }]));
}

/** Whether a record that was read meets a rule. A record of a deleted asset meets no rule that asks for the asset. */
export function meets(rule: ReadyRule, record: { asset: { id: string } }, around: Assets): boolean {
  const behind = around.get(record.asset.id);
  return (behind !== undefined || !rule.asksAsset) && rule.compiled.test(seenStored(record, { behind }));
}
