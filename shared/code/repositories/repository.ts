import * as z from 'zod';
import { FilterIdField, markedFilter, RuleFilterField } from '#shared/platform/filter/rule-filter.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { CodeTaskType, USUAL_CODE_TASK_TYPES } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { CODE_HOSTS } from '../integrations/integration.ts';

const REPOSITORY_STATUSES = ['active', 'archived', 'deleted', 'inaccessible'] as const;

/** The statuses of repositories in lists. */
export const LISTED_STATUSES = ['active', 'archived', 'inaccessible'] as const;

/** When scans of a repository start automatically, and which result fails a pull request. */
export const ScanPolicy = objectNamed('ScanPolicy', {
  onPush: z
    .enum(['none', 'default_branch', 'protected_branches'])
    .default('none')
    .meta({ description: 'the branches whose new heads are scanned; `scanOnPush` of a branch overrides this' }),
  onPullRequest: z.boolean().default(false).meta({
    description: 'scans the head of each pull request and compares it with the target branch',
  }),
  forks: z.boolean().default(true).meta({
    description:
      'with `onPullRequest`, also scans pull requests of forks, with a token that reads this repository or without a token',
  }),
  schedule: z.string().max(500).nullable().default(null).meta({
    description:
      'an RRULE (RFC 5545) by which the default branch is scanned, at the time of day (UTC) at which it was set; null: never',
    example: 'FREQ=WEEKLY;BYDAY=SU',
  }),
  taskTypes: z
    .array(CodeTaskType)
    .min(1)
    .max(CodeTaskType.options.length)
    .default([...USUAL_CODE_TASK_TYPES]),
  failOn: z
    .enum(['none', ...Severity.options])
    .default('none')
    .meta({ description: 'new findings of this severity or above fail the gate' }),
  filter: RuleFilterField.meta({
    description:
      'with `failOn`, only new findings that fit fail the gate, as with `filter` of a gate of imports (docs/filters.md)',
  }),
  filterId: FilterIdField,
});

/** Rules that protect branches of a repository; of more, those that came last are kept. */
export const MAX_RULES = 200;

/** The facts of a repository at its code host. */
export const RepositoryFacts = z.object({
  fullName: z.string().min(1).max(500),
  name: z.string().min(1).max(255),
  url: z.string().max(1000),
  description: z.string().max(2000).nullable(),
  defaultBranch: z.string().max(300).nullable(),
  visibility: z.enum(['public', 'internal', 'private']),
  archived: z.boolean(),
  language: z.string().max(100).nullable(),
  topics: z.array(z.string().max(100)).max(100),
  pushedAt: Timestamp.nullable(),
});
export type RepositoryFacts = z.infer<typeof RepositoryFacts>;

/** A repository of a connected account, with the asset of its findings. */
export const Repository = z.object({
  ...recordFields,
  vendor: readOnly(z.enum(CODE_HOSTS)),
  integrationId: readOnly(Id),
  externalId: readOnly(
    z.string().meta({ description: 'the id at the code host, which does not change with a new name' }),
  ),
  host: z.string(),
  assetId: readOnly(Id.meta({ description: 'the asset of its findings' })),
  ...RepositoryFacts.shape,
  /** Its end at the host retired its asset. */
  assetEnded: z.boolean().optional(),
  /** When the facts held: the time of the event or of the host's answer. */
  factsAt: Timestamp,
  /** The validator of the host's list of its branches, where that has one page. */
  branchesTag: z.string().optional(),
  /** The names and patterns of its protected branches that events reported: a later branch may match a pattern. */
  protects: z.array(z.string().max(300)).max(MAX_RULES).optional(),
  syncedAt: readOnly(
    Timestamp.nullable().meta({ description: 'when the service last read the repository from its code host' }),
  ),
  status: readOnly(z.enum(REPOSITORY_STATUSES)),
  scanPolicy: ScanPolicy.default(ScanPolicy.parse({})),
  nextScanAt: readOnly(Timestamp.nullish().meta({ description: 'by the schedule of the policy' })),
  /** When the schedule was set: the times of scans follow from it. */
  scheduledAt: Timestamp.nullish(),
});
export type Repository = z.infer<typeof Repository>;

type Known = Pick<Repository, 'vendor' | 'host' | 'externalId'>;

/** The unique text of a repository. */
export const repositoryPlace = ({ vendor, host, externalId }: Known): string => `${vendor}#${host}#${externalId}`;

export const repositories = defineEntity(Repository, {
  name: 'repository',
  feedFields: ['vendor', 'fullName', 'defaultBranch', 'visibility', 'archived', 'status', 'scanPolicy'],
  facets: ({ status }) => count({ status }),
  /** The parts of a name are words, too: `till` finds `old-till`. */
  search: ({ fullName, name, description, topics }) => [
    ...[fullName, name, fullName.split(/[-_./]+/).join(' ')],
    ...topics,
    description,
  ],
  words: 24,
  indexed: ({ vendor, archived, status, integrationId, assetId, scanPolicy }) => ({
    ...markedFilter(scanPolicy),
    vendor,
    status,
    archived: String(archived),
    integration: integrationId,
    asset: assetId,
  }),
  unique: (repository) => ({ place: repositoryPlace(repository) }),
});
