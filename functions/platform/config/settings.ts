import { COMPLETION_SECONDS } from '#shared/apex/completion.ts';
import { OrganizationSettings } from '#shared/credentials/organization-settings.ts';
import { DEFAULT_POLICIES, type SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { TOKEN_SECONDS } from '#shared/platform/auth/access-token.ts';
import { OVERLAP_SECONDS } from '#shared/platform/auth/credential.ts';
import { MAX_BODY_BYTES, MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { IDEMPOTENCY_SECONDS } from '#shared/platform/http/idempotency.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#shared/platform/http/pagination.ts';
import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { MAX_WAIT_SECONDS } from '#shared/platform/jobs/wait.ts';
import { describeQuota, type OrganizationLimits, QUOTAS, quotaNames } from '#shared/platform/quotas/quotas.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { MAX_INLINE_BYTES, MAX_UPLOAD_BYTES } from '#shared/reports/readers/decode.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { KEPT_SECONDS } from '#shared/scanning/agents/retention.ts';
import { LEASE_SECONDS, MAX_TASK_SECONDS } from '#shared/scanning/leases/lease.ts';
import { HEARTBEAT_SECONDS } from '#shared/scanning/machines/presence.ts';
import { knownVersions } from '#shared/scanning/scanners/versions.ts';
import type { ConfigItem } from './routes.ts';

const DAY_SECONDS = 86_400;

const integer = (key: string, value: number, description: string): ConfigItem => ({
  key,
  value,
  type: 'integer',
  source: 'default',
  description,
});

const duration = (key: string, seconds: number, description: string): ConfigItem => ({
  ...integer(key, seconds, description),
  type: 'duration',
});

const text = (key: string, value: string, source: ConfigItem['source'], description: string): ConfigItem => ({
  key,
  value,
  type: 'string',
  source,
  description,
});

/** A value that the deployment may set. */
const declared = (key: string, value: string | undefined, description: string): ConfigItem[] =>
  value === undefined ? [] : [text(key, value, 'deployment', description)];

function scannerVersions(settings: Settings): ConfigItem[] {
  const { recommended, minimum } = knownVersions(settings);
  return [
    ...declared('scanners.recommendedVersion', recommended, 'scanners of older versions are asked to upgrade'),
    ...declared('scanners.minimumVersion', minimum, 'scanners of older versions get no new tasks'),
  ];
}

/** For administrators of an organization whose deletion is approved. */
export const deletionItems = (deletionAt: string | undefined): ConfigItem[] =>
  deletionAt === undefined
    ? []
    : [
        text(
          'organization.deletionAt',
          deletionAt,
          'deployment',
          'the provider deletes this organization then; an administrator can cancel it: POST /api/v1/organization/deletion/cancel',
        ),
      ];

/** Every limit that a caller can meet, read from the constants that the service itself uses. */
export const configItems = (settings: Settings): ConfigItem[] => [
  text('service.version', VERSION, 'default', 'version of the interface'),
  text('service.baseUrl', settings.BASE_URL, 'deployment', 'address of the service for clients'),
  text('tokens.issuer', settings.TOKEN_ISSUER, 'deployment', 'issuer and audience of access tokens'),
  integer('pagination.defaultSize', DEFAULT_PAGE_SIZE, 'items of a page without paginateSize'),
  integer('pagination.maximumSize', MAX_PAGE_SIZE, 'largest paginateSize'),
  integer('requests.maximumBodyBytes', MAX_BODY_BYTES, 'largest request body, where an operation names no other'),
  integer(
    'requests.maximumReportBytes',
    MAX_REPORT_BYTES,
    'largest body of reports, batches and events; larger reports need an upload',
  ),
  duration('requests.idempotencyKept', IDEMPOTENCY_SECONDS, 'time for which an Idempotency-Key repeats its answer'),
  duration('tokens.valid', TOKEN_SECONDS, 'validity of an access token'),
  duration('secrets.overlap', OVERLAP_SECONDS, 'time for which a replaced secret works by default'),
  duration('tasks.kept', TASK_KEPT_SECONDS, 'time for which a task can be read after its last change'),
  duration('tasks.maximumWait', MAX_WAIT_SECONDS, 'largest waitSeconds'),
  integer('reports.maximumInlineBytes', MAX_INLINE_BYTES, 'largest decoded report inside a request'),
  integer('reports.maximumUploadBytes', MAX_UPLOAD_BYTES, 'largest uploaded report'),
  integer('uploads.partBytes', PART_BYTES, 'size of the parts in which larger files are uploaded'),
  duration('completions.kept', COMPLETION_SECONDS, 'time for which the answer of a model can be read'),
  duration(
    'scanners.lease',
    LEASE_SECONDS,
    'time without contact after which the task of a scanner is given to another',
  ),
  duration('scanners.maximumTask', MAX_TASK_SECONDS, 'longest time of a scanner for one task'),
  duration('scanners.heartbeat', HEARTBEAT_SECONDS, 'precision of the stored time of the last contact'),
  ...scannerVersions(settings),
  duration('agents.resources.minutesKept', KEPT_SECONDS.minute, 'how long samples can be read by the minute'),
  duration('agents.resources.hoursKept', KEPT_SECONDS.hour, 'how long samples can be read by the hour'),
  duration('agents.resources.daysKept', KEPT_SECONDS.day, 'how long samples can be read by the day'),
];

/** The settings that the organization of the caller may change, with those that it changed. */
export const organizationItems = (changed: Partial<OrganizationSettings>): ConfigItem[] =>
  Object.entries(OrganizationSettings.parse(changed)).map(([name, value]) => ({
    key: `organization.${name}`,
    value,
    type: typeof value === 'boolean' ? 'boolean' : 'integer',
    source: Object.hasOwn(changed, name) ? 'organization' : 'default',
    description: OrganizationSettings.shape[name as keyof OrganizationSettings].meta()?.description ?? '',
  }));

type Use = ReadonlyMap<string, number>;

/** The limits of the organization of the caller, with what of each is used now. */
export const quotaItems = (changed: Partial<OrganizationLimits>, use: Use): ConfigItem[] =>
  quotaNames.map((name) => ({
    ...integer(`limits.${name}`, changed[name] ?? QUOTAS[name].limit, describeQuota(QUOTAS[name])),
    source: changed[name] === undefined ? 'default' : 'organization',
    used: use.get(name) ?? 0,
  }));

/** The times to fix of the organization of the caller, without the exceptions of its SLA policies. */
export const timesToFix = ({ days }: SlaPolicies): ConfigItem[] =>
  Severity.options.flatMap((severity) => {
    const item = duration(
      `findings.due.${severity}`,
      days[severity] * DAY_SECONDS,
      `time to fix a ${severity} finding`,
    );
    const isDefault = days[severity] === DEFAULT_POLICIES.days[severity];
    return days[severity] === 0 ? [] : [{ ...item, source: isDefault ? 'default' : 'organization' }];
  });
