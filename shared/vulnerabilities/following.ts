import { exposedCredentials, type StoredCredential } from '../entities/exposed-credential.ts';
import { findings, type StoredFinding } from '../entities/finding.ts';
import { type StoredVulnerability, vulnerabilities } from '../entities/vulnerability.ts';
import type { Deciding, Decision } from '../findings/many/decision.ts';
import { queueMany } from '../findings/many/queue.ts';
import { standingRules } from '../findings/rules/stored.ts';
import { learnForDates, readSla } from '../findings/sla-policies.ts';
import { now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Table } from '../table/table.ts';
import { readTargets } from '../views/targets.ts';
import { credentialsOf, decidedSecret } from './decided-secrets.ts';
import { keysNamedBy } from './named.ts';
import { type DecidedOn, followingChanges } from './overlay.ts';

/** How findings follow the decisions on their vulnerabilities, or on the exposed credential that they are about. */
export async function followingDeciding(table: Table): Promise<Deciding> {
  const sla = await readSla(table);
  let keys = new Map<string, string[]>();
  let standing = new Map<string, StoredVulnerability>();
  let credentials = new Map<string, StoredCredential>();
  let rules = new Set<string>();
  return {
    async prepare(found) {
      keys = await keysNamedBy(
        table,
        found.map(({ id }) => id),
      );
      standing = await readTargets(table, { target: vulnerabilities, field: 'key' }, [
        ...new Set([...keys.values()].flat()),
      ]);
      credentials = await credentialsOf(table, found);
      rules = await standingRules(table, found, now());
      await learnForDates(
        table,
        sla,
        found.filter(({ follows, restartSla }) => follows && restartSla),
      );
    },
    decide(finding) {
      const of = keys.get(finding.id) ?? [];
      const named = of.flatMap((key) => standing.get(key) ?? []);
      // somebody moved them between two reads, and asks again
      if (named.length < of.length) return undefined;
      const all = [...named, ...decidedSecret(finding, credentials)];
      const changes = followingChanges(finding, all, { at: now(), sla, rules });
      return changes && decisionOf(changes, all);
    },
  };
}

function decisionOf(changes: Partial<StoredFinding>, named: readonly DecidedOn[]): Decision {
  const vulnerabilityIds = named.map(({ id }) => id);
  return { changes, reason: reasonOf(changes), vulnerabilityIds };
}

function reasonOf(changes: Partial<StoredFinding>): string | undefined {
  if (changes.statusReason) return changes.statusReason;
  if (changes.follows) return undefined;
  return 'follows' in changes
    ? 'One of its vulnerabilities, or its exposed credential, is not decided on any more.'
    : 'Its vulnerabilities have another assignee.';
}

/** Which of these findings do not follow yet. Cheap where nobody decided anything. */
async function laggingOf(table: Table, ids: readonly string[]): Promise<string[]> {
  const [{ decided = 0 }, { decided: secrets = 0 }, { following = 0 }] = await Promise.all([
    table.facets(vulnerabilities, true),
    table.facets(exposedCredentials, true),
    table.facets(findings, true),
  ]);
  if (decided === 0 && secrets === 0 && following === 0) return [];
  const records = await table.findMany(findings, ids, true);
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
