import * as z from 'zod';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import type { Fields } from '#shared/platform/filter/fields.ts';
import { FilterText } from '#shared/platform/filter/filter-text.ts';
import { namedFilter } from '#shared/platform/filter/read.ts';
import { assertRuleFilter, type RuleFilter, seenStored } from '#shared/platform/filter/rule.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { DAY_MS, now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Comparison } from '#shared/reports/report/comparison.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { branchFindings } from '../branches/branch-finding.ts';
import { assetsBehind, meets, readyCompiler } from '../branches/tried-rules.ts';
import { findingFilter } from '../finding/filter-fields.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';
import type { FindingRow } from '../view/view.ts';
import { type KeptComparison, type Listed, noCounts } from './comparison.ts';

/** The conditions under which an import passes. */
export const Gate = z
  .strictObject({
    failOn: Severity.default('high').meta({ description: 'findings of this severity, or above, fail the gate' }),
    newOnly: z
      .boolean()
      .default(true)
      .meta({ description: 'false: findings that the base branch also has fail the gate too' }),
    maxAgeDays: z
      .int()
      .min(0)
      .max(3650)
      .optional()
      .meta({ description: 'an older open finding fails the gate, even if it is not new' }),
    filter: FilterText.optional().meta({
      description:
        'only findings that fit this filter fail the gate, such as `asset.tag:prod -tag:accepted` (docs/filters.md)',
    }),
    filterId: Id.optional().meta({ description: 'a saved filter of findings, instead of `filter` or beside it' }),
  })
  .meta({ id: 'Gate', example: { failOn: 'high', newOnly: true } });
export type Gate = z.infer<typeof Gate>;
export type ReadyGate = Omit<Gate, 'filter' | 'filterId'> & { filters?: readonly RuleFilter[] };

export const GateResult = objectNamed('GateResult', {
  passed: z.boolean(),
  reasons: z.array(z.string()).meta({ description: 'why it did not pass' }),
  baseRef: z.string().nullable(),
  new: Comparison.shape.new,
  findings: z
    .array(
      z.object({
        id: Id,
        title: z.string(),
        severity: Severity,
        isNew: z.boolean(),
        location: z.string(),
        ruleId: z.string(),
        firstSeenAt: Timestamp,
        link: z.string(),
      }),
    )
    .meta({ description: 'the worst 20 findings that failed the gate' }),
});
export type GateResult = z.infer<typeof GateResult>;

type Failing = Listed & { row: FindingRow };

const MAX_SHOWN = 20;

type Judged = KeptComparison & {
  /** The open findings that a decision settles but that do not follow it yet. */
  decidedOnes: (rows: readonly FindingRow[]) => Promise<ReadonlySet<string>>;
};

/**
 * Judges an import by the current state of its findings: a finding that was triaged since then no longer fails it. Of
 * each severity the import lists 200 new and 200 other findings; further findings count with their state at the import, also
 * where the gate has a filter.
 */
export async function judge(table: Table, gate: ReadyGate, judged: Judged): Promise<GateResult> {
  const { comparison, listed } = judged;
  const severities = Severity.options.slice(0, Severity.options.indexOf(gate.failOn) + 1);
  const asked = listed.filter(({ severity }) => severities.includes(severity));
  const rows = await fittingRows(table, gate, [...(await presentRows(table, asked)).values()]);
  const fitting = rows.filter(({ status, severity }) => isOpen(status) && severities.includes(severity));
  const open = failingOnes(asked, fitting, await judged.decidedOnes(fitting));
  const gone = asked.filter(({ id }) => !open.some((one) => one.id === id));
  const isNew = lessGone(
    comparison.new,
    gone.filter((one) => one.isNew),
  );
  const existing = lessGone(
    comparison.existing,
    gone.filter((one) => !one.isNew),
  );
  const oldest =
    gate.maxAgeDays === undefined ? '' : new Date(Date.parse(now()) - gate.maxAgeDays * DAY_MS).toISOString();
  const old = open.filter(({ row }) => row.firstSeenAt < oldest);
  const shown = new Set([...open.filter((one) => one.isNew || !gate.newOnly), ...old]);
  const reasons = [
    ...reasonOf(severities, isNew, 'new'),
    ...(gate.newOnly ? [] : reasonOf(severities, existing, 'existing')),
    ...(old.length > 0 ? [`${old.length} open for more than ${gate.maxAgeDays} days`] : []),
  ];
  const { baseRef } = comparison;
  const passed = reasons.length === 0;
  const findings = worstFirst([...shown])
    .slice(0, MAX_SHOWN)
    .map(shownOf);
  return { passed, reasons, baseRef, new: isNew, findings };
}

/** The fields of filters of gates: those that need no details of findings. */
async function gateFields(): Promise<Fields> {
  const { path, host, ...fields } = await findingFilter.fields();
  return fields;
}

/** @throws validation_failed for a filter that a gate cannot have */
export const assertGateFilter = (filter: RuleFilter, name?: string): Promise<void> =>
  assertRuleFilter(gateFields, filter, name);

/**
 * A gate with its filters: its own, and the saved one.
 * @param at the path of the gate in the request, with a dot behind it
 * @throws validation_failed for a filter that is none
 */
export async function readyGate(
  { table, caller }: { table: Table; caller: Caller },
  { filter, filterId, ...gate }: Gate,
  at = '',
): Promise<ReadyGate> {
  if (filter !== undefined) await assertGateFilter(filter, `${at}filter`);
  if (filterId === undefined) return { ...gate, filters: filter === undefined ? [] : [filter] };
  const saved = await namedFilter({ table, caller }, { id: filterId, entity: 'finding' }, at);
  await assertGateFilter(saved, `${at}filterId`);
  return { ...gate, filters: [filter ?? [], saved].flat() };
}

async function fittingRows(
  table: Table,
  { filters = [] }: ReadyGate,
  rows: readonly FindingRow[],
): Promise<readonly FindingRow[]> {
  if (filters.length === 0) return rows;
  const rule = (await readyCompiler(gateFields))(filters);
  const behind = await assetsBehind(table, [rule], rows);
  return rows.filter((row) => meets(rule, seenStored(row, { behind: behind.get(row.asset.id) })));
}

const rank = ({ severity }: Listed) => Severity.options.indexOf(severity);

const worstFirst = <T extends Listed>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => rank(a) - rank(b) || b.priority - a.priority);

function failingOnes(asked: readonly Listed[], open: readonly FindingRow[], decided: ReadonlySet<string>): Failing[] {
  const rows = new Map(open.map((row) => [row.id, row]));
  return asked.flatMap((one) => {
    const row = decided.has(one.id) ? undefined : rows.get(one.id);
    return row ? [{ ...one, row }] : [];
  });
}

/** A gate cannot pass an import that did not come to its end. */
export const failedGate = (reason: string): GateResult => ({
  passed: false,
  reasons: [reason],
  baseRef: null,
  new: noCounts(),
  findings: [],
});

/** The new findings of a report that are still open, worst first and whole. */
export async function newOf(table: Table, listed: readonly Listed[], most: number): Promise<StoredFinding[]> {
  const asked = worstFirst(listed.filter(({ isNew }) => isNew));
  const found = await eachAtOnce(asked.slice(0, most), AT_ONCE, async ({ id }) => {
    const [merged, beside] = await Promise.all([table.find(findings, id), table.find(branchFindings, id)]);
    return merged ?? beside ?? [];
  });
  return found.flat().filter(({ status }) => isOpen(status));
}

const AT_ONCE = 8;

async function presentRows(table: Table, listed: readonly Listed[]): Promise<Map<string, FindingRow>> {
  const ids = listed.map(({ id }) => id);
  const rows = await Promise.all([findings, branchFindings].map((entity) => table.findMany(entity, ids, true)));
  return new Map(rows.flat().map((row) => [row.id, row]));
}

function lessGone(counts: Comparison['new'], gone: readonly Listed[]): Comparison['new'] {
  const left = { ...counts };
  for (const { severity } of gone) left[severity] -= 1;
  return left;
}

function reasonOf(severities: readonly Severity[], counts: Comparison['new'], kind: string): string[] {
  return severities.flatMap((severity) => (counts[severity] > 0 ? [`${counts[severity]} ${kind} ${severity}`] : []));
}

const shownOf = ({ row, isNew }: Failing): GateResult['findings'][number] => ({
  id: row.id,
  title: row.title,
  severity: row.severity,
  isNew,
  location: row.location,
  ruleId: row.ruleId,
  firstSeenAt: row.firstSeenAt,
  link: `/api/v1/findings/${row.id}`,
});
