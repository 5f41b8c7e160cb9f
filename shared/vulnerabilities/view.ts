import type { Facts } from '../advisories/facts.ts';
import { type AdvisoryRecord, readAdvisories } from '../advisories/records.ts';
import { findings } from '../entities/finding.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '../entities/vulnerability.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, type Move, sourceOf, type View, viewOf } from '../views/view.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { acceptanceWrites } from './decide.ts';
import { foldVulnerability, type Published } from './fold.ts';
import { type ByPeople, decisionsFor, keptWrite } from './kept.ts';

type Beside = { before?: StoredVulnerability | undefined; after?: StoredVulnerability | undefined };
type Preparing = { moves: readonly Move<VulnerabilityFacts>[]; standing: readonly StoredVulnerability[] };

/** Vulnerabilities, kept from the findings of default branches. @param follow brings findings to the decisions that stand */
export function vulnerabilityView(facts: Facts, follow?: View['after']): View {
  const records = new Map<string, AdvisoryRecord | undefined>();
  let begun = new Map<string, ByPeople>();
  const published: Published = { ...facts, record: (id) => records.get(id) };
  return viewOf({
    name: 'vulnerability',
    sources: [sourceOf(findings, vulnerabilitiesOf)],
    target: vulnerabilities,
    field: 'key',
    ...(follow && { after: follow }),
    async prepare(table, { moves, standing }: Preparing) {
      const named = [...moves.flatMap(({ added }) => added ?? []), ...standing].map(({ advisoryId }) => advisoryId);
      const unread = named.filter((id) => !records.has(id));
      const read = await readAdvisories(table.dynamo, unread);
      for (const id of unread) records.set(id, read.get(id));
      begun = await decisionsFor(table, moves, standing);
    },
    beside: (table, { before, after }: Beside) => [
      ...(before ? [keptWrite(table, before)] : []),
      ...acceptanceWrites(table, before, after),
    ],
    apply(standing: StoredVulnerability | undefined, change: Change<VulnerabilityFacts>) {
      const said = changeBag<VulnerabilityFacts>(standing?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldVulnerability(said, standing ?? { key, ...begun.get(key) }, published) : undefined;
    },
  });
}
