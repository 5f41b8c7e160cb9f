import type { Aliases } from '../advisories/aliases.ts';
import type { Facts } from '../advisories/facts.ts';
import { type OsvRecord, readOsv } from '../advisories/osv.ts';
import { type AdvisoryRecord, readAdvisories } from '../advisories/records.ts';
import { findings, type StoredFinding } from '../entities/finding.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '../entities/vulnerability.ts';
import type { Table } from '../table/table.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, type Move, sourceOf, type View, viewOf } from '../views/view.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { acceptanceWrites } from './decide.ts';
import { foldVulnerability, type Published } from './fold.ts';
import { type ByPeople, decisionsFor, keptVulnerability } from './kept.ts';
import { VIEW } from './named.ts';
import { tagsOfAssets } from './tagged.ts';

type Beside = { before?: StoredVulnerability | undefined; after?: StoredVulnerability | undefined };
type Preparing = { moves: readonly Move<VulnerabilityFacts>[]; standing: readonly StoredVulnerability[] };

type Known = Facts & {
  /** The names of advisories; without it each has its own. */
  cveOf?: Aliases;
};

/** Vulnerabilities, kept from the findings of default branches. @param follow brings findings to the decisions that stand */
export function vulnerabilityView({ cveOf, ...facts }: Known, follow?: View['after']): View {
  const { published, read } = readerOf(facts);
  let begun = new Map<string, ByPeople>();
  let moving: Preparing['moves'] = [];
  return viewOf({
    name: VIEW,
    sources: [sourceOf(findings, (finding: StoredFinding) => vulnerabilitiesOf(finding, cveOf))],
    target: vulnerabilities,
    field: 'key',
    ...(follow && { after: follow }),
    async prepare(table, { moves, standing }: Preparing) {
      await read(table, [...moves.flatMap(({ added }) => added ?? []), ...standing]);
      moving = moves;
      begun = await decisionsFor(table, moves, standing);
    },
    beside: (table, { before, after }: Beside) => [
      ...(before ? [keptVulnerability(table, before, moving)] : []),
      ...acceptanceWrites(table, before, after),
    ],
    apply(standing: StoredVulnerability | undefined, change: Change<VulnerabilityFacts>) {
      const said = changeBag<VulnerabilityFacts>(standing?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldVulnerability(said, standing ?? { key, ...begun.get(key) }, published) : undefined;
    },
  });
}

type About = Pick<VulnerabilityFacts, 'advisoryId' | 'asset'>;

/** Published facts about the advisories of vulnerabilities, each read once, and the tags of their assets as each reading finds them. */
function readerOf(facts: Facts) {
  const records = new Map<string, AdvisoryRecord | undefined>();
  const ofOsv = new Map<string, readonly OsvRecord[]>();
  let tags = new Map<string, string[]>();
  const published: Published = {
    ...facts,
    record: (id) => records.get(id),
    osv: (id) => ofOsv.get(id) ?? [],
    tagsOfAsset: (id) => tags.get(id) ?? [],
  };
  async function read(table: Table, about: readonly About[]): Promise<void> {
    const unread = about.map(({ advisoryId }) => advisoryId).filter((id) => !records.has(id));
    const [advisories, osv, tagged] = await Promise.all([
      readAdvisories(table.dynamo, unread),
      readOsv(table.dynamo, unread),
      tagsOfAssets(
        table,
        about.map(({ asset }) => asset.id),
      ),
    ]);
    for (const id of unread) {
      records.set(id, advisories.get(id));
      ofOsv.set(id, osv.get(id) ?? []);
    }
    tags = tagged;
  }
  return { published, read };
}
