import type { WebhookEndpoint } from '../api/types.ts';
import { filterAfter, textOf } from '../filter/filter-text.ts';
import { eventFilter as words } from '../texts/event-filter.ts';
import { choicesOf, chosenIn, type Field, type Values } from './field.ts';

type Matching = NonNullable<WebhookEndpoint['matching']>;

/** The fields that choose events by a filter of their records. */
export const matchingFields = (known?: Matching | null): Field[] => [
  {
    name: 'matching.entity',
    label: words.entity,
    kind: 'choice',
    options: choicesOf(words.entities),
    initial: known?.entity ?? 'finding',
    width: 'half',
  },
  {
    name: 'matching.filter',
    label: words.filter,
    hint: words.filterHint,
    kind: 'text',
    initial: textOf(known?.filter),
  },
];

/** The typed filter; null: all events. */
export function matchingIn({ text, maybe }: Values, known?: Matching | null): Matching | null {
  const { filter, filterId } = filterAfter(maybe('matching.filter'), known ?? undefined);
  const entity = chosenIn(words.entities, text('matching.entity'));
  if (filterId) return { entity, filterId };
  return filter ? { entity, filter } : null;
}

/** Types of events as a person types them. */
export const typesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
