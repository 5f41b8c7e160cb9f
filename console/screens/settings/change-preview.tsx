import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { PreviewedChange } from '../../api/types.ts';
import { Loading } from '../../parts/states.tsx';
import { pageOf } from '../../shell/links.ts';
import { settings } from '../../texts/settings.ts';

const words = settings.preview;

/** The service tries the change on each record, and makes none. */
const useEffectOf = question(async (about: string) => {
  const body: PreviewedChange = JSON.parse(about);
  return answerOf(client.POST('/api/v1/previews', { body }));
});

/** How many findings a change would change, with the list of them. */
export function ChangePreview({ change }: { change: PreviewedChange }) {
  const { data, error } = useEffectOf(JSON.stringify(change));
  if (error) return <p class="preview overdue">{error.message}</p>;
  if (!data) return <Loading lines={1} />;
  const found = data.preview;
  if (!found)
    return (
      <p class="preview soft" aria-live="polite">
        {words.waiting}
      </p>
    );
  const list = pageOf(found.links.list);
  return (
    <p class="preview" aria-live="polite">
      {found.changed === 0 && words.none}
      {found.changed > 0 && (list ? <Link href={list}>{words.would(found.changed)}</Link> : words.would(found.changed))}
      {found.refusedCount > 0 && ` ${words.refused(found.refusedCount)}`}
    </p>
  );
}
