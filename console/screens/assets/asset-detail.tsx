import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Asset } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Score } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import type { Detail } from '../../records/detail.tsx';
import { nameOf, toolOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { AssetActs, MergedFrom } from './asset-acts.tsx';
import { AssetSide, openOf } from './asset-side.tsx';
import { OpenCounts } from './open-counts.tsx';
import { Owner } from './owner.tsx';

const words = texts.asset;

/** An asset: its open findings, why they matter, its owner, and what is known of it. */
export const assetDetail: Detail<Asset> = {
  title: texts.screens.assets,
  path: '/assets',
  useRecord: question((id) => answerOf(client.GET('/api/v1/assets/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { type, status, internetExposed } }) => (
    <>
      <span class="tag">{nameOf(type)}</span>
      <span class="tag">{texts.statuses[status]}</span>
      {internetExposed && <span class="tag tag-kev">{words.exposed}</span>}
    </>
  ),
  Sections: ({ record: asset, put, changed }) => (
    <>
      <Section title={words.wrong}>
        <p>
          <OpenCounts counts={asset.openFindings} lists={asset.links?.list} />
        </p>
        <Link href={openOf(asset.id)}>{words.showOpen}</Link>
        <p>
          <AssetActs record={asset} put={put} changed={changed} />
        </p>
      </Section>
      <Section title={texts.finding.matters}>
        <p class="facts">
          {words.columns.risk} <Score value={asset.riskScore} /> {words.columns.criticality}:{' '}
          {nameOf(asset.criticality)}
        </p>
      </Section>
      <Section title={texts.finding.who}>
        <Owner asset={asset} put={put} changed={changed} />
      </Section>
      <Known asset={asset} />
      <MergedFrom merged={asset.mergedFrom ?? []} />
    </>
  ),
  Side: AssetSide,
};

const Known = ({
  asset: { value, zone, tags, ruleTags = [], sources = [], services = [], lastSeenAt },
}: {
  asset: Asset;
}) => (
  <Section title={words.facts}>
    <p>
      <code>{value}</code> {zone}
    </p>
    <p class="soft small">
      {words.columns.seen}: {agoOf(lastSeenAt)}
    </p>
    {sources.length > 0 && (
      <p>
        {words.sources}: {sources.map(toolOf).join(', ')}
      </p>
    )}
    {services.length > 0 && (
      <p>
        {words.services}: {services.map(({ service, port }) => `${service ?? ''} ${port}`.trim()).join(', ')}
      </p>
    )}
    <p>
      {[...tags, ...ruleTags].map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </p>
  </Section>
);
