import type { StoredVulnerability, VulnerabilityFacts } from '../entities/vulnerability.ts';
import { inSeconds, now } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import type { Move } from '../views/view.ts';
import { isSameProblem } from './contributions.ts';

/** The decisions of people about a vulnerability. */
export type ByPeople = Pick<StoredVulnerability, 'decision' | 'assignee'>;

type Kept = ByPeople & { key: string; expiresAt: string };

const KEPT_SECONDS = 400 * 86_400;

export const keptDecisions = defineRow<Kept, Pick<Kept, 'key'>>({
  name: 'vulnerability-kept',
  about: 'what people decided about a vulnerability whose findings are gone, for when they return with their asset',
  key: ({ key }) => [key],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Goes with the deletion of a vulnerability. Where nobody decided anything, an older decision must not return either. */
export function keptWrite({ scope }: Table, { key, decision, assignee }: StoredVulnerability): Write {
  if (!decision && !assignee) return { remove: rowKey(scope, keptDecisions, { key }) };
  return putWrite(scope, keptDecisions, { row: { key, decision, assignee, expiresAt: inSeconds(KEPT_SECONDS) } });
}

/** The decisions, by key, that vulnerabilities begin with: their own of before, or of the asset from which their findings moved. */
export async function decisionsFor(
  table: Table,
  moves: readonly Move<VulnerabilityFacts>[],
  standing: readonly StoredVulnerability[],
): Promise<Map<string, ByPeople>> {
  const byKey = new Map(standing.map((one) => [one.key, one]));
  const missing = moves.filter(({ key, added }) => added && !byKey.has(key));
  const keys = [...new Set(missing.map(({ key }) => key))];
  const rows = await table.rows(keptDecisions).findMany(
    keys.map((key) => ({ key })),
    true,
  );
  const kept = new Map(rows.map(({ key, decision, assignee }) => [key, { decision: unended(decision), assignee }]));
  return new Map(
    missing.flatMap(({ id, key, added: facts }) => {
      const left = moves.find(
        (other) => other.id === id && other.removed && facts && isSameProblem(other.removed, facts),
      );
      const found = byKey.get(left?.key ?? '') ?? kept.get(key);
      return found ? [[key, { decision: found.decision, assignee: found.assignee }]] : [];
    }),
  );
}

/** An acceptance that ended meanwhile is none any more. */
const unended = (decision: ByPeople['decision']): ByPeople['decision'] =>
  decision?.until && decision.until <= now() ? undefined : decision;
