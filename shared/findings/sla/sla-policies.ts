import * as z from 'zod';
import { type Asset, assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { conditionFields } from '#shared/assets/asset/filter-fields.ts';
import type { Fields } from '#shared/platform/filter/fields.ts';
import type { Test } from '#shared/platform/filter/on-record.ts';
import { assertRuleFilter, ruleCompiler, seen, withSaved } from '#shared/platform/filter/rule.ts';
import { FilterIdField, givenFilters, RuleFilterField } from '#shared/platform/filter/rule-filter.ts';
import { Id, objectNamed, readOnly } from '#shared/platform/http/records.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { dueSince, type StatusFields } from '../finding/finding-status.ts';

const Days = z.int().min(0).max(3650);

const DEFAULT_DAYS = { critical: 7, high: 30, medium: 90, low: 180, info: 0 };

const TimesToFix = z
  .object({
    critical: Days.default(DEFAULT_DAYS.critical),
    high: Days.default(DEFAULT_DAYS.high),
    medium: Days.default(DEFAULT_DAYS.medium),
    low: Days.default(DEFAULT_DAYS.low),
    info: Days.default(DEFAULT_DAYS.info),
  })
  .meta({ description: 'days by severity; 0: no due date' });

const Exception = z
  .object({
    name: z.string().trim().min(1).max(120).meta({ example: 'payment systems' }),
    tags: z.array(z.string().min(1).max(120)).max(20).default([]).meta({
      description: 'assets with one of these tags; empty: all assets',
    }),
    criticalities: z
      .array(z.enum(CRITICALITIES))
      .max(CRITICALITIES.length)
      .default([])
      .meta({
        description: 'assets of one of these criticalities; empty: all assets',
        example: ['critical'],
      }),
    filter: RuleFilterField.meta({
      description:
        'a filter of assets as text or JSON, as in conditions of rules for tags; the other conditions apply too',
    }),
    filterId: FilterIdField,
    days: z.partialRecord(Severity, Days).meta({
      description: 'days for the severities of the exception; 0: no due date',
      example: { critical: 2, high: 7 },
    }),
  })
  .refine(
    ({ tags, criticalities, filter, filterId }) =>
      tags.length + criticalities.length > 0 || (filter ?? filterId) != null,
    {
      path: ['tags'],
      message:
        'must name a tag, unless criticalities name one or there is a filter: for all assets change `days` beside `exceptions`',
    },
  );

const MAX_EXCEPTIONS = 50;

/**
 * The days within which a finding should be fixed. The first exception that matches the asset and names the severity
 * applies.
 */
export const SlaPolicies = objectNamed('SlaPolicies', {
  days: TimesToFix.default(DEFAULT_DAYS),
  exceptions: z.array(Exception).max(MAX_EXCEPTIONS).default([]),
  version: readOnly(z.int().nonnegative()),
  taskId: readOnly(Id.nullable().meta({ description: 'the task that last applied these policies to due dates' })),
});
export type SlaPolicies = z.infer<typeof SlaPolicies>;

/** An organization without a row has the defaults. */
export const slaRows = defineRow<SlaPolicies, object>({
  name: 'sla-policies',
  about: 'within how many days findings should be fixed, where the organization changed it',
  key: () => ['all'],
});

export const DEFAULT_POLICIES: SlaPolicies = { days: DEFAULT_DAYS, exceptions: [], version: 0, taskId: null };

export const readPolicies = async (table: Table): Promise<SlaPolicies> =>
  (await table.rows(slaRows).find({}, true)) ?? DEFAULT_POLICIES;

type Traits = Pick<
  Asset,
  'criticality' | 'tags' | 'ruleTags' | 'ownerId' | 'internetExposed' | 'links' | 'ruleLinks' | 'importId'
>;

/** @throws validation_failed for a filter that is none */
export async function assertExceptions({ exceptions = [] }: Partial<SlaPolicies>, at = ''): Promise<void> {
  for (const [n, { filter }] of exceptions.entries())
    if (filter != null) await assertRuleFilter(exceptionFields, filter, `${at}exceptions.${n}.filter`);
}

/** The policies, whose exceptions have the saved filters that they name. @throws validation_failed */
export async function withSavedExceptions<P extends Partial<SlaPolicies>>(
  table: Table,
  policies: P,
  at = '',
): Promise<P> {
  const { exceptions } = policies;
  if (!exceptions) return policies;
  const named = await Promise.all(
    exceptions.map((rule, n) => withSaved(table, 'asset', { rule, given: rule, at: `${at}exceptions.${n}.` })),
  );
  await assertExceptions({ exceptions: named }, at);
  return { ...policies, exceptions: named };
}

/** The fields of filters of exceptions: branches are not known everywhere. */
async function exceptionFields(): Promise<Fields> {
  const { branch, ...fields } = await conditionFields();
  return fields;
}

/** The policies with the assets of findings that `learnTraits` has read. */
export type Sla = { policies: SlaPolicies; assets: Map<string, Traits>; tests?: readonly Test[] };

export async function readSla(table: Table, instead?: SlaPolicies): Promise<Sla> {
  const policies = instead ?? (await readPolicies(table));
  return { policies, assets: new Map(), tests: await testsOf(policies) };
}

/** The exceptions in their order, ready to be tried on assets. */
export async function testsOf({ exceptions }: SlaPolicies): Promise<Test[]> {
  if (exceptions.length === 0) return [];
  const compile = await ruleCompiler(exceptionFields);
  return exceptions.map((exception) => {
    const among = (field: string, value: string[]) =>
      value.length > 0 ? [{ field, operator: 'in' as const, value }] : [];
    const { tags, criticalities } = exception;
    return compile(...among('tag', tags), ...among('criticality', criticalities), ...givenFilters(exception)).test;
  });
}

type OnAsset = { asset: Pick<StoredFinding['asset'], 'id'> };

/** Reads the assets of findings that need a due date. Reads nothing without an exception. */
export const learnForDates = async (table: Table, sla: Sla, dated: readonly OnAsset[]): Promise<void> =>
  sla.policies.exceptions.length > 0 ? learnTraits(table, sla, dated) : undefined;

/** Reads the assets of findings that need a rating, each once. */
export async function learnTraits(
  table: Table,
  { assets: known }: Pick<Sla, 'assets'>,
  dated: readonly OnAsset[],
  consistent = false,
): Promise<void> {
  const missing = [...new Set(dated.map(({ asset }) => asset.id))].filter((id) => !known.has(id));
  if (missing.length === 0) return;
  for (const asset of await table.findMany(assets, missing, consistent)) known.set(asset.id, asset);
}

type Dated = Pick<StoredFinding, 'severity'> & OnAsset;

/** The due date by policy of a finding that is open since `since`, for a record whose date nobody chose. */
export function dueFields(sla: Sla, finding: Dated, since: string): Pick<StoredFinding, 'dueAt' | 'dueChosen'> {
  const dueAt = after(since, daysFor(sla, finding.severity, sla.assets.get(finding.asset.id)));
  // the mark distinguishes it from a date that a person chose in a release without marks
  return { dueAt, dueChosen: dueAt === after(since, DEFAULT_DAYS[finding.severity]) ? undefined : false };
}

function daysFor({ policies, tests = [] }: Sla, severity: Severity, asset: Traits | undefined): number {
  const { days, exceptions } = policies;
  const current = asset && seen(assets, asset);
  const exception = current && exceptions.find((one, n) => one.days[severity] !== undefined && tests[n]?.(current));
  return exception?.days[severity] ?? days[severity];
}

const after = (since: string, days: number): string | undefined =>
  days === 0 ? undefined : new Date(Date.parse(since) + days * DAY_MS).toISOString();

/**
 * Whether a person chose the date. A record without the mark is of an earlier release, or has the date of the default
 * policies: a person chose any other date.
 */
export const isDueChosen = (finding: StatusFields & Pick<StoredFinding, 'severity' | 'dueAt' | 'dueChosen'>): boolean =>
  finding.dueChosen ?? finding.dueAt !== after(dueSince(finding), DEFAULT_DAYS[finding.severity]);
