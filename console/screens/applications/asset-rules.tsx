import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { act } from '../../parts/act.ts';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { pageOf } from '../../shell/links.ts';
import { texts } from '../../texts.ts';

const words = texts.application.rules;
const MOST = 20;
const PAUSE_MS = 300;

const useRules = question((id) => {
  const params = { path: { id }, query: { paginateSize: MOST } };
  return answerOf(client.GET('/api/v1/software/applications/{id}/asset-rules', { params }));
});

type Draft = { id: string; condition: string };

/** The assets that a rule would link. The service counts them; nothing is saved. */
const usePreview = question(async (about: string) => {
  const { id, condition }: Draft = JSON.parse(about);
  if (condition === '') return undefined;
  const body = { name: words.make, condition };
  return answerOf(
    client.POST('/api/v1/software/applications/{id}/asset-rules/preview', { params: { path: { id } }, body }),
  );
});

/** The rules that link assets to an application, and a new one with its preview. */
export const AssetRules = ({ id }: { id: string }) => (
  <>
    <Related title={words.title} asked={useRules(id)} none={words.none}>
      {({ name, condition, matchCount, enabled }) => (
        <>
          <span class="strong">{name}</span>
          {typeof condition === 'string' && <code>{condition}</code>}
          <span class="soft">{enabled ? words.matches(matchCount) : words.off}</span>
        </>
      )}
    </Related>
    <NewRule id={id} />
  </>
);

function NewRule({ id }: { id: string }) {
  const name = useSignal('');
  const condition = useSignal('');
  const asked = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = condition.value.trim();
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [condition.value]);
  const make = async (event: Event) => {
    event.preventDefault();
    const body = { name: name.value, condition: condition.value.trim() };
    const refused = await act(
      client.POST('/api/v1/software/applications/{id}/asset-rules', { params: { path: { id } }, body }),
      { done: words.added },
    );
    if (refused) return;
    name.value = '';
    condition.value = '';
  };
  return (
    <Section title={words.make}>
      <form class="save-view" onSubmit={(event) => void make(event)}>
        <input
          required
          aria-label={words.name}
          placeholder={words.name}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <textarea
          required
          class="code"
          rows={2}
          aria-label={words.condition}
          placeholder={words.condition}
          value={condition.value}
          onInput={({ currentTarget }) => {
            condition.value = currentTarget.value;
          }}
        />
        <Preview id={id} condition={asked.value} />
        <button type="submit" class="button">
          {words.add}
        </button>
      </form>
    </Section>
  );
}

function Preview({ id, condition }: Draft) {
  const { data, error } = usePreview(JSON.stringify({ id, condition }));
  const list = pageOf(data?.links.list);
  const shown = data && words.preview(data.matchCount, data.newlyLinked);
  return (
    <p class="small" aria-live="polite">
      {error && <span class="overdue">{error.message}</span>}
      {!error && shown && (list ? <Link href={list}>{shown}</Link> : shown)}
      {!error && data && !data.isComplete && ` ${words.incomplete}`}
    </p>
  );
}
