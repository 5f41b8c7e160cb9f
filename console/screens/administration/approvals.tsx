import { answerOf, client, sendAgain } from '../../api/client.ts';
import { askAgain, question } from '../../api/question.ts';
import type { ApprovalRequest } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { approvals as words } from '../../texts/approvals.ts';
import { readMe } from '../../zone.ts';

const useWaiting = question(async () => {
  const query = { status: 'waiting', paginateSize: LIST_SIZE } as const;
  const [waiting, me] = await Promise.all([
    answerOf(client.GET('/api/v1/roles/second-person/requests', { params: { query } })),
    readMe(),
  ]);
  return { ...waiting, data: waiting.data.map((request) => ({ ...request, isOwn: request.createdBy.id === me.id })) };
});

type Waiting = ApprovalRequest & { isOwn: boolean };

const refuse = (id: string, reason: string | null) =>
  answerOf(
    client.POST('/api/v1/roles/second-person/requests/{id}/refuse', { params: { path: { id } }, body: { reason } }),
  );

const fields: Field[] = [{ name: 'reason', label: words.reason, kind: 'text' }];

const columns: TableColumn<Waiting>[] = [
  { label: words.what, cell: ({ operation }) => <span class="strong">{operation}</span> },
  {
    label: words.about,
    cell: ({ method, path, body }) => (
      <code>
        {method} {path} {Object.keys(body).length > 0 && JSON.stringify(body)}
      </code>
    ),
  },
  { label: words.who, cell: ({ createdBy }) => createdBy.name },
  { label: words.ends, cell: ({ expiresAt }) => agoOf(expiresAt) },
  {
    label: words.actions,
    cell: (request) => (request.isOwn ? <Withdrawal {...request} /> : <Decision {...request} />),
  },
];

const Withdrawal = ({ id }: Waiting) => (
  <Act label={words.withdraw} done={words.withdrawn} run={() => refuse(id, null)} />
);

const Decision = (request: Waiting) => (
  <span class="acts">
    <Act label={words.approve} sure={words.sure} done={words.approved} run={() => sendAgain(request)} />
    <FormDialog
      label={words.refuse}
      look="link"
      fields={fields}
      send={async ({ text }: Values): Promise<undefined> => {
        await refuse(request.id, text('reason') || null);
        notify(words.refused);
        askAgain();
      }}
    />
  </span>
);

/** The requests for what cannot be undone: a second person sends one again, or refuses it. */
export const Approvals = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={useWaiting('')}
    columns={columns}
    keyOf={({ id }) => id}
  />
);
