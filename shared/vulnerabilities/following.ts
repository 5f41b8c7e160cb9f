import { findings, type StoredFinding } from '../entities/finding.ts';
import { type StoredVulnerability, vulnerabilities } from '../entities/vulnerability.ts';
import type { Deciding, Decision } from '../findings/many/decision.ts';
import { queueMany } from '../findings/many/queue.ts';
import { isActive } from '../findings/rules/decide.ts';
import { readRules } from '../findings/rules/stored.ts';
import { learnForDates, readSla } from '../findings/sla-policies.ts';
import { now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { readTargets } from '../views/targets.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { followingChanges } from './overlay.ts';

/** How findings, which must be whole, follow the decisions on their vulnerabilities. */
export async function followingDeciding(table: Table): Promise<Deciding> {
  const sla = await readSla(table);
  let standing = new Map<string, StoredVulnerability>();
  let rules = new Set<string>();
  return {
    async prepare(found) {
      standing = await readNamed(table, found as readonly StoredFinding[]);
      const isSuppressed = found.some(({ follows }) => follows?.was.suppressedBy);
      const all = isSuppressed ? await readRules(table) : [];
      rules = new Set(all.filter((rule) => isActive(rule, now())).map(({ id }) => id));
      await learnForDates(
        table,
        sla,
        found.filter(({ follows, restartSla }) => follows && restartSla),
      );
    },
    decide(row) {
      const finding = row as StoredFinding;
      const keys = vulnerabilitiesOf(finding).map(({ key }) => key);
      const named = keys.flatMap((key) => standing.get(key) ?? []);
      // the reader of the changes makes those that are missing, and asks again
      if (named.length < keys.length) return undefined;
      const changes = followingChanges(finding, named, { at: now(), sla, rules });
      return changes && decisionOf(changes, named);
    },
  };
}

function readNamed(table: Table, found: readonly StoredFinding[]): Promise<Map<string, StoredVulnerability>> {
  const keys = new Set(found.flatMap(vulnerabilitiesOf).map(({ key }) => key));
  return readTargets(table, { target: vulnerabilities, field: 'key' }, [...keys]);
}

function decisionOf(changes: Partial<StoredFinding>, named: readonly StoredVulnerability[]): Decision {
  const vulnerabilityIds = named.map(({ id }) => id);
  return { changes, reason: reasonOf(changes), vulnerabilityIds };
}

function reasonOf(changes: Partial<StoredFinding>): string | undefined {
  if (changes.statusReason) return changes.statusReason;
  if (changes.follows) return undefined;
  return 'follows' in changes
    ? 'One of its vulnerabilities is not decided on any more.'
    : 'Its vulnerabilities have another assignee.';
}

/** Which of these findings do not follow yet. Cheap where nobody decided anything. */
async function laggingOf(table: Table, ids: readonly string[]): Promise<string[]> {
  const [{ decided = 0 }, { following = 0 }] = await Promise.all([
    table.facets(vulnerabilities, true),
    table.facets(findings, true),
  ]);
  if (decided === 0 && following === 0) return [];
  const records = await wholeRecordsAt(table, findings, { ordinals: ids.map(ordinalOf), consistent: true });
  const { prepare, decide } = await followingDeciding(table);
  await prepare?.(records, { from: 0, to: records.length });
  return records.filter((finding) => decide(finding) !== undefined).map(({ id }) => id);
}

/**
 * Queues a task by which those of these findings follow that do not yet: for findings that come, return or move to another asset
 * after a decision. A task that is queued twice finds nothing left to do.
 */
export async function queueFollowing(connections: Connections, table: Table, ids: readonly string[]): Promise<void> {
  const lagging = await laggingOf(table, ids);
  if (lagging.length === 0) return;
  await queueMany(connections, table, { operation: 'follow_vulnerabilities', wanted: { ids: lagging }, input: {} });
}
