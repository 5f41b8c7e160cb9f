import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Asset } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import type { PartProps } from '../../records/detail.tsx';
import { texts } from '../../texts.ts';

const MOST = 200;
const words = texts.asset;

/** The people of the organization, for a choice. */
const usePeople = question(() =>
  answerOf(client.GET('/api/v1/users', { params: { query: { status: 'active', paginateSize: MOST } } })),
);

type OwnerProps = Omit<PartProps<Asset>, 'record'> & { asset: Asset };

/** The owner of an asset, whom the person may change. */
export function Owner({ asset: { id, ownerId, version }, put, changed }: OwnerProps) {
  const { data: people } = usePeople('');
  const choose = (chosen: string) => {
    const params = { path: { id } };
    const request = client.PATCH('/api/v1/assets/{id}', {
      params,
      headers: { 'if-match': `"${version}"` },
      body: { ownerId: chosen || null },
    });
    void act(request, { done: words.ownerChanged, put, changed });
  };
  // a person who has left is still the owner
  const isKnown = ownerId === null || people?.data.some((person) => person.id === ownerId);
  return (
    <label class="choice">
      <span>{words.setOwner}</span>
      <select value={ownerId ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{words.nobody}</option>
        {ownerId && !isKnown && <option value={ownerId}>{ownerId}</option>}
        {people?.data.map((person) => (
          <option key={person.id} value={person.id}>
            {person.name}
          </option>
        ))}
      </select>
    </label>
  );
}
