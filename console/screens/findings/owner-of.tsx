import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { PersonName } from '../../parts/assignee.tsx';
import { texts } from '../../texts.ts';

const useAsset = question((id) => answerOf(client.GET('/api/v1/assets/{id}', { params: { path: { id } } })));

/** The person whom the asset of a finding belongs to. */
export function OwnerOf({ assetId }: { assetId: string }) {
  const { data: asset } = useAsset(assetId);
  if (!asset) return null;
  return (
    <span class="soft">
      {asset.ownerId ? <PersonName id={asset.ownerId} of={texts.finding.owned} /> : texts.finding.unowned}
    </span>
  );
}
