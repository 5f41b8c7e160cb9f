import { AREA_NAMES, BUILT_IN, LEVEL_NAMES } from '#shared/platform/auth/levels.ts';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Role } from '../../api/types.ts';
import { type Field, oneOf, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { count } from '../../texts/amounts.ts';

const words = administration.roles;
const BASES = ['viewer', 'auditor', 'analyst', 'admin'] as const;
/** The level of each built-in role in all areas. */
const levelOf: Readonly<Record<string, string>> = BUILT_IN;

export const useRoles = question(() =>
  answerOf(client.GET('/api/v1/roles', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const AS_BASE = 'base';
const levels = [{ value: AS_BASE, label: words.asBase }, ...optionsOf(LEVEL_NAMES)];

const fields: Field[] = [
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'description', label: words.description, kind: 'text' },
  { name: 'basedOn', label: words.basedOn, kind: 'choice', options: optionsOf(BASES), initial: 'viewer' },
  ...AREA_NAMES.map(
    (area): Field => ({ name: area, label: words.areas[area], kind: 'choice', options: levels, initial: AS_BASE }),
  ),
];

const columns: TableColumn<Role>[] = [
  {
    label: words.name,
    cell: ({ name, description, builtIn }) => (
      <>
        <span class="strong">{name}</span> {builtIn && <span class="tag">{words.builtIn}</span>}
        {description && <span class="soft small"> {description}</span>}
      </>
    ),
  },
  ...AREA_NAMES.map(
    (area): TableColumn<Role> => ({
      label: words.areas[area],
      cell: ({ id, basedOn, areas }) => areas[area] ?? levelOf[basedOn ?? id] ?? '–',
    }),
  ),
  { label: words.holders, cell: ({ holders }) => count(holders) },
  {
    label: words.actions,
    cell: ({ id, builtIn }) =>
      !builtIn && (
        <Act
          label={words.remove}
          sure={words.sure}
          done={words.removed}
          run={() => answerOf(client.DELETE('/api/v1/roles/{id}', { params: { path: { id } } }))}
        />
      ),
  },
];

/** The roles as a matrix of areas and levels. */
export const Roles = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={useRoles('')}
    columns={columns}
    keyOf={({ id }) => id}
  >
    <FormDialog label={words.add} fields={fields} send={create} />
  </Listing>
);

async function create({ text, maybe }: Values): Promise<undefined> {
  const changed = AREA_NAMES.filter((area) => text(area) !== AS_BASE);
  const areas = Object.fromEntries(changed.map((area) => [area, oneOf(LEVEL_NAMES, text(area))]));
  const body = { name: text('name'), description: maybe('description'), basedOn: oneOf(BASES, text('basedOn')), areas };
  await answerOf(client.POST('/api/v1/roles', { body }));
}
