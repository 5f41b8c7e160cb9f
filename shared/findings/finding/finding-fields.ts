/** One row of the table of a finding's fields: what follows from the field, and from its change. */
export type FindingField = {
  /**
   * The value after two findings become one. `own`: the older finding's, which stays. `decision`: of the finding whose
   * decision applies. `union`: made from both by `merge-findings.ts`.
   */
  merge: 'own' | 'decision' | 'union';
  /** The change feed reports old and new `value`, or only the `name`. */
  feed: 'value' | 'name';
  /** The history of a finding keeps the changes of the field. Of a finding that people write also short texts. */
  history: boolean;
};

const plain = { merge: 'own', feed: 'name', history: false } as const satisfies FindingField;
const united = { ...plain, merge: 'union' } as const satisfies FindingField;
const decided = { ...plain, merge: 'decision' } as const satisfies FindingField;

/** The life of each field. Feed, history and merge derive from it; `finding.ts` requires a row for each new field. */
export const findingFields = {
  id: plain,
  version: plain,
  createdAt: plain,
  updatedAt: plain,
  createdBy: plain,
  title: { merge: 'own', feed: 'value', history: true },
  severity: { merge: 'union', feed: 'value', history: true },
  toolSeverity: plain,
  severityOverridden: united,
  reportedSeverity: united,
  status: { merge: 'decision', feed: 'value', history: true },
  reopenedCount: united,
  priority: { merge: 'own', feed: 'value', history: true },
  applicationIds: united,
  assetTags: united,
  assetOwnerId: united,
  stakes: united,
  late: { merge: 'own', feed: 'value', history: false },
  dueSoon: { merge: 'own', feed: 'value', history: false },
  cves: { merge: 'own', feed: 'name', history: true },
  cwes: { merge: 'own', feed: 'name', history: true },
  cvssScore: { merge: 'own', feed: 'name', history: true },
  epss: plain,
  kev: plain,
  asset: { merge: 'union', feed: 'value', history: true },
  location: { merge: 'own', feed: 'name', history: true },
  ref: { merge: 'own', feed: 'name', history: true },
  problem: plain,
  tool: plain,
  ruleId: plain,
  assignee: { merge: 'union', feed: 'value', history: true },
  firstSeenAt: plain,
  dueAt: { merge: 'union', feed: 'value', history: true },
  dueChosen: united,
  tags: { merge: 'own', feed: 'value', history: true },
  engagementId: plain,
  remediationIds: { merge: 'union', feed: 'value', history: true },
  evidenceFiles: { merge: 'own', feed: 'name', history: true },
  acknowledgedAt: decided,
  fixedAt: decided,
  fixedByTaskId: decided,
  reopenedAt: decided,
  acceptedUntil: { merge: 'decision', feed: 'value', history: true },
  acceptedBy: { merge: 'decision', feed: 'value', history: true },
  restartSla: { merge: 'decision', feed: 'name', history: true },
  slaFrom: decided,
  follows: decided,
  assigneeFollows: united,
  suppressedBy: { merge: 'decision', feed: 'value', history: true },
  decidedAt: decided,
  statusReason: { merge: 'decision', feed: 'value', history: true },
  repairs: decided,
  scope: united,
  lastSeenAt: united,
  occurrences: united,
  mergedSightings: united,
  mergedFrom: { merge: 'union', feed: 'name', history: true },
  mergedInto: plain,
  description: plain,
  locationDetail: plain,
  otherLocations: plain,
  component: plain,
  secret: plain,
  check: plain,
  cvssVector: plain,
  evidence: plain,
  references: plain,
  remediation: plain,
  identifiers: plain,
  fingerprint: plain,
  fingerprintVersion: plain,
  formerFingerprints: united,
  contentHash: plain,
  taskId: plain,
} as const satisfies Record<string, FindingField>;

export type FindingFields = typeof findingFields;
