import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import type { FilterField, SavedFilter } from '../api/types.ts';
import type { Place } from './completion.ts';

export type Entity = SavedFilter['entity'];
export type Suggestion = { text: string; hint: string };

const MAX_SHOWN = 9;

/** Fields do not change while a page is open. */
const fields = new Map<Entity, Promise<FilterField[]>>();

function fieldsOf(entity: Entity): Promise<FilterField[]> {
  const known = fields.get(entity);
  if (known) return known;
  const asked = answerOf(client.GET('/api/v1/filters/fields', { params: { query: { entity } } }));
  fields.set(entity, asked);
  asked.catch(() => fields.delete(entity));
  return asked;
}

type Asked = { entity: Entity; place: Place };
/** `isDay`: the person types days, of which there is no list. */
type Suggested = { suggestions: readonly Suggestion[]; isDay?: boolean };
const NOTHING: Suggested = { suggestions: [] };

async function suggest({ entity, place }: Asked): Promise<Suggested> {
  if (place.kind === 'field') {
    const typed = place.typed.toLowerCase();
    const all = (await fieldsOf(entity)).filter(({ operators }) => operators.length > 0);
    const fitting = all.filter(({ name }) => name.toLowerCase().startsWith(typed));
    const shown = fitting.slice(0, MAX_SHOWN);
    return { suggestions: shown.map(({ name, description }) => ({ text: name, hint: description })) };
  }
  const field = (await fieldsOf(entity)).find(({ name }) => name.toLowerCase() === place.field.toLowerCase());
  if (field?.kind === 'day') return { ...NOTHING, isDay: true };
  if (!field || place.kind === 'compared') return NOTHING;
  const query = { entity, field: field.name, ...(place.typed !== '' && { search: place.typed }) };
  const values = await answerOf(client.GET('/api/v1/filters/values', { params: { query } }));
  const shown = values.slice(0, MAX_SHOWN);
  return { suggestions: shown.map(({ value, count }) => ({ text: value, hint: count?.toLocaleString('en') ?? '' })) };
}

/** A hook with the suggestions for a place; for no place none. */
const useAsked = question(async (about: string): Promise<Suggested> => {
  const asked: Asked | null = JSON.parse(about);
  // a field without a list of values, such as a number, has no suggestions
  return asked ? suggest(asked).catch(() => NOTHING) : NOTHING;
});

export const useSuggestions = (entity: Entity, place: Place | undefined): Suggested =>
  useAsked(JSON.stringify(place ? { entity, place: { ...place, from: 0 } } : null)).data ?? NOTHING;
