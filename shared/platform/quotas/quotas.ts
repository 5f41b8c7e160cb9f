import * as z from 'zod';
import { ApiError } from '../runtime/errors.ts';

const GIBIBYTE = 1024 ** 3;

/** A kind of places. One row of an organization has all holders of a kind. */
export type PlaceKind = 'tasks' | 'uploads' | 'link-tokens' | 'service-accounts' | 'imports' | 'exports';

/** How much of something an organization may have at one time. */
export type Quota = {
  /** Unless staff set another for the organization. */
  limit: number;
  /** The limits that staff may set. A row of places must stay small: each change writes it whole. */
  lowest: number;
  highest: number;
  /** The counted things, as they follow a number. */
  unit: string;
  /** The event by which some become free, as it follows `when`. */
  free: string;
  /**
   * How usage is counted: the places of a kind or their amounts, or the memory of the function instance. `time`:
   * nothing is used up; the number is how long something is kept.
   */
  kept: { kind: PlaceKind; by: 'places' | 'amount' } | 'memory' | 'time';
};

const TASKS_FREE = 'enough of them have ended';
const UPLOADS_FREE = 'an upload is used or has expired';

/** Every quota: limits, messages, `GET /api/v1/config` and the operation of staff are made from this list. */
export const QUOTAS = {
  waitingTasks: {
    limit: 200_000,
    lowest: 0,
    highest: 5_000_000,
    unit: 'tasks of scanners and appliances that wait or run',
    free: TASKS_FREE,
    kept: { kind: 'tasks', by: 'amount' },
  },
  openUploads: {
    limit: 1_000,
    lowest: 0,
    highest: 2_000,
    unit: 'open uploads',
    free: UPLOADS_FREE,
    kept: { kind: 'uploads', by: 'places' },
  },
  openUploadBytes: {
    limit: 100 * GIBIBYTE,
    lowest: 0,
    highest: 2_000 * GIBIBYTE,
    unit: 'bytes of open uploads',
    free: UPLOADS_FREE,
    kept: { kind: 'uploads', by: 'amount' },
  },
  linkTokens: {
    limit: 500,
    lowest: 0,
    highest: 2_000,
    unit: 'link tokens that can be used',
    free: 'one is used up, revoked or has expired',
    kept: { kind: 'link-tokens', by: 'places' },
  },
  serviceAccounts: {
    limit: 500,
    lowest: 0,
    highest: 2_000,
    unit: 'service accounts that work',
    free: 'one is revoked or has expired',
    kept: { kind: 'service-accounts', by: 'places' },
  },
  runningImports: {
    limit: 1_000,
    lowest: 0,
    highest: 2_000,
    unit: 'imports that wait or run',
    free: 'one has ended',
    kept: { kind: 'imports', by: 'places' },
  },
  runningExports: {
    limit: 20,
    lowest: 0,
    highest: 1_000,
    unit: 'exports that wait or run',
    free: 'one has ended',
    kept: { kind: 'exports', by: 'places' },
  },
  siemRetentionDays: {
    limit: 30,
    lowest: 1,
    highest: 400,
    unit: 'days for which the events of logs are kept',
    free: 'a day is over',
    kept: 'time',
  },
  requestsPerSecond: {
    limit: 1_000,
    // so few are admitted without reading the limit
    lowest: 10,
    highest: 100_000,
    unit: 'requests in this second',
    free: 'the next second begins',
    kept: 'memory',
  },
  heldRequests: {
    limit: 200,
    lowest: 1,
    highest: 10_000,
    unit: 'requests that wait with waitSeconds',
    free: 'one of them is answered',
    kept: 'memory',
  },
} as const satisfies Record<string, Quota>;

type QuotaName = keyof typeof QUOTAS;
export const quotaNames = Object.keys(QUOTAS) as QuotaName[];

/** A count kept in memory is one of the function instance that answers; the others hold in the whole service. */
export const describeQuota = ({ unit, kept }: Quota): string =>
  `most ${unit}${kept === 'memory' ? ', per function instance' : ''}`;

const limitField = (quota: Quota) =>
  z
    .int()
    .min(quota.lowest)
    .max(quota.highest)
    .default(quota.limit)
    .meta({ description: describeQuota(quota) });

type LimitFields = Record<QuotaName, ReturnType<typeof limitField>>;

/** The limits of an organization, which staff of the provider set. */
export const OrganizationLimits = z
  .object(Object.fromEntries(quotaNames.map((name) => [name, limitField(QUOTAS[name])])) as LimitFields)
  .meta({ id: 'OrganizationLimits' });
export type OrganizationLimits = z.infer<typeof OrganizationLimits>;

const RAISED_BY =
  'Administrators get a higher limit by another plan, or from the provider of the service: GET /api/v1/billing.';

type Excess = { limit: number; used: number; wanted: number; until?: string | undefined };

/** The refusal of what would exceed a quota: of what, how much, until when, and who may raise the limit. */
export function limitExceeded(name: QuotaName, { limit, used, wanted, until }: Excess): ApiError {
  const { unit, free }: Quota = QUOTAS[name];
  const more = `${wanted} more ${wanted === 1 ? 'is' : 'are'} needed`;
  const time = until === undefined ? '' : `, at the latest at ${until}`;
  const message = `Too many ${unit}: ${used} of ${limit} are used, and ${more}. Try again when ${free}${time}. ${RAISED_BY}`;
  return new ApiError('limit_exceeded', message, { details: [{ path: name, message: `${used} of ${limit}` }] });
}
