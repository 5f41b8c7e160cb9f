import { client } from '../../api/client.ts';
import type { Asset } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { PersonChoice } from '../../parts/assignee.tsx';
import type { PartProps } from '../../records/detail.tsx';
import { texts } from '../../texts.ts';

const words = texts.asset;

type OwnerProps = Omit<PartProps<Asset>, 'record'> & { asset: Asset };

/** The owner of an asset, whom the person may change. */
export function Owner({ asset: { id, ownerId, version }, put, changed }: OwnerProps) {
  const choose = (chosen: string | null) => {
    const request = client.PATCH('/api/v1/assets/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body: { ownerId: chosen },
    });
    void act(request, { done: words.ownerChanged, put, changed });
  };
  return <PersonChoice label={words.setOwner} id={ownerId} choose={choose} />;
}
