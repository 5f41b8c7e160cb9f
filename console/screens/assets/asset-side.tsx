import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Asset } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { SeverityMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { ExposureGraph } from './exposure-graph.tsx';

const words = texts.asset;
const FIRST = 6;
const SOFTWARE = 12;

const openFilter = (id: string): string => `asset.id:${id} status:open,in_progress`;

/** The page with the open findings of an asset. */
export const openOf = (id: string): string => filtered('/findings', openFilter(id));

const queryOf = (id: string) => ({ filter: openFilter(id), sort: 'priority' as const, paginateSize: FIRST });

const useFindings = question((id) => answerOf(client.GET('/api/v1/findings', { params: { query: queryOf(id) } })));
const useVulnerabilities = question((id) =>
  answerOf(client.GET('/api/v1/vulnerabilities', { params: { query: queryOf(id) } })),
);

const useSoftware = question(async (id) => {
  const params = { path: { id }, query: { paginateSize: SOFTWARE } };
  const found = await answerOf(client.GET('/api/v1/assets/{id}/software', { params }));
  return { ...found, data: found.data.map((one) => ({ ...one, id: `${one.name} ${one.version}` })) };
});

/** Beside an asset on its page: how it can be reached, its worst records, its identifiers. */
export const AssetSide = ({ record: { id, identifiers } }: { record: Asset }) => (
  <>
    <ExposureGraph id={id} />
    <Related title={words.first} asked={useFindings(id)} none={words.noneOpen} all={openOf(id)}>
      {(finding) => (
        <>
          <Link href={`/findings/${finding.id}`}>{finding.title}</Link>
          <SeverityMark severity={finding.severity} />
        </>
      )}
    </Related>
    <Related
      title={words.vulnerabilities}
      asked={useVulnerabilities(id)}
      none={words.noVulnerabilities}
      all={filtered('/vulnerabilities', openFilter(id))}
    >
      {(vulnerability) => (
        <>
          <Link href={`/vulnerabilities/${vulnerability.id}`}>{vulnerability.advisoryId}</Link>
          <SeverityMark severity={vulnerability.severity} />
        </>
      )}
    </Related>
    <Related title={words.software} asked={useSoftware(id)} none={words.noSoftware}>
      {({ name, version }) => (
        <>
          <span>{name}</span>
          <span class="soft">{version}</span>
        </>
      )}
    </Related>
    <Identifiers {...identifiers} />
  </>
);

function Identifiers(known: Asset['identifiers']) {
  const { ips, hostnames, fqdns, macs, machineIds, cloudResourceId, serialNumber, imageDigest } = known;
  const rows: Parameters<typeof Facts>[0]['rows'] = [
    [words.ids.ips, ips.join(', ')],
    [words.ids.hostnames, hostnames.join(', ')],
    [words.ids.fqdns, fqdns.join(', ')],
    [words.ids.macs, macs.join(', ')],
    [words.ids.machineIds, machineIds.join(', ')],
    [words.ids.cloudResourceId, cloudResourceId],
    [words.ids.serialNumber, serialNumber],
    [words.ids.imageDigest, imageDigest],
  ];
  if (!rows.some(([, value]) => value)) return null;
  return (
    <Section title={words.identifiers}>
      <Facts rows={rows} />
    </Section>
  );
}
