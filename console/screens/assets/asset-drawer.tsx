import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Asset } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Score } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import type { DrawerProps } from '../../records/kind.ts';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from './open-counts.tsx';

const useAsset = question((id) => answerOf(client.GET('/api/v1/assets/{id}', { params: { path: { id } } })));
const words = texts.asset;

/** An asset beside its list. */
export function AssetDrawer({ id, close }: DrawerProps) {
  const { data: asset, error, ask } = useAsset(id);
  return (
    <Dialog kind="drawer" title={asset?.name ?? texts.screens.assets} close={close}>
      {error && !asset && <Failed error={error} again={ask} />}
      {!error && !asset && <Loading lines={8} />}
      {asset && (
        <div class="drawer-content">
          <p class="drawer-marks">
            <span class="tag">{asset.type.replaceAll('_', ' ')}</span>
            <span class="tag">{texts.statuses[asset.status]}</span>
            {asset.internetExposed && <span class="tag tag-kev">{words.exposed}</span>}
          </p>
          <Section title={words.wrong}>
            <p>
              <OpenCounts counts={asset.openFindings} />
            </p>
            <Link href={filtered('/findings', `asset.id:${asset.id} status:open,in_progress`)}>{words.showOpen}</Link>
          </Section>
          <Section title={texts.finding.matters}>
            <p class="facts">
              <Score value={asset.riskScore} /> {words.columns.criticality}: {asset.criticality}
            </p>
          </Section>
          <Section title={texts.finding.who}>
            <p>{asset.ownerId ? words.owner(asset.ownerId) : words.noOwner}</p>
          </Section>
          <Facts asset={asset} />
        </div>
      )}
    </Dialog>
  );
}

const Facts = ({
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
        {words.sources}: {sources.join(', ')}
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
