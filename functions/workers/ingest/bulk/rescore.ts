import { isDeepStrictEqual } from 'node:util';
import { readJson } from '#functions/workers/ingest/files.ts';
import { exploitationOf, type Facts, readFacts } from '#shared/advisories/facts.ts';
import { branchFindings } from '#shared/entities/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { changeMany } from '#shared/findings/many/change-many.ts';
import type { Decision } from '#shared/findings/many/decision.ts';
import { ratingOf, stakesOf } from '#shared/findings/rating.ts';
import { agedSelection, Rescoring } from '#shared/findings/rescoring.ts';
import { learnAssets, type Sla } from '#shared/findings/sla-policies.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { chunksOf, eachAtOnce } from '#shared/runtime/chunks.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Selection } from '#shared/table/list.ts';
import { ordinalsOf } from '#shared/table/selected.ts';

/** Of more vulnerabilities than this, reading every finding costs less than asking for the findings of each. */
const MOST_ASKED = 5000;
const ASKED_AT_ONCE = 100;

/** The facts of the feeds, and the assets by which findings are rated. */
type Ground = { facts: Facts; assets: Sla['assets']; at: string };

/** Rates findings anew by what the feeds, their assets and the date say now. */
export async function rescoreFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const wanted = Rescoring.parse(work.task.input);
  const ground = { facts: await readFacts(work.connections), assets: new Map(), at: now() };
  return changeMany(work, {
    whole: true,
    select: () => select(work, wanted),
    prepare: (found) => learnAssets(work.table, ground, found),
    decide: (finding) => rescored(ground, finding as StoredFinding),
  });
}

async function select(work: Work, wanted: Rescoring): Promise<number[]> {
  const selections = 'moved' in wanted ? await movedSelections(work, wanted.moved) : [agedSelection(wanted)];
  const found = new Set<number>();
  for (const entity of [findings, branchFindings])
    await eachAtOnce(selections, 1, async (selection) => {
      for (const ordinal of await ordinalsOf(work.table, entity, selection)) found.add(ordinal);
    });
  return [...found].sort((a, b) => b - a);
}

async function movedSelections({ connections }: Work, file: string): Promise<Selection[]> {
  const moved = await readJson<string[]>(connections.bucket, file);
  if (!moved) throw new Error(`the list ${file} of vulnerabilities that moved is gone`);
  return moved.length > MOST_ASKED ? [{}] : chunksOf(moved, ASKED_AT_ONCE).map((cve) => ({ where: { cve } }));
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

type Rated = Pick<StoredFinding, 'epss' | 'kev' | 'late'>;

function reasonOf(before: Rated, after: Rated): string {
  if (after.kev && !before.kev) return 'One of its vulnerabilities is known to be exploited (CISA KEV).';
  if (after.epss !== before.epss) return 'The chance that its vulnerabilities are exploited moved (FIRST EPSS).';
  return after.late && !before.late ? 'Its due date has passed.' : 'Its priority was computed anew.';
}
