import type { ComponentChildren } from 'preact';
import type { operations } from '../../../dist/openapi.d.ts';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { textOf } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { jsonIn } from '../../forms/json.ts';
import { Facts } from '../../parts/facts.tsx';
import { dayOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { role } from '../../session.ts';
import { templates } from '../../texts/clients.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Template = RecordOf<'OrganizationTemplate'>;
type NewTemplate = operations['createOrganizationTemplate']['requestBody']['content']['application/json'];

const { columns, ...words } = templates;
const base = '/api/v1/organizations/all/templates';
const PARTS = ['settings', 'slaPolicies', 'suppressionRules', 'assetTagRules', 'savedFilters'] as const;

const shownOf = (part: unknown): string => {
  const isEmpty = part === null || part === undefined || Object.keys(part).length === 0;
  return isEmpty ? '' : JSON.stringify(part, null, 2);
};

const fieldsOf = (known?: Template): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
  ...PARTS.map(
    (part): Field => ({
      name: part,
      label: words.parts[part],
      hint: words.hints[part],
      kind: 'long',
      initial: shownOf(known?.[part]),
    }),
  ),
];

const bodyOf = (values: Values): NewTemplate => ({
  name: values.text('name'),
  description: values.text('description'),
  settings: jsonIn<NewTemplate['settings']>(values, 'settings') ?? {},
  slaPolicies: jsonIn<NewTemplate['slaPolicies']>(values, 'slaPolicies') ?? null,
  suppressionRules: jsonIn<NewTemplate['suppressionRules']>(values, 'suppressionRules') ?? [],
  assetTagRules: jsonIn<NewTemplate['assetTagRules']>(values, 'assetTagRules') ?? [],
  savedFilters: jsonIn<NewTemplate['savedFilters']>(values, 'savedFilters') ?? [],
});

type NamedProps = { title: string; rows: readonly { name: string; text: string }[] };

const Named = ({ title, rows }: NamedProps) =>
  rows.length === 0 ? null : (
    <Section title={title}>
      <ul class="related">
        {rows.map(({ name, text }) => (
          <li key={name}>
            <span class="strong">{name}</span>
            <code>{text}</code>
          </li>
        ))}
      </ul>
    </Section>
  );

/** Settings as the API names them: a template has those of the API, of which the console knows some. */
const named = (values: object): (readonly [string, ComponentChildren])[] =>
  Object.entries(values).map(([name, value]) => [name, String(value)] as const);

function Sections({ record, put, changed }: PartProps<Template>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  const { settings, slaPolicies, suppressionRules, assetTagRules, savedFilters } = record;
  return (
    <>
      <Section title={words.what}>
        <p class={record.description ? '' : 'soft'}>{record.description || words.noDescription}</p>
        <p class="soft small">{words.lead}</p>
        {role.value === 'platform_owner' && (
          <DetailActs
            of={{ record, put, changed }}
            words={words}
            fields={fieldsOf(record)}
            save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, body: bodyOf(values) }))}
            remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: at.params }))}
          />
        )}
      </Section>
      <Section title={words.parts.settings}>
        {Object.keys(settings).length === 0 ? <p class="soft">{words.defaults}</p> : <Facts rows={named(settings)} />}
      </Section>
      <Section title={words.parts.slaPolicies}>
        {slaPolicies?.days ? <Facts rows={named(slaPolicies.days)} /> : <p class="soft">{words.defaults}</p>}
      </Section>
      <Named
        title={words.parts.suppressionRules}
        rows={suppressionRules.map(({ name, status, filter, conditions }) => ({
          name,
          text: `${textOf(filter) || JSON.stringify(conditions)} → ${texts.statuses[status]}`,
        }))}
      />
      <Named
        title={words.parts.assetTagRules}
        rows={assetTagRules.map(({ name, condition, tags }) => ({
          name,
          text: `${textOf(condition)} → ${tags.join(', ')}`,
        }))}
      />
      <Named
        title={words.parts.savedFilters}
        rows={savedFilters.map(({ name, filter }) => ({ name, text: textOf(filter) }))}
      />
    </>
  );
}

const detail: Detail<Template> = {
  title: texts.screens.templates,
  path: '/organization-templates',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { createdBy } }) => <span class="soft">{words.by(createdBy.name)}</span>,
  Sections,
};

/** Only platform owners make templates. */
const Lead = () => (
  <>
    <Views />
    {role.value === 'platform_owner' && (
      <p>
        <FormDialog
          label={words.add}
          lead={words.lead}
          fields={fieldsOf()}
          send={async (values): Promise<undefined> => {
            await answerOf(client.POST(base, { body: bodyOf(values) }));
          }}
        />
      </p>
    )}
  </>
);

const kind: RecordKind<RecordOf<'OrganizationTemplateListItem'>> = {
  name: 'organization-template',
  path: base,
  icon: 'clipboard',
  title: texts.screens.templates,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: ({ name, description }) => (
        <>
          <span class="cut strong">{name}</span>
          <span class="cut soft small">{description}</span>
        </>
      ),
    },
    { name: 'by', label: columns.by, width: '160px', cell: ({ createdBy }) => createdBy.name },
    { name: 'changed', label: columns.changed, width: '132px', shown: 'named', cell: (row) => dayOf(row.updatedAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
