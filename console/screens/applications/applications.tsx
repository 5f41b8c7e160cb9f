import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Application } from '../../api/types.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { act } from '../../parts/act.ts';
import { PersonChoice } from '../../parts/assignee.tsx';
import { Tags } from '../../parts/facts.tsx';
import { SeverityMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { bodyOf, fieldsOf } from './application-form.ts';
import { AssetRules } from './asset-rules.tsx';
import { Environments } from './environments.tsx';
import { Exclusions } from './exclusions.tsx';
import { Links } from './links.tsx';
import { Risk } from './risk.tsx';

const { columns, ...words } = texts.application;

const exposureOf = ({ internetExposed }: Application) => {
  if (internetExposed === null) return <span class="soft">–</span>;
  return internetExposed ? words.exposed : words.internal;
};

function Acts({ record, put, changed }: PartProps<Application>) {
  const params = { path: { id: record.id } };
  const headers = { 'if-match': `"${record.version}"` };
  return (
    <DetailActs
      of={{ record, put, changed }}
      words={words}
      fields={fieldsOf(record)}
      save={(values) =>
        answerOf(client.PATCH('/api/v1/software/applications/{id}', { params, headers, body: bodyOf(values) }))
      }
      remove={() => answerOf(client.DELETE('/api/v1/software/applications/{id}', { params }))}
    />
  );
}

const AddApplication = () => (
  <p>
    <FormDialog
      label={words.add}
      fields={fieldsOf()}
      send={async (values): Promise<undefined> => {
        await answerOf(client.POST('/api/v1/software/applications', { body: bodyOf(values) }));
      }}
    />
  </p>
);

const detail: Detail<Application> = {
  title: texts.screens.applications,
  path: '/applications',
  useRecord: question((id) => answerOf(client.GET('/api/v1/software/applications/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { criticality } }) => <SeverityMark severity={criticality} />,
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={words.form.description}>
        {record.description ? <Prose text={record.description} /> : <p class="soft">{words.noDescription}</p>}
        {record.tags.length > 0 && <Tags tags={record.tags} />}
        <Acts record={record} put={put} changed={changed} />
      </Section>
      <Risk id={record.id} />
      <Section title={texts.finding.who}>
        <PersonChoice
          label={words.owner}
          id={record.ownerId}
          choose={(ownerId) =>
            void act(
              client.PATCH('/api/v1/software/applications/{id}', {
                params: { path: { id: record.id } },
                headers: { 'if-match': `"${record.version}"` },
                body: { ownerId },
              }),
              { done: words.ownerChanged, put, changed },
            )
          }
        />
      </Section>
      <Links id={record.id} />
      <AssetRules id={record.id} />
      <Exclusions id={record.id} />
      <Environments id={record.id} />
    </>
  ),
};

const kind: RecordKind<Application> = {
  name: 'application',
  entity: 'application',
  feed: 'application',
  path: '/api/v1/software/applications',
  icon: 'layers',
  title: texts.screens.applications,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/software/applications', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: AddApplication,
  columns: [
    {
      name: 'criticality',
      label: columns.criticality,
      width: '96px',
      shown: 'phone',
      cell: ({ criticality }) => <SeverityMark severity={criticality} />,
    },
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
    { name: 'assets', label: columns.assets, width: '84px', shown: 'named', cell: ({ assets }) => count(assets) },
    { name: 'exposed', label: columns.exposed, width: '96px', cell: exposureOf },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
