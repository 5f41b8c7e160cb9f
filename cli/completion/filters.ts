import { completed, placeAt } from '../../console/filter/completion.ts';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Candidates } from './candidates.ts';

type Entity = Schemas['SavedFilter']['entity'];
type Field = Schemas['FilterField'];

/** The records that the filter of a command selects. */
const ENTITIES: Readonly<Record<string, Entity>> = {
  findings: 'finding',
  vulnerabilities: 'vulnerability',
  assets: 'asset',
  alerts: 'alert',
  tasks: 'task',
  deliveries: 'delivery',
};

/** Fields and values of a filter, from the service. @param command the name of the command with the filter */
export async function filterCandidates(client: Client, command: string, typed: string): Promise<Candidates> {
  const entity = ENTITIES[command] ?? 'finding';
  const place = placeAt(typed, typed.length);
  if (!place) return { kind: 'words', words: [] };
  const fields = await answerOf(client.GET('/api/v1/filters/fields', { params: { query: { entity } } }));
  const put = (text: string) => completed(typed, typed.length, place, text).text;
  if (place.kind === 'value') {
    const field = fields.find(({ name }) => name.toLowerCase() === place.field.toLowerCase());
    return field
      ? { kind: 'nospace', words: await valuesOf(client, { entity, field, typed: place.typed }, put) }
      : { kind: 'words', words: [] };
  }
  const start = place.typed.toLowerCase();
  const fitting = fields.filter(({ name, operators }) => operators.length > 0 && name.toLowerCase().startsWith(start));
  const [only] = fitting;
  if (!only || fitting.length > 1)
    return { kind: 'nospace', words: fitting.map(({ name, description }) => ({ word: put(name), hint: description })) };
  // a shell closes the quotes behind the only word that fits, so that nothing could follow the name alone
  const behind = put(only.name);
  const inside = placeAt(behind, behind.length);
  const putValue = (text: string) => (inside ? completed(behind, behind.length, inside, text).text : behind);
  const values = await valuesOf(client, { entity, field: only, typed: '' }, putValue);
  const example = typed.slice(0, place.from) + only.example;
  return {
    kind: 'nospace',
    words:
      values.length > 0
        ? values
        : [
            { word: behind, hint: only.description },
            { word: example, hint: 'for example' },
          ],
  };
}

type Asked = { entity: Entity; field: Field; typed: string };

/** Values with their numbers of records; of days and numbers none. */
async function valuesOf(client: Client, { entity, field, typed }: Asked, put: (value: string) => string) {
  const query = { entity, field: field.name, ...(typed !== '' && { search: typed }) };
  const values = await answerOf(client.GET('/api/v1/filters/values', { params: { query } })).catch(() => []);
  return values
    .filter(({ value }) => value.toLowerCase().startsWith(typed.toLowerCase()))
    .map(({ value, count }) => ({ word: put(value), hint: count === null ? '' : String(count) }));
}
