import { answerOf, client, Refused } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Organization } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf, dayOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { PartProps } from '../../records/detail.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { clients } from '../../texts/clients.ts';

const words = clients.removal;
const path = '/api/v1/organizations/{id}/deletion';

/** null: nobody has requested a deletion. */
const useDeletion = question(async (id) => {
  const asked = answerOf(client.GET(path, { params: { path: { id } } }));
  const deletion = await asked.catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'not_found') return null;
    throw error;
  });
  return { deletion };
});

/** The name protects against a wrong client. */
export const typedName: Field = { name: 'name', label: words.name, hint: words.nameHint, kind: 'text', required: true };

const stateOf = ({
  status,
  requestedBy,
  requestedAt,
  approvedBy,
  deletionAt,
}: RecordOf<'OrganizationDeletion'>): string => {
  if (status === 'requested') return words.requestedBy(requestedBy.name, agoOf(requestedAt));
  if (status === 'approved' && approvedBy && deletionAt) return words.approvedBy(approvedBy.name, dayOf(deletionAt));
  return status === 'deleting' ? words.begun : words.none;
};

/** One platform owner requests the deletion, another one approves it, and each of them takes it back. */
export function Removal({ record: { id }, changed }: PartProps<Organization>) {
  const { data, error, ask } = useDeletion(id);
  const params = { path: { id } };
  const request = async ({ text }: Values): Promise<undefined> => {
    await answerOf(client.POST(path, { params, body: { name: text('name') } }));
    notify(words.requested);
  };
  const approve = async ({ text }: Values): Promise<undefined> => {
    await answerOf(client.POST(`${path}/approve`, { params, body: { name: text('name') } }));
    notify(words.approved);
    changed();
  };
  const cancel = async () => {
    await answerOf(client.POST(`${path}/cancel`, { params }));
    changed();
  };
  const status = data?.deletion?.status ?? 'cancelled';
  return (
    <Section title={words.title}>
      {error && <Failed error={error} again={ask} />}
      {data && (
        <p class={data.deletion && status !== 'cancelled' ? 'failed' : 'soft'}>
          {data.deletion ? stateOf(data.deletion) : words.none}
        </p>
      )}
      {data && (
        <p class="acts">
          {status === 'cancelled' && (
            <FormDialog label={words.request} lead={words.lead} look="link" fields={[typedName]} send={request} />
          )}
          {status === 'requested' && (
            <FormDialog
              label={words.approve}
              lead={words.approveLead}
              look="link"
              fields={[typedName]}
              send={approve}
            />
          )}
          {(status === 'requested' || status === 'approved') && (
            <Act label={words.cancel} done={words.cancelled} run={cancel} />
          )}
        </p>
      )}
    </Section>
  );
}
