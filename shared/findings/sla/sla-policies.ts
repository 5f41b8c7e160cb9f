import * as z from 'zod';
import { type Asset, assets, CRITICALITIES, tagsOf } from '#shared/assets/asset/asset.ts';
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
    days: z.partialRecord(Severity, Days).meta({
      description: 'days for the severities of the exception; 0: no due date',
      example: { critical: 2, high: 7 },
    }),
  })
  .refine(({ tags, criticalities }) => tags.length + criticalities.length > 0, {
    path: ['tags'],
    message: 'must name a tag, unless criticalities name one: for all assets change `days` beside `exceptions`',
  });

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

type Traits = Pick<Asset, 'criticality' | 'tags' | 'ruleTags' | 'internetExposed' | 'links' | 'ruleLinks' | 'importId'>;

/** The policies with the assets of findings that `learnTraits` has read. */
export type Sla = { policies: SlaPolicies; assets: Map<string, Traits> };

export const readSla = async (table: Table): Promise<Sla> => ({
  policies: await readPolicies(table),
  assets: new Map(),
});

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
  for (const { id, ...traits } of await table.findMany(assets, missing, consistent)) known.set(id, traits);
}

type Dated = Pick<StoredFinding, 'severity'> & OnAsset;

/** The due date by policy of a finding that is open since `since`, for a record whose date nobody chose. */
export function dueFields(sla: Sla, finding: Dated, since: string): Pick<StoredFinding, 'dueAt' | 'dueChosen'> {
  const { policies, assets: known } = sla;
  const dueAt = after(since, daysFor(policies, finding.severity, known.get(finding.asset.id)));
  // the mark distinguishes it from a date that a person chose in a release without marks
  return { dueAt, dueChosen: dueAt === after(since, DEFAULT_DAYS[finding.severity]) ? undefined : false };
}

function daysFor({ days, exceptions }: SlaPolicies, severity: Severity, asset: Traits | undefined): number {
  const fits = ({ tags, criticalities }: SlaPolicies['exceptions'][number]) =>
    asset !== undefined &&
    (tags.length === 0 || tags.some((tag) => tagsOf(asset).includes(tag))) &&
    (criticalities.length === 0 || criticalities.includes(asset.criticality));
  const exception = exceptions.find((one) => one.days[severity] !== undefined && fits(one));
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
