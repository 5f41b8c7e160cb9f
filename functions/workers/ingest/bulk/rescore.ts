import * as z from 'zod';
import { readJson } from '#functions/workers/ingest/files.ts';
import { exploitationOf, type Facts, readFacts } from '#shared/advisories/facts.ts';
import { branchFindings } from '#shared/entities/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { changeMany } from '#shared/findings/many/change-many.ts';
import type { Decision } from '#shared/findings/many/decision.ts';
import { priorityOf } from '#shared/findings/priority.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { chunksOf, eachAtOnce } from '#shared/runtime/chunks.ts';
import { ordinalsOf } from '#shared/table/selected.ts';

const Input = z.object({ moved: z.string() });

/** Of more vulnerabilities than this, reading every finding costs less than asking for the findings of each. */
const MOST_ASKED = 5000;
const ASKED_AT_ONCE = 100;

/** Rates the findings anew whose vulnerabilities moved in a feed. Each is rated by what the feeds say now. */
export async function rescoreFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const { moved } = Input.parse(work.task.input);
  const facts = await readFacts(work.connections);
  return changeMany(work, {
    whole: true,
    select: () => selectMoved(work, moved),
    decide: (finding) => rescored(facts, finding as StoredFinding),
  });
}

async function selectMoved({ connections, table }: Work, file: string): Promise<number[]> {
  const moved = await readJson<string[]>(connections.bucket, file);
  if (!moved) throw new Error(`the list ${file} of vulnerabilities that moved is gone`);
  const selections =
    moved.length > MOST_ASKED ? [{}] : chunksOf(moved, ASKED_AT_ONCE).map((cve) => ({ where: { cve } }));
  const found = new Set<number>();
  for (const entity of [findings, branchFindings])
    await eachAtOnce(selections, 1, async (selection) => {
      for (const ordinal of await ordinalsOf(table, entity, selection)) found.add(ordinal);
    });
  return [...found].sort((a, b) => b - a);
}

function rescored(facts: Facts, { identifiers, ...finding }: StoredFinding): Decision {
  const cves = identifiers?.cves ?? finding.cves;
  const { epss, kev } = exploitationOf(facts, cves);
  if (epss === finding.epss && kev === finding.kev) return undefined;
  const { severity, cvssScore } = finding;
  const changes = { epss, kev, priority: priorityOf({ severity, cvssScore, epss, kev }) };
  return { changes, reason: kev && !finding.kev ? KEV_REASON : EPSS_REASON };
}

const KEV_REASON = 'One of its vulnerabilities is known to be exploited (CISA KEV).';
const EPSS_REASON = 'The chance that its vulnerabilities are exploited moved (FIRST EPSS).';
