import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { User } from '../../api/types.ts';
import { type Field, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import { PageSearch, useSearchWords } from '../../parts/page-search.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { Leaving } from './leaving.tsx';
import { useRoles } from './roles.tsx';
import { UserRole } from './user-role.tsx';

const words = administration.people;

const useUsers = question((search) =>
  answerOf(
    search === ''
      ? client.GET('/api/v1/users', { params: { query: { paginateSize: LIST_SIZE } } })
      : client.GET('/api/v1/users/search', { params: { query: { search, paginateSize: LIST_SIZE } } }),
  ),
);

export function People() {
  const asked = useUsers(useSearchWords());
  const { data: roles } = useRoles('');
  const options = roles?.data.map(({ id, name }) => ({ value: id, label: name })) ?? optionsOf(['viewer']);
  const fields: Field[] = [
    { name: 'email', label: words.email, kind: 'email', required: true },
    { name: 'name', label: words.name, kind: 'text', required: true },
    { name: 'roles', label: words.role, kind: 'choice', options, initial: 'viewer' },
  ];
  const columns: TableColumn<User>[] = [
    {
      label: words.name,
      cell: ({ name, email }) => (
        <>
          <span class="strong">{name}</span> <span class="soft small">{email}</span>
        </>
      ),
    },
    { label: words.role, cell: (user) => <UserRole user={user} options={options} /> },
    { label: words.status, cell: ({ status }) => <span class="tag">{words.statuses[status]}</span> },
    { label: words.lastSignIn, cell: ({ lastSignInAt }) => (lastSignInAt ? agoOf(lastSignInAt) : words.never) },
    { label: words.actions, cell: (user) => <Actions user={user} /> },
  ];
  return (
    <>
      <PageSearch label={words.search} />
      <Listing
        title={words.title}
        lead={words.lead}
        words={words}
        asked={asked}
        columns={columns}
        keyOf={({ id }) => id}
      >
        <FormDialog label={words.invite} fields={fields} send={invite} />
      </Listing>
    </>
  );
}

async function invite({ text }: Values): Promise<undefined> {
  const body = { email: text('email'), name: text('name'), roles: [{ roleId: text('roles') }] };
  await answerOf(client.POST('/api/v1/users', { body }));
}

type ActionsProps = { user: User };

const Actions = ({ user: { id, name, status } }: ActionsProps) => {
  const at = { params: { path: { id } } };
  return (
    <span class="acts">
      {status === 'invited' && (
        <Act
          label={words.again}
          done={words.invited}
          run={() => answerOf(client.POST('/api/v1/users/{id}/invitation', at))}
        />
      )}
      {status === 'active' && (
        <Act
          label={words.suspend}
          sure={words.sureSuspend}
          done={words.suspended}
          run={() => answerOf(client.POST('/api/v1/users/{id}/suspend', at))}
        />
      )}
      {status === 'suspended' && (
        <Act
          label={words.activate}
          done={words.activated}
          run={() => answerOf(client.POST('/api/v1/users/{id}/activate', at))}
        />
      )}
      <Leaving id={id} name={name} />
      {status !== 'deactivated' && (
        <Act
          label={words.remove}
          sure={words.sureRemove}
          done={words.removed}
          run={() => answerOf(client.DELETE('/api/v1/users/{id}', at))}
        />
      )}
    </span>
  );
};
