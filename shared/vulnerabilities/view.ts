import type { Facts } from '../advisories/facts.ts';
import { type AdvisoryRecord, readAdvisories } from '../advisories/records.ts';
import { findings } from '../entities/finding.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '../entities/vulnerability.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, sourceOf, type View, viewOf } from '../views/view.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { foldVulnerability, type Published } from './fold.ts';

type Preparing = { changes: readonly Change<VulnerabilityFacts>[]; standing: readonly StoredVulnerability[] };

/** Vulnerabilities, kept from the findings of default branches. */
export function vulnerabilityView(facts: Facts): View {
  const records = new Map<string, AdvisoryRecord | undefined>();
  const published: Published = { ...facts, record: (id) => records.get(id) };
  return viewOf({
    name: 'vulnerability',
    sources: [sourceOf(findings, vulnerabilitiesOf)],
    target: vulnerabilities,
    field: 'key',
    async prepare({ dynamo }, { changes, standing }: Preparing) {
      const named = [...changes.flatMap(({ added }) => added), ...standing].map(({ advisoryId }) => advisoryId);
      const unread = named.filter((id) => !records.has(id));
      const read = await readAdvisories(dynamo, unread);
      for (const id of unread) records.set(id, read.get(id));
    },
    apply(standing: StoredVulnerability | undefined, change: Change<VulnerabilityFacts>) {
      const said = changeBag<VulnerabilityFacts>(standing?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldVulnerability(said, standing ?? { key }, published) : undefined;
    },
  });
}
