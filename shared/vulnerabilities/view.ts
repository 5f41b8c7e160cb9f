import type { Facts } from '../advisories/facts.ts';
import { findings } from '../entities/finding.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '../entities/vulnerability.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, sourceOf, type View, viewOf } from '../views/view.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { foldVulnerability } from './fold.ts';

/** Vulnerabilities, kept from the findings of default branches. */
export const vulnerabilityView = (feeds: Facts): View =>
  viewOf({
    name: 'vulnerability',
    sources: [sourceOf(findings, vulnerabilitiesOf)],
    target: vulnerabilities,
    field: 'key',
    apply(standing: StoredVulnerability | undefined, change: Change<VulnerabilityFacts>) {
      const said = changeBag<VulnerabilityFacts>(standing?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldVulnerability(said, standing ?? { key }, feeds) : undefined;
    },
  });
