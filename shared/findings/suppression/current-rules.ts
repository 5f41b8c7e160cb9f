import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { FindingRow } from '../view/view.ts';
import { statedDocuments } from './stated-document.ts';
import { isActive, suppressionRules } from './suppression-rule.ts';

/** The rules and VEX documents that decided on findings before these followed their vulnerabilities, if they still exist. */
export async function currentRules(
  table: Table,
  found: readonly Pick<FindingRow, 'follows'>[],
  at: string,
): Promise<Set<string>> {
  const former = new Set(found.flatMap(({ follows }) => follows?.was.suppressedBy?.id ?? []));
  if (former.size === 0) return new Set();
  const [rules, documents] = await Promise.all([
    recordsOf(table, suppressionRules),
    table.rows(statedDocuments).findMany([...former].map((id) => ({ id }))),
  ]);
  return new Set([...rules.filter((rule) => isActive(rule, at)), ...documents].map(({ id }) => id));
}
