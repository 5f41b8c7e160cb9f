import { useSignal } from '@preact/signals';
import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import type { SavedFilter } from '../api/types.ts';
import type { Entity } from '../filter/suggestions.ts';
import { act } from '../parts/act.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { texts } from '../texts.ts';
import type { Address } from './use-address.ts';

const MAX_SHOWN = 100;
const words = texts.views;

const useViews = question((entity) => {
  const one: Entity = JSON.parse(entity);
  const query = { entity: one, paginateSize: MAX_SHOWN };
  return answerOf(client.GET('/api/v1/saved-filters', { params: { query } }));
});

type ViewsProps = { entity: Entity; address: Address };

/** Saved filters of these records: a person opens one, and saves, renames or deletes it. */
export function SavedViews({ entity, address }: ViewsProps) {
  const { data, ask } = useViews(JSON.stringify(entity));
  const { filter, sort, others } = address;
  const current = data?.data.find((view) => view.filter === filter && (view.sort ?? 'newest') === sort);
  return (
    <Menu label={current?.name ?? words.title} icon="bookmark">
      {data?.data.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="views">
        {data?.data.map((view) => (
          <View key={view.id} view={view} address={address} isCurrent={view === current} changed={ask} />
        ))}
      </ul>
      {others.length > 0 && <p class="soft small">{words.parameters}</p>}
      {filter !== '' && others.length === 0 && !current && <SaveForm {...{ entity, filter, sort }} saved={ask} />}
      {filter === '' && <p class="soft small">{words.hint}</p>}
    </Menu>
  );
}

type ViewProps = { view: SavedFilter; address: Address; isCurrent: boolean; changed: () => void };

function View({ view, address, isCurrent, changed }: ViewProps) {
  const isNaming = useSignal(false);
  const { id, name, filter, sort, visibility } = view;
  const params = { path: { id } };
  const rename = (next: string) => {
    isNaming.value = false;
    if (next && next !== name)
      void act(client.PATCH('/api/v1/saved-filters/{id}', { params, body: { name: next } }), {
        done: words.renamed(next),
        changed,
      });
  };
  if (isNaming.value)
    return (
      <li>
        <input
          aria-label={words.name}
          defaultValue={name}
          ref={(input) => input?.focus()}
          maxLength={120}
          onBlur={({ currentTarget }) => rename(currentTarget.value.trim())}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        />
      </li>
    );
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <button
        type="button"
        class="link view-name"
        // a filter that has no text is opened by its id
        onClick={() => address.go(typeof filter === 'string' ? { filter } : { filterId: id }, sort)}
      >
        {name} <span class="soft small">{words[visibility]}</span>
      </button>
      <button
        type="button"
        class="button quiet square"
        aria-label={words.rename(name)}
        onClick={() => {
          isNaming.value = true;
        }}
      >
        <Icon name="pen" />
      </button>
      <button
        type="button"
        class="button quiet square"
        aria-label={words.remove(name)}
        onClick={() =>
          void act(client.DELETE('/api/v1/saved-filters/{id}', { params }), { done: words.removed(name), changed })
        }
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

type SaveProps = { entity: Entity; filter: string; sort: string; saved: () => void };

function SaveForm({ entity, filter, sort, saved }: SaveProps) {
  const name = useSignal('');
  const isShared = useSignal(false);
  const save = (event: Event) => {
    event.preventDefault();
    const visibility = isShared.value ? ('shared' as const) : ('private' as const);
    const body = { name: name.value, entity, filter, visibility, sort: sort === 'newest' ? null : sort };
    void act(client.POST('/api/v1/saved-filters', { body }), { done: words.saved(name.value), changed: saved });
  };
  return (
    <form class="save-view" onSubmit={save}>
      <input
        required
        maxLength={120}
        aria-label={words.name}
        placeholder={words.name}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <label>
        <input
          type="checkbox"
          checked={isShared.value}
          onChange={({ currentTarget }) => {
            isShared.value = currentTarget.checked;
          }}
        />{' '}
        {words.share}
      </label>
      <button type="submit" class="button main">
        {words.save}
      </button>
    </form>
  );
}
