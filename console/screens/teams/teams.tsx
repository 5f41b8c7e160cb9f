import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Team } from '../../api/types.ts';
import type { Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Act } from '../../parts/listing.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { team as texts } from '../../texts/teams.ts';
import { useAccounts } from './accounts.ts';
import { Belongings } from './belongings.tsx';
import { bodyOf, fieldsOf } from './team-form.ts';
import { Work } from './work.tsx';

const { columns, ...words } = texts;

function AddTeam() {
  const { data } = useAccounts('');
  const add = async (values: Values): Promise<undefined> => {
    await answerOf(client.POST('/api/v1/teams', { body: bodyOf(values) }));
  };
  return (
    <p>
      <FormDialog label={words.add} fields={fieldsOf(data?.accounts ?? [])} send={add} />
    </p>
  );
}

function Sections({ record, put, changed }: PartProps<Team>) {
  const { data } = useAccounts('');
  const { id, version, description } = record;
  const params = { path: { id } };
  const change = async (values: Values): Promise<undefined> => {
    const headers = { 'if-match': `"${version}"` };
    put(await answerOf(client.PATCH('/api/v1/teams/{id}', { params, headers, body: bodyOf(values) })));
    changed();
  };
  const remove = async () => {
    await answerOf(client.DELETE('/api/v1/teams/{id}', { params }));
    changed();
  };
  return (
    <>
      <Section title={words.about}>
        {description ? <Prose text={description} /> : <p class="soft">{words.noDescription}</p>}
        <p class="acts">
          {data && (
            <FormDialog label={words.change} look="link" fields={fieldsOf(data.accounts, record)} send={change} />
          )}
          <Act label={words.remove} sure={words.sureRemove} done={words.removed} run={remove} />
        </p>
      </Section>
      <Members team={record} />
      <Work id={id} />
      <Section title={words.belongings.title}>
        <p class="soft">{words.belongings.lead}</p>
        {data && <Belongings id={id} heirs={[...data.accounts, ...data.teams]} />}
      </Section>
    </>
  );
}

const Members = ({ team: { memberIds, leadId } }: { team: Team }) => {
  const { data } = useAccounts('');
  return (
    <Section title={words.members}>
      {memberIds.length === 0 && <p class="soft">{words.noMembers}</p>}
      <ul class="related">
        {memberIds.map((member) => (
          <li key={member}>
            <span>{data?.names.get(member) ?? member}</span>
            {member === leadId && <span class="tag">{words.lead}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
};

const detail: Detail<Team> = {
  title: words.title,
  path: '/teams',
  useRecord: question((id) => answerOf(client.GET('/api/v1/teams/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { memberIds } }) => (
    <span class="tag">
      {words.members}: {count(memberIds.length)}
    </span>
  ),
  Sections,
};

const Lead = ({ id }: { id: string | null }) => {
  const { data } = useAccounts('');
  return <span class="cut">{id === null ? '–' : (data?.names.get(id) ?? '')}</span>;
};

const kind: RecordKind<Team> = {
  name: 'team',
  feed: 'team',
  path: '/api/v1/teams',
  icon: 'people',
  title: words.title,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/teams', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: AddTeam,
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
    { name: 'lead', label: columns.lead, width: '180px', cell: ({ leadId }) => <Lead id={leadId} /> },
    {
      name: 'members',
      label: columns.members,
      width: '96px',
      shown: 'named',
      cell: ({ memberIds }) => count(memberIds.length),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
