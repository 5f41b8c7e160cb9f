import { assets, tagsOf } from '#shared/assets/asset/asset.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { OPEN_STATUSES } from '../finding/finding-status.ts';
import { toolKey } from '../finding/finding-words.ts';
import type { FindingRow } from '../view/view.ts';
import { isActive } from './decide.ts';
import { statedDocuments } from './stated-document.ts';
import { type RuleConditions, type SuppressionRule, suppressionRules } from './suppression-rule.ts';

/** The most rules of an organization: every new finding is compared with all of them. */
export const MAX_RULES = 200;

/** All current rules of an organization in their order. */
export async function readRules(table: Table): Promise<SuppressionRule[]> {
  const rules = await recordsOf(table, suppressionRules);
  return inOrder(rules);
}

export const inOrder = (rules: readonly SuppressionRule[]): SuppressionRule[] =>
  rules.toSorted((a, b) => a.order - b.order || (a.createdAt < b.createdAt ? -1 : 1));

/** The rules and VEX documents that decided on findings before these followed their vulnerabilities, if they still exist. */
export async function currentRules(
  table: Table,
  found: readonly Pick<FindingRow, 'follows'>[],
  at: string,
): Promise<Set<string>> {
  const former = new Set(found.flatMap(({ follows }) => follows?.was.suppressedBy?.id ?? []));
  if (former.size === 0) return new Set();
  const [rules, documents] = await Promise.all([
    readRules(table),
    table.rows(statedDocuments).findMany([...former].map((id) => ({ id }))),
  ]);
  return new Set([...rules.filter((rule) => isActive(rule, at)), ...documents].map(({ id }) => id));
}

/** The tags of the assets of findings, by the assets' ids; read only if a rule uses tags. */
export async function readAssetTags(
  table: Table,
  rules: readonly SuppressionRule[],
  found: readonly Pick<FindingRow, 'asset'>[],
): Promise<Map<string, readonly string[]>> {
  if (!rules.some(({ conditions }) => conditions.assetTag !== undefined)) return new Map();
  const read = await table.findMany(assets, [...new Set(found.map(({ asset }) => asset.id))], true);
  return new Map(read.map((asset) => [asset.id, tagsOf(asset)]));
}

/** The findings that may match these conditions, as far as the index knows; default: open ones. */
export const ruleSelection = (
  { ruleId, tool, cve }: RuleConditions,
  more: Selection['where'] = { status: OPEN_STATUSES },
): Selection => ({ where: { ruleId, tool: tool && toolKey(tool), cve: cve?.toUpperCase(), ...more } });
