/** One row of the table of a finding's fields: what follows from the field, and from its change. */
export type FindingField = {
  /**
   * The value of two findings that become one. `own`: that of the older one, which stays. `decision`: that of the finding whose
   * decision holds. `union`: made from both by `merge-findings.ts`.
   */
  merge: 'own' | 'decision' | 'union';
  /** The change feed reports old and new `value`, or the `name` alone. */
  feed: 'value' | 'name';
  /** The history of a finding keeps the changes of the field. Of a finding that people write also short texts. */
  history: boolean;
};

const stamp = { merge: 'own', feed: 'name', history: false } as const satisfies FindingField;

/** The life of each field. Feed, history and merge derive from it; `finding.ts` asks for new fields. */
export const findingFields = {
  id: stamp,
  version: stamp,
  createdAt: stamp,
  updatedAt: stamp,
  createdBy: stamp,
  title: { merge: 'own', feed: 'value', history: true },
  severity: { merge: 'union', feed: 'value', history: true },
  toolSeverity: { merge: 'own', feed: 'name', history: false },
  severityOverridden: { merge: 'union', feed: 'name', history: false },
  reportedSeverity: { merge: 'union', feed: 'name', history: false },
  status: { merge: 'decision', feed: 'value', history: true },
  reopenedCount: { merge: 'union', feed: 'name', history: false },
  priority: { merge: 'own', feed: 'value', history: true },
  applicationIds: { merge: 'union', feed: 'name', history: false },
  stakes: { merge: 'union', feed: 'name', history: false },
  late: { merge: 'own', feed: 'name', history: false },
  cves: { merge: 'own', feed: 'name', history: true },
  cwes: { merge: 'own', feed: 'name', history: true },
  cvssScore: { merge: 'own', feed: 'name', history: true },
  epss: { merge: 'own', feed: 'name', history: false },
  kev: { merge: 'own', feed: 'name', history: false },
  asset: { merge: 'union', feed: 'value', history: true },
  location: { merge: 'own', feed: 'name', history: true },
  ref: { merge: 'own', feed: 'name', history: true },
  problem: { merge: 'own', feed: 'name', history: false },
  tool: { merge: 'own', feed: 'name', history: false },
  ruleId: { merge: 'own', feed: 'name', history: false },
  assignee: { merge: 'union', feed: 'value', history: true },
  firstSeenAt: { merge: 'own', feed: 'name', history: false },
  dueAt: { merge: 'union', feed: 'value', history: true },
  dueChosen: { merge: 'union', feed: 'name', history: false },
  tags: { merge: 'own', feed: 'value', history: true },
  engagementId: { merge: 'own', feed: 'name', history: false },
  remediationIds: { merge: 'union', feed: 'value', history: true },
  evidenceFiles: { merge: 'own', feed: 'name', history: true },
  acknowledgedAt: { merge: 'decision', feed: 'name', history: false },
  fixedAt: { merge: 'decision', feed: 'name', history: false },
  fixedByTaskId: { merge: 'decision', feed: 'name', history: false },
  reopenedAt: { merge: 'decision', feed: 'name', history: false },
  acceptedUntil: { merge: 'decision', feed: 'value', history: true },
  acceptedBy: { merge: 'decision', feed: 'value', history: true },
  restartSla: { merge: 'decision', feed: 'name', history: true },
  slaFrom: { merge: 'decision', feed: 'name', history: false },
  follows: { merge: 'decision', feed: 'name', history: false },
  assigneeFollows: { merge: 'own', feed: 'name', history: false },
  suppressedBy: { merge: 'decision', feed: 'value', history: true },
  decidedAt: { merge: 'decision', feed: 'name', history: false },
  statusReason: { merge: 'decision', feed: 'value', history: true },
  repairs: { merge: 'decision', feed: 'name', history: false },
  scope: { merge: 'union', feed: 'name', history: false },
  lastSeenAt: { merge: 'union', feed: 'name', history: false },
  occurrences: { merge: 'union', feed: 'name', history: false },
  mergedSightings: { merge: 'union', feed: 'name', history: false },
  mergedFrom: { merge: 'union', feed: 'name', history: true },
  mergedInto: { merge: 'own', feed: 'name', history: false },
  description: { merge: 'own', feed: 'name', history: false },
  locationDetail: { merge: 'own', feed: 'name', history: false },
  otherLocations: { merge: 'own', feed: 'name', history: false },
  component: { merge: 'own', feed: 'name', history: false },
  secret: { merge: 'own', feed: 'name', history: false },
  check: { merge: 'own', feed: 'name', history: false },
  cvssVector: { merge: 'own', feed: 'name', history: false },
  evidence: { merge: 'own', feed: 'name', history: false },
  references: { merge: 'own', feed: 'name', history: false },
  remediation: { merge: 'own', feed: 'name', history: false },
  identifiers: { merge: 'own', feed: 'name', history: false },
  fingerprint: { merge: 'own', feed: 'name', history: false },
  fingerprintVersion: { merge: 'own', feed: 'name', history: false },
  formerFingerprints: { merge: 'union', feed: 'name', history: false },
  contentHash: { merge: 'own', feed: 'name', history: false },
  taskId: { merge: 'own', feed: 'name', history: false },
} as const satisfies Record<string, FindingField>;

export type FindingFields = typeof findingFields;
