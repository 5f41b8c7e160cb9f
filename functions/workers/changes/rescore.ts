import { isDeepStrictEqual } from 'node:util';
import { exploitationOf, type Facts, readFacts } from '#shared/advisories/facts.ts';
import { movedOrdinals } from '#shared/advisories/moved.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { ratingOf, stakesOf } from '#shared/findings/sla/rating.ts';
import { agedSelection, Rescoring } from '#shared/findings/sla/rescoring.ts';
import { learnTraits, type Sla } from '#shared/findings/sla/sla-policies.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

/** The facts of the feeds, and the assets by which findings are rated. */
type Ground = { facts: Facts; assets: Sla['assets']; at: string };

/** Rates findings by the current feeds, their assets and the date. */
export async function rescoreFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const wanted = Rescoring.parse(work.task.input);
  const ground = { facts: await readFacts(work.connections), assets: new Map(), at: now() };
  return changeMany(work, {
    whole: true,
    select: () => select(work, wanted),
    prepare: (found) => learnTraits(work.table, ground, found),
    decide: (finding) => rescored(ground, finding as StoredFinding),
  });
}

async function select(work: Work, wanted: Rescoring): Promise<number[]> {
  const found = await Promise.all(
    [findings, branchFindings].map((entity) =>
      'moved' in wanted
        ? movedOrdinals(work, entity, { file: wanted.moved, name: 'cve' })
        : ordinalsOf(work.table, entity, agedSelection(wanted)),
    ),
  );
  return [...new Set(found.flat())].sort((a, b) => b - a);
}

function rescored({ facts, assets, at }: Ground, { identifiers, ...finding }: StoredFinding): Decision {
  const { epss, kev } = exploitationOf(facts, identifiers?.cves ?? finding.cves);
  const changes = { epss, kev, stakes: stakesOf(assets.get(finding.asset.id)) };
  const rating = ratingOf({ ...finding, ...changes }, at);
  const isSame = Object.entries({ ...changes, ...rating }).every(([name, value]) =>
    isDeepStrictEqual(Reflect.get(finding, name), value),
  );
  return isSame ? undefined : { changes, reason: reasonOf(finding, { ...changes, ...rating }) };
}

type Rated = Pick<StoredFinding, 'epss' | 'kev' | 'late' | 'dueSoon'>;

function reasonOf(before: Rated, after: Rated): string {
  if (after.kev && !before.kev) return 'One of its vulnerabilities is known to be exploited (CISA KEV).';
  if (after.epss !== before.epss) return 'The chance that its vulnerabilities are exploited moved (FIRST EPSS).';
  if (after.late && !before.late) return 'Its due date has passed.';
  return after.dueSoon && !before.dueSoon ? 'It is due soon.' : 'Its priority was computed again.';
}
