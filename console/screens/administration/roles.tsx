import { AREA_NAMES, BUILT_IN, LEVEL_NAMES } from '#shared/platform/auth/levels.ts';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Role } from '../../api/types.ts';
import { type Field, oneOf, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
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

const fieldsOf = (role?: Role): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: role?.name ?? '' },
  { name: 'description', label: words.description, kind: 'text', initial: role?.description ?? '' },
  {
    name: 'basedOn',
    label: words.basedOn,
    kind: 'choice',
    options: optionsOf(BASES),
    initial: role?.basedOn ?? 'viewer',
  },
  ...AREA_NAMES.map(
    (area): Field => ({
      name: area,
      label: words.areas[area],
      kind: 'choice',
      width: 'half',
      options: levels,
      initial: role?.areas[area] ?? AS_BASE,
    }),
  ),
];

const columns: TableColumn<Role>[] = [
  {
    label: words.name,
    cell: ({ name, description, builtIn }) => (
      <>
        <span class="strong">{name}</span> {builtIn && <span class="tag">{words.builtIn}</span>}
        {description && <p class="soft small about">{description}</p>}
      </>
    ),
  },
  { label: words.levels, cell: Levels },
  { label: words.holders, cell: ({ holders }) => count(holders) },
  { label: words.actions, cell: (role) => !role.builtIn && <Actions role={role} /> },
];

/** The level of the built-in role, and the areas that have another one. */
function Levels({ id, basedOn, areas }: Role) {
  const base = levelOf[basedOn ?? id] ?? '–';
  const others = AREA_NAMES.filter((area) => (areas[area] ?? base) !== base);
  return (
    <span class="acts">
      {others.length === 0 ? words.everywhere(base) : words.otherwise(base)}
      {others.map((area) => (
        <span key={area} class="tag">
          {words.areas[area]}: {areas[area]}
        </span>
      ))}
    </span>
  );
}

const usePreview = question(async (about: string) => {
  const { id, body }: { id: string; body: ReturnType<typeof patchOf> } = JSON.parse(about);
  return answerOf(client.POST('/api/v1/roles/{id}/preview', { params: { path: { id } }, body }));
});

/** The operations that the holders of the role gain and lose. */
function Preview({ id, values }: { id: string; values: Values }) {
  const { data, error } = usePreview(JSON.stringify({ id, body: patchOf(values) }));
  return (
    <p class="preview" aria-live="polite">
      {error && <span class="overdue">{error.message}</span>}
      {!error && data && words.preview(data.holders, data.gained.length, data.lost.length)}
    </p>
  );
}

function Actions({ role }: { role: Role }) {
  const { id, version, name } = role;
  const params = { path: { id } };
  const headers = { 'if-match': `"${version}"` };
  return (
    <RecordActs
      name={name}
      words={words}
      fields={fieldsOf(role)}
      preview={(values) => <Preview id={id} values={values} />}
      save={(values) => answerOf(client.PATCH('/api/v1/roles/{id}', { params, headers, body: patchOf(values) }))}
      remove={() => answerOf(client.DELETE('/api/v1/roles/{id}', { params }))}
    />
  );
}

/** The roles with their levels. */
export const Roles = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={useRoles('')}
    columns={columns}
    keyOf={({ id }) => id}
  >
    <FormDialog label={words.add} fields={fieldsOf()} send={create} />
  </Listing>
);

function bodyOf({ text, maybe }: Values) {
  const changed = AREA_NAMES.filter((area) => text(area) !== AS_BASE);
  const areas = Object.fromEntries(changed.map((area) => [area, oneOf(LEVEL_NAMES, text(area))]));
  return { name: text('name'), description: maybe('description'), basedOn: oneOf(BASES, text('basedOn')), areas };
}

/** A merge patch keeps an area that it does not name: the areas that are as the built-in role are taken away. */
function patchOf(values: Values) {
  const { areas, description = null, ...body } = bodyOf(values);
  return { ...body, description, areas: { ...Object.fromEntries(AREA_NAMES.map((area) => [area, null])), ...areas } };
}

async function create(values: Values): Promise<undefined> {
  await answerOf(client.POST('/api/v1/roles', { body: bodyOf(values) }));
}
