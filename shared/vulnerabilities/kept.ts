import type { StoredVulnerability, VulnerabilityFacts } from '../entities/vulnerability.ts';
import { now } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { beginning, KEPT, type Kept, keptWrite, readKept } from '../views/kept.ts';
import type { Move } from '../views/view.ts';
import { isSameProblem } from './contributions.ts';

/** The decisions of people about a vulnerability. */
export type ByPeople = Pick<StoredVulnerability, 'decision' | 'assignee'>;

type Decided = ByPeople & { at: string };

export const keptDecisions = defineRow<Kept<Decided>, { key: string }>({
  name: 'vulnerability-kept',
  about: 'what people decided about a vulnerability whose findings are gone, for when they return with their asset',
  ...KEPT,
});

type Moves = readonly Move<VulnerabilityFacts>[];

/** If the findings of a vulnerability moved to another asset, they must not bring that one's decision when they return. */
export function keptVulnerability(
  { scope }: Table,
  { key, decision, assignee }: StoredVulnerability,
  moves: Moves,
): Write {
  const isKept = decision || assignee || isMovedAway(key, moves);
  return keptWrite(scope, keptDecisions, { key, decided: isKept ? { decision, assignee, at: now() } : undefined });
}

const isMovedAway = (key: string, moves: Moves): boolean =>
  moves.some((one) => one.key === key && one.removed && otherEnd(one, moves, 'added'));

/** The move of the same finding from, or to, the same problem on another asset. */
function otherEnd(move: Move<VulnerabilityFacts>, moves: Moves, end: 'added' | 'removed') {
  const facts = move.added ?? move.removed;
  return moves.find((other) => {
    const there = other[end];
    return other.id === move.id && other.key !== move.key && facts && there && isSameProblem(there, facts);
  });
}

/**
 * The decisions, by key, that vulnerabilities begin with: their own of before, or that of the asset from which their findings
 * moved, if it was made since.
 */
export async function decisionsFor(
  table: Table,
  moves: Moves,
  standing: readonly StoredVulnerability[],
): Promise<Map<string, ByPeople>> {
  const byKey = new Map(standing.map((one) => [one.key, one]));
  const missing = beginning(moves, standing);
  const kept = await readKept(table, keptDecisions, missing);
  return new Map(
    missing.flatMap((move): [string, ByPeople][] => {
      const left = byKey.get(otherEnd(move, moves, 'removed')?.key ?? '');
      const own = kept.get(move.key);
      const isLater = !own || (left?.decision?.at ?? '') > own.at;
      if (left && isLater) return [[move.key, { decision: left.decision, assignee: left.assignee }]];
      return own ? [[move.key, { decision: unended(own.decision), assignee: own.assignee }]] : [];
    }),
  );
}

/** An acceptance that ended meanwhile is none any more. */
const unended = (decision: ByPeople['decision']): ByPeople['decision'] =>
  decision?.until && decision.until <= now() ? undefined : decision;
