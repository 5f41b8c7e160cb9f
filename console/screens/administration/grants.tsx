import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { SupportGrant } from '../../api/types.ts';
import { type Field, oneOf, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { grants as words } from '../../texts/clients.ts';
import { nameOf } from '../../texts/names.ts';

const ROLES = ['viewer', 'analyst', 'admin'] as const;
const DAY_MS = 86_400_000;

const useGrants = question(() =>
  answerOf(client.GET('/api/v1/organization/support-grants', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const fields: Field[] = [
  { name: 'role', label: words.role, kind: 'choice', options: optionsOf(ROLES), initial: 'viewer' },
  { name: 'expiresAt', label: words.days, kind: 'number', required: true, initial: '1' },
  { name: 'reason', label: words.reason, kind: 'text', required: true },
];

const columns: TableColumn<SupportGrant>[] = [
  { label: words.who, cell: ({ staffName }) => <span class="strong">{staffName ?? words.everybody}</span> },
  { label: words.role, cell: ({ role }) => nameOf(role) },
  { label: words.reason, cell: ({ reason }) => reason },
  { label: words.ends, cell: ({ expiresAt }) => agoOf(expiresAt) },
  { label: words.status, cell: ({ status }) => <span class="tag">{nameOf(status)}</span> },
  {
    label: words.actions,
    cell: ({ id, status }) =>
      status === 'active' && (
        <Act
          label={words.revoke}
          sure={words.sure}
          done={words.revoked}
          run={() => answerOf(client.DELETE('/api/v1/organization/support-grants/{id}', { params: { path: { id } } }))}
        />
      ),
  },
];

/** The grants by which staff of the provider act in the organization. */
export const Grants = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={useGrants('')}
    columns={columns}
    keyOf={({ id }) => id}
  >
    <FormDialog label={words.add} fields={fields} send={create} />
  </Listing>
);

async function create({ text }: Values): Promise<undefined> {
  const expiresAt = new Date(Date.now() + Number(text('expiresAt')) * DAY_MS).toISOString();
  const body = { role: oneOf(ROLES, text('role')), expiresAt, reason: text('reason') };
  await answerOf(client.POST('/api/v1/organization/support-grants', { body }));
}
