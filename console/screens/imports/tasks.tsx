import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { agoOf } from '../../parts/format.ts';
import { Failed } from '../../parts/states.tsx';
import { useEvery } from '../../parts/use-every.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';

const words = texts.imports;
const EVERY_MS = 4_000;

const useTasks = question(() =>
  answerOf(client.GET('/api/v1/tasks', { params: { query: { status: ['queued', 'running'], limit: 20 } } })),
);

/** The tasks of everybody that have not ended; nothing where there are none. */
export function Tasks() {
  const { data, error, ask } = useTasks('');
  useEvery(EVERY_MS, ask);
  if (!data && error) return <Failed error={error} again={ask} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section>
      <h2>{words.tasks}</h2>
      <ul class="lines">
        {data.data.map(({ id, operation, progress: { done, total, unit }, createdBy, createdAt }) => (
          <li key={id} class="line">
            <span class="strong">{nameOf(operation)}</span>
            <progress aria-label={nameOf(operation)} value={total === undefined ? undefined : done} max={total} />
            <span class="soft">{words.running(done, total, unit)}</span>
            <span class="soft small">{[createdBy?.name, agoOf(createdAt)].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
