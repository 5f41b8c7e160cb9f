import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import { texts } from '../texts.ts';

const MAX_SHOWN = 200;

/** The people of the organization, for a choice. */
const usePeople = question(() =>
  answerOf(client.GET('/api/v1/users', { params: { query: { status: 'active', paginateSize: MAX_SHOWN } } })),
);

/** A sentence with the name of a person, who may have left. */
export function PersonName({ id, of }: { id: string; of: (name: string) => string }) {
  const { data: people } = usePeople('');
  return <>{of(people?.data.find((person) => person.id === id)?.name ?? id)}</>;
}

type PersonChoiceProps = { label: string; id: string | null; choose: (id: string | null) => void };

/** A person of the organization, or nobody. */
export function PersonChoice({ label, id, choose }: PersonChoiceProps) {
  const { data: people } = usePeople('');
  // a person who has left is still named
  const isKnown = id === null || people?.data.some((person) => person.id === id);
  return (
    <label class="choice">
      <span>{label}</span>
      <select data-key="a" value={id ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value || null)}>
        <option value="">{texts.nobody}</option>
        {id && !isKnown && <option value={id}>{id}</option>}
        {people?.data.map((person) => (
          <option key={person.id} value={person.id}>
            {person.name}
          </option>
        ))}
      </select>
    </label>
  );
}
