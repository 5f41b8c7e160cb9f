import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { zone } from '../zone.ts';
import { completed, placeAt } from './completion.ts';
import { type Entity, type Suggestion, useSuggestions } from './suggestions.ts';

type FilterBarProps = { entity: Entity; hint: string; filter: string; apply: (filter: string) => void };

/** The filter of a page, with suggestions. Enter applies it; `/` comes here from anywhere on the page. */
export function FilterBar({ entity, hint, filter, apply }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const { draft, active, suggestions, isOpen, isDay, look, leave, insert } = useCompletion(entity, filter, input);
  const [listId, noteId] = [useId(), useId()];
  useFocusOnSlash(input);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && suggestions.length > 0)
      active.value = Math.max(-1, Math.min(suggestions.length - 1, active.value + step));
    else if ((event.key === 'Enter' || event.key === 'Tab') && active.value >= 0) insert(suggestions[active.value]);
    else if (event.key === 'Enter') {
      input.current?.blur(); // the keys are those of the list again
      apply(draft.value.trim());
    } else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  return (
    <div class="filter">
      <Icon name="search" />
      <input
        ref={input}
        value={draft.value}
        role="combobox"
        aria-label={texts.list.filter}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-describedby={isDay ? noteId : undefined}
        aria-activedescendant={active.value >= 0 ? `${listId}-${active.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        onInput={look}
        onClick={look}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {filter !== '' && <ClearButton clear={() => apply('')} />}
      <Suggestions id={listId} isOpen={isOpen} suggestions={suggestions} active={active.value} insert={insert} />
      {isDay && (
        <div id={noteId} class="suggestions day-note soft small">
          {texts.list.days(today(), zone.value)}
        </div>
      )}
    </div>
  );
}

/** The day of UTC, which a filter counts. */
const today = (): string => new Date().toISOString().slice(0, 10);

const ClearButton = ({ clear }: { clear: () => void }) => (
  <button type="button" class="button quiet square" aria-label={texts.list.clear} onClick={clear}>
    <Icon name="close" />
  </button>
);

type SuggestionsProps = {
  id: string;
  isOpen: boolean;
  suggestions: readonly Suggestion[];
  active: number;
  insert: (suggestion: Suggestion) => void;
};

const Suggestions = ({ id, isOpen, suggestions, active, insert }: SuggestionsProps) => (
  <div id={id} class="suggestions" role="listbox" aria-label={texts.list.suggestions} hidden={!isOpen}>
    {suggestions.map((one, n) => (
      <div
        key={one.text}
        id={`${id}-${n}`}
        role="option"
        aria-selected={n === active}
        class="suggestion"
        onMouseDown={(event) => {
          event.preventDefault(); // the input keeps the focus
          insert(one);
        }}
      >
        <span>{one.text}</span>
        <span class="soft cut">{one.hint}</span>
      </div>
    ))}
  </div>
);

function useFocusOnSlash(input: Input): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [input]);
}

/** Keys that a field or an open dialog takes are no commands of the page. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  document.querySelector('dialog[open]:not(.drawer)') !== null ||
  (target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null);

type Input = { current: HTMLInputElement | null };

/** The typed text, the place of the caret in it, and what fits there. */
function useCompletion(entity: Entity, filter: string, input: Input) {
  const draft = useSignal(filter);
  const caret = useSignal<number | undefined>(undefined);
  const active = useSignal(-1);
  useEffect(() => {
    draft.value = filter;
  }, [filter]);
  const place = caret.value === undefined ? undefined : placeAt(draft.value, caret.value);
  const { suggestions, isDay = false } = useSuggestions(entity, place);
  const look = () => {
    draft.value = input.current?.value ?? '';
    caret.value = input.current?.selectionStart ?? undefined;
    active.value = -1;
  };
  const leave = () => {
    caret.value = undefined;
  };
  const insert = (suggestion: Suggestion | undefined) => {
    if (!place || !suggestion || caret.value === undefined) return;
    const next = completed(draft.value, caret.value, place, suggestion.text);
    draft.value = next.text;
    caret.value = next.caret;
    active.value = -1;
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  const isOpen = suggestions.length > 0 && caret.value !== undefined;
  return { draft, active, suggestions, isOpen, isDay: isDay && place !== undefined, look, leave, insert };
}
