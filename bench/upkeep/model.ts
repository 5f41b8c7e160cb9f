import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { makeId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const weaknesses = ['injection', 'traversal', 'overflow', 'disclosure', 'forgery', 'deserialization', 'redirect'];
const parts = ['handler', 'service', 'parser', 'router', 'client', 'queue', 'report', 'billing', 'auth', 'index'];

/**
 * The finding of this ordinal, as scans of 20,000 repositories and images by 300 tools would report it: each file has three
 * findings, and there are 2,000 rules, 40,000 CVEs, 200 CWEs and 50 branches. Neighbours come from the same import of 50.
 */
export function benchFinding(ordinal: number): StoredFinding {
  const scan = Math.floor(ordinal / 50);
  const rule = spread(ordinal) % 2000;
  const weakness = weaknesses[rule % weaknesses.length] ?? '';
  const place = Math.floor(ordinal / 3);
  const file = `${parts[spread(place) % parts.length]}-${place.toString(36)}.ts`;
  const firstSeenAt = new Date(START + ordinal * 400).toISOString();
  const repository = spread(scan) % 20_000;
  const isOpen = spread(ordinal + 7) % 10 < 7;
  return {
    id: makeId(ordinal, Date.parse(firstSeenAt), bytes),
    version: 1,
    createdAt: firstSeenAt,
    updatedAt: firstSeenAt,
    createdBy: systemActor,
    title: `Possible ${weakness} in module ${rule} of component ${repository % 97}`,
    severity: severities[rule % 5] ?? 'low',
    status: isOpen ? 'open' : 'fixed',
    reopenedCount: 0,
    priority: rule % 100,
    cves: ordinal % 4 === 0 ? [`CVE-2025-${10_000 + (spread(ordinal) % 40_000)}`] : [],
    cwes: [`CWE-${rule % 200}`],
    asset: {
      id: makeId(repository, START, bytes),
      type: 'repository',
      name: `git.example.com/team/repository-${repository}`,
      zone: null,
    },
    location: `src/module-${repository % 211}/${file}:${1 + (ordinal % 900)}`,
    ref: `branch-${scan % 50}`,
    tool: `tool-${spread(scan) % 300}`,
    ruleId: `javascript.security.audit.${weakness}-${rule}`,
    firstSeenAt,
    ...(isOpen ? { dueAt: new Date(Date.parse(firstSeenAt) + 30 * DAY).toISOString() } : { fixedAt: firstSeenAt }),
    tags: [`team-${scan % 40}`],
    scope: `scope-${repository}`,
    locationDetail: {},
    evidence: [],
    references: [],
    description: 'Data of a request reaches a statement unchecked. '.repeat(8),
    fingerprint: `bench-fingerprint-${ordinal}`,
    fingerprintVersion: 1,
    contentHash: `hash-${ordinal}`,
    taskId: makeId(scan, START, bytes),
  };
}

const bytes = Buffer.from('01234');

/** Gives neighbours distant numbers, the same numbers in each run. */
const spread = (n: number): number => Math.imul(n + 1, 2654435761) >>> 8;
