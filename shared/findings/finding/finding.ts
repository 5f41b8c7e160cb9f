import * as z from 'zod';
import { checkMark } from '#shared/assets/controls/compliance-counters.ts';
import { Person } from '#shared/credentials/person.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { grouped } from '#shared/reports/report/group-measures.ts';
import {
  BenchmarkCheck,
  ReportComponent,
  ReportEvidence,
  ReportLocation,
  Severity,
} from '#shared/reports/report/report.ts';
import { dayIf, dayOf, openFacets } from '#shared/reports/report/time-measures.ts';
import { mostFirst, PriorityFactor, placeOfEpss, Ssvc, Stakes } from '../priority/finding-priority.ts';
import { BROAD_BEHIND, behindMarks } from './behind-marks.ts';
import { controlTallies } from './finding-controls.ts';
import { acceptanceOf, acceptedPlace, publicDecision, storedDecision } from './finding-decision.ts';
import { type FindingField, findingFields } from './finding-fields.ts';
import { endOf, fixedByOf, lifeOf, measures, ofRemediations, pastOf } from './finding-measures.ts';
import { FINDING_STATUSES, isOpen } from './finding-status.ts';
import { weaknessesOf } from './finding-weaknesses.ts';
import { hostOf, lastPart, packagesIn, rulePart, toolKey } from './finding-words.ts';
import { FoundSecret } from './found-secret.ts';

export const FindingAsset = z.object({ id: Id, type: AssetType, name: z.string(), zone: z.string().nullable() });

/** A finding in lists: exactly these fields, in every list of findings. */
export const FindingListItem = objectNamed('FindingListItem', {
  id: readOnly(Id),
  title: readOnly(z.string()),
  severity: Severity,
  toolSeverity: readOnly(z.string().nullable()),
  status: z.enum(FINDING_STATUSES),
  reopenedCount: readOnly(z.int().nonnegative()),
  priority: readOnly(z.int().min(0).max(100).nullable()),
  cves: readOnly(z.array(z.string())),
  cwes: readOnly(z.array(z.string())),
  cvssScore: readOnly(z.number().min(0).max(10).nullable()),
  epss: readOnly(z.number().min(0).max(1).nullable()),
  kev: readOnly(z.boolean()),
  asset: readOnly(FindingAsset),
  location: readOnly(z.string().meta({ description: 'one printable line' })),
  ref: readOnly(z.string().nullable().meta({ description: 'branch' })),
  tool: readOnly(z.string()),
  ruleId: readOnly(z.string()),
  assignee: readOnly(Person.nullable()),
  firstSeenAt: readOnly(Timestamp),
  lastSeenAt: live(Timestamp),
  dueAt: Timestamp.nullable(),
  occurrences: live(z.int().positive()),
  tags: z.array(z.string().max(120)).max(30),
});
export type FindingListItem = z.infer<typeof FindingListItem>;

const { id: _id, ...stamps } = recordFields;

export const Finding = z.object({
  ...FindingListItem.shape,
  ...stamps,
  description: readOnly(z.string().nullable()),
  locationDetail: readOnly(ReportLocation),
  otherLocations: readOnly(
    z.array(ReportLocation).meta({ description: 'further places of the same problem, at most 64 KB' }),
  ),
  component: readOnly(ReportComponent.nullable().meta({ description: 'the package or product that has the problem' })),
  cvssVector: readOnly(z.string().nullable()),
  priorityFactors: readOnly(
    z
      .array(PriorityFactor)
      .meta({ description: 'the factors of `priority`; their points add up to it', readOnly: true }),
  ),
  ssvc: readOnly(Ssvc.nullable().meta({ description: 'null for a finding that names no vulnerability' })),
  evidence: readOnly(z.array(ReportEvidence)),
  evidenceFiles: readOnly(z.int().nonnegative().meta({ description: 'files that people added: `/evidence`' })),
  references: readOnly(z.array(z.string())),
  remediation: readOnly(z.string().nullable()),
  fingerprint: readOnly(z.string()),
  fingerprintVersion: readOnly(z.int()),
  acknowledgedAt: readOnly(Timestamp.nullable()),
  fixedAt: readOnly(Timestamp.nullable()),
  assigneeId: z
    .string()
    .max(120)
    .nullable()
    .meta({
      description:
        'the person who works on it; `assignee` has the name. An open finding that gets an assignee becomes `in_progress`; a ' +
        'finding in progress that loses its assignee becomes `open`, unless the same request names a `status`',
    }),
  dueChosen: readOnly(z.boolean().meta({ description: 'a person chose `dueAt`, so no policy changes it' })),
  severityOverridden: readOnly(z.boolean().meta({ description: 'a person set `severity`, so no scan changes it' })),
  ...publicDecision,
  remediationIds: readOnly(z.array(Id)).meta({ description: 'the remediations that repair it', readOnly: true }),
  mergedFrom: readOnly(
    z
      .array(Id)
      .meta({ description: 'findings that were combined with this finding, which shows their comments and files' }),
  ),
  taskId: readOnly(
    Id.nullable().meta({ description: 'the import or scan that reported it first; null: a person wrote it' }),
  ),
  engagementId: readOnly(Id.nullable()),
  links: live(
    z
      .record(z.string(), z.string())
      .meta({ description: 'paths: asset, task, engagement, fixedBy (the scan that closed it), ticket' }),
  ),
});
export type Finding = z.infer<typeof Finding>;

/** A reported finding with the fields that people change. */
export const TriagedFinding = Finding.extend({
  severity: Severity.nullable().meta({ description: "null: the tool's again" }),
});

/**
 * A finding as it is in the table. A field without a value is absent, long lists are whole only in `identifiers`, and
 * the time of the last sighting is in the scan scope's state, so that seeing the finding again writes nothing.
 * `shared/findings/view/view.ts` makes the public records.
 */
export const StoredFinding = z.object({
  ...recordFields,
  title: z.string(),
  severity: Severity,
  toolSeverity: z.string().optional(),
  /** A person set the severity; scans no longer change it. */
  severityOverridden: z.literal(true).optional(),
  /** The tool's severity for a finding whose severity a person set. */
  reportedSeverity: Severity.optional(),
  status: z.enum(FINDING_STATUSES),
  reopenedCount: z.int(),
  priority: z.int(),
  /** The applications of its asset. */
  applicationIds: z.array(Id).optional(),
  /** The tags of its asset, of people and of rules. */
  assetTags: z.array(z.string()).optional(),
  assetOwnerId: z.string().optional(),
  /** For an asset that people rated. */
  stakes: Stakes.optional(),
  /** Its due day was over when it was rated last, and `priority` counts that. */
  late: z.literal(true).optional(),
  /** It was due on the day when it was rated last, or within `SOON_DAYS`. */
  dueSoon: z.literal(true).optional(),
  cves: z.array(z.string()),
  cwes: z.array(z.string()),
  cvssScore: z.number().optional(),
  epss: z.number().optional(),
  kev: z.literal(true).optional(),
  asset: FindingAsset,
  location: z.string(),
  ref: z.string().optional(),
  /** For a finding on a branch: its fingerprint without the branch, which recognizes it after the merge. */
  problem: z.string().optional(),
  tool: z.string(),
  ruleId: z.string(),
  assignee: Person.optional(),
  firstSeenAt: Timestamp,
  dueAt: Timestamp.optional(),
  /** True: a person chose the date; false: a policy did (`isDueChosen`). */
  dueChosen: z.boolean().optional(),
  tags: z.array(z.string()),
  engagementId: Id.optional(),
  remediationIds: z.array(Id).optional(),
  /** The number of its rows for files; absent: none. */
  evidenceFiles: z.int().optional(),
  acknowledgedAt: Timestamp.optional(),
  fixedAt: Timestamp.optional(),
  fixedByTaskId: Id.optional(),
  reopenedAt: Timestamp.optional(),
  ...storedDecision,
  repairs: z.array(z.object({ at: Timestamp, seconds: z.int() })).optional(),
  /**
   * The scan scope that found it (or found it again); the scope's state says when it was last seen, and the scope's
   * scans close it.
   */
  scope: z.string(),
  /**
   * Set by the scan that closed the finding. While a scan scope's state has the finding, the state's values are newer.
   */
  lastSeenAt: Timestamp.optional(),
  occurrences: z.int().optional(),
  /** When, and in how many reports, the findings were seen that were merged into this one. */
  mergedSightings: z.object({ lastSeenAt: Timestamp, occurrences: z.int() }).optional(),
  /** The findings that were merged into this one, with their numbers of files. */
  mergedFrom: z.array(z.object({ id: Id, evidenceFiles: z.int() })).optional(),
  /** For a finding that was merged into another: the other's id. */
  mergedInto: Id.optional(),
  description: z.string().optional(),
  locationDetail: ReportLocation,
  otherLocations: z.array(ReportLocation).optional(),
  component: ReportComponent.optional(),
  /** For a finding about a secret. */
  secret: FoundSecret.optional(),
  /** The check of a benchmark that failed. */
  check: BenchmarkCheck.optional(),
  cvssVector: z.string().optional(),
  evidence: z.array(ReportEvidence),
  references: z.array(z.string()),
  remediation: z.string().optional(),
  identifiers: z.object({ cves: z.array(z.string()), cwes: z.array(z.string()), tags: z.array(z.string()) }).optional(),
  fingerprint: z.string(),
  fingerprintVersion: z.int(),
  /** The fingerprints of findings that were merged into this one, and its own under other names of its asset. */
  formerFingerprints: z.array(z.string()).optional(),
  /** Hash of the reported content; the same hash again means that there is nothing to write. */
  contentHash: z.string(),
  /** Absent: a person wrote the finding. */
  taskId: Id.optional(),
});
export type StoredFinding = z.infer<typeof StoredFinding>;

const dimensions = { status: FINDING_STATUSES, severity: Severity.options };

export const findings = defineEntity(StoredFinding, {
  name: 'finding',
  together: true,
  dimensions,
  parents: {
    engagement: { of: ({ engagementId }) => engagementId, dimensions },
  },
  /** `dated`: open findings with a due date. `following`: those that follow their vulnerabilities. */
  facets: (finding) => ({
    ...count({ status: finding.status, severity: finding.severity }),
    ...((finding.follows || finding.assigneeFollows) && { following: 1 }),
    ...openFacets(lifeOf(finding)),
    ...(isOpen(finding.status) && finding.dueAt && { dated: 1 }),
  }),
  tallies: (finding) => [...measures(finding), ...ofRemediations(finding), ...controlTallies(finding)],
  search: ({ cves, asset, ruleId, title, tool, location }) => [
    ...cves.slice(0, 2),
    lastPart(asset.name),
    asset.type === 'url' ? hostOf(asset.name) : undefined,
    ruleId,
    rulePart(ruleId),
    lastPart(location),
    ...packagesIn(title),
    title,
    tool,
  ],
  words: 20,
  indexed: (finding) => ({
    ...behindMarks(finding),
    asset: finding.asset.id,
    application: finding.applicationIds,
    task: finding.taskId,
    tool: toolKey(finding.tool),
    ruleId: finding.ruleId,
    cve: finding.cves,
    cwe: finding.cwes,
    weakness: weaknessesOf(finding),
    check: finding.check && checkMark(finding.check),
    assetType: finding.asset.type,
    zone: finding.asset.zone === null ? undefined : caseless(finding.asset.zone),
    tag: finding.tags.map(caseless),
    assigneeId: finding.assignee?.id ?? null,
    ref: finding.ref ?? null,
    suppressedBy: finding.suppressedBy?.id,
    remediationId: finding.remediationIds,
    kev: finding.kev && 'true',
    credential: finding.secret?.key,
    fixedBy: fixedByOf(finding),
  }),
  broad: ['status', 'severity', 'tool', 'ref', 'assetType', 'zone', 'weakness', 'fixedBy', ...BROAD_BEHIND],
  /** `priority`, `due` and `epss` order the remaining work: a finding that is not open has no place in them. */
  ordered: (finding) => ({
    seen: dayOf(finding.firstSeenAt),
    changed: dayOf(finding.updatedAt),
    reopened: dayIf(finding.reopenedAt),
    fixed: dayIf(endOf(finding)),
    ...acceptedPlace(acceptanceOf(finding)),
    ...(isOpen(finding.status) && {
      priority: mostFirst(finding.priority),
      due: dayIf(finding.dueAt),
      epss: finding.epss === undefined ? undefined : placeOfEpss(finding.epss),
    }),
  }),
  daily: { marks: ['application', 'assetTag'], past: pastOf },
  grouped,
  journal: true,
  inPart: { zones: 'zone', applicationIds: 'application', teamIds: 'assetOwner' },
  feedFields: fieldsWhere(findingFields satisfies Record<keyof StoredFinding, FindingField>, 'feed', 'value'),
  unique: ({ fingerprint, formerFingerprints = [] }) => ({ fingerprint: [fingerprint, ...formerFingerprints] }),
  detail: [
    'createdBy',
    'description',
    'locationDetail',
    'otherLocations',
    'component',
    'cvssVector',
    'evidence',
    'references',
    'remediation',
    'identifiers',
    'fingerprint',
    'fingerprintVersion',
    'formerFingerprints',
    'contentHash',
  ],
});
