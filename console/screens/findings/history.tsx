import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { agoOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.finding;
const SHOWN = 8;

const useHistory = question((about: string) => {
  const [id = ''] = about.split(' ');
  return answerOf(client.GET('/api/v1/findings/{id}/history', { params: { path: { id } } }));
});

/** The newest changes with their authors. */
export function History({ id, version }: { id: string; version: number }) {
  const { data, error, ask } = useHistory(`${id} ${version}`);
  if (!data && error) return <Failed error={error} again={ask} />;
  if (!data || data.length === 0) return null;
  return (
    <Section title={words.history}>
      <ol class="history">
        {data.slice(0, SHOWN).map(({ version: of, at, by, changes, reason }) => (
          <li key={of}>
            <span>{summaryOf(changes)}</span>
            {reason && <span class="soft"> – {reason}</span>}
            <span class="soft small">{words.by(by.name, agoOf(at))}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function summaryOf(changes: Readonly<Record<string, { from?: unknown; to?: unknown }>>): string {
  const { status, ...others } = changes;
  const names = Object.keys(others);
  const moved = status ? [words.moved(String(status.from), String(status.to))] : [];
  return [...moved, ...(names.length > 0 ? [words.changedFields(names.join(', '))] : [])]
    .join('; ')
    .replaceAll('_', ' ');
}
