import { Link } from 'wouter-preact';
import type { VulnerabilityItem } from '../../api/types.ts';
import { Section } from '../../parts/section.tsx';
import { Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';
import { OpenTickets } from '../tickets/open-tickets.tsx';
import { openOf, useOpen } from './advisory.tsx';

type NextProps = { advisoryId: string; open: number; changed: () => void };

/** The upgrades that close an advisory, the list in which a person decides on all of its vulnerabilities, and their tickets. */
export function AdvisoryNext({ advisoryId, open, changed }: NextProps) {
  const { data, error } = useOpen(advisoryId);
  const some = data?.data ?? [];
  const upgrades = upgradesOf(some);
  return (
    <Section title={texts.finding.next}>
      {!data && !error && <Loading lines={1} />}
      {upgrades.map((upgrade) => (
        <p key={upgrade} class="strong">
          {upgrade}
        </p>
      ))}
      {data && upgrades.length === 0 && <p class="soft">{texts.vulnerability.noFix}</p>}
      <div class="actions">
        <Link href={openOf(advisoryId)} class="button main">
          {texts.vulnerability.advisory.decide(open)}
        </Link>
        {some.length > 0 && some.length === data?.totalCount && (
          <OpenTickets type="vulnerability" ids={some.map(({ id }) => id)} done={changed} />
        )}
      </div>
    </Section>
  );
}

/** One sentence for each component, whatever number of assets has it. */
const upgradesOf = (some: readonly VulnerabilityItem[]): string[] => [
  ...new Set(
    some.flatMap(({ component }) =>
      component?.fixedVersions.length ? texts.finding.upgrade(component.name, component.fixedVersions.join(', ')) : [],
    ),
  ),
];
