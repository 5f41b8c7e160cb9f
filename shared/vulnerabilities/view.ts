import type { Aliases } from '../advisories/aliases.ts';
import type { Facts } from '../advisories/facts.ts';
import { type OsvRecord, readOsv } from '../advisories/osv.ts';
import { type AdvisoryRecord, readAdvisories } from '../advisories/records.ts';
import { findings, type StoredFinding } from '../entities/finding.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '../entities/vulnerability.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, type Move, sourceOf, type View, viewOf } from '../views/view.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { acceptanceWrites } from './decide.ts';
import { foldVulnerability, type Published } from './fold.ts';
import { type ByPeople, decisionsFor, keptWrite } from './kept.ts';
import { VIEW } from './named.ts';

type Beside = { before?: StoredVulnerability | undefined; after?: StoredVulnerability | undefined };
type Preparing = { moves: readonly Move<VulnerabilityFacts>[]; standing: readonly StoredVulnerability[] };

type Known = Facts & {
  /** The names of advisories; without it each has its own. */
  cveOf?: Aliases;
};

/** Vulnerabilities, kept from the findings of default branches. @param follow brings findings to the decisions that stand */
export function vulnerabilityView({ cveOf, ...facts }: Known, follow?: View['after']): View {
  const records = new Map<string, AdvisoryRecord | undefined>();
  let begun = new Map<string, ByPeople>();
  let moving: Preparing['moves'] = [];
  const ofOsv = new Map<string, readonly OsvRecord[]>();
  const published: Published = { ...facts, record: (id) => records.get(id), osv: (id) => ofOsv.get(id) ?? [] };
  return viewOf({
    name: VIEW,
    sources: [sourceOf(findings, (finding: StoredFinding) => vulnerabilitiesOf(finding, cveOf))],
    target: vulnerabilities,
    field: 'key',
    ...(follow && { after: follow }),
    async prepare(table, { moves, standing }: Preparing) {
      const named = [...moves.flatMap(({ added }) => added ?? []), ...standing].map(({ advisoryId }) => advisoryId);
      const unread = named.filter((id) => !records.has(id));
      const [read, osv] = await Promise.all([readAdvisories(table.dynamo, unread), readOsv(table.dynamo, unread)]);
      for (const id of unread) {
        records.set(id, read.get(id));
        ofOsv.set(id, osv.get(id) ?? []);
      }
      moving = moves;
      begun = await decisionsFor(table, moves, standing);
    },
    beside: (table, { before, after }: Beside) => [
      ...(before ? [keptWrite(table, before, moving)] : []),
      ...acceptanceWrites(table, before, after),
    ],
    apply(standing: StoredVulnerability | undefined, change: Change<VulnerabilityFacts>) {
      const said = changeBag<VulnerabilityFacts>(standing?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldVulnerability(said, standing ?? { key, ...begun.get(key) }, published) : undefined;
    },
  });
}
