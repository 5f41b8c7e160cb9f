import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { isOver } from '../../api/task.ts';
import type { Organization, Task } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { useEvery } from '../../parts/use-every.ts';
import type { PartProps } from '../../records/detail.tsx';
import { clients } from '../../texts/clients.ts';
import { typedName } from './removal.tsx';

const words = clients.copies;
const EVERY_MS = 3_000;
const MOST_TASKS = 100;

/** Copies and restorations of all clients are tasks of the provider. */
const useTasks = question(() => {
  const query = { operation: ['copy_organization', 'restore_organization'], limit: MOST_TASKS } as const;
  return answerOf(client.GET('/api/v1/tasks', { params: { query: { ...query, operation: [...query.operation] } } }));
});

const Line = ({ task }: { task: Task }) => (
  <li>
    <span class="strong">{words.operations[task.operation === 'copy_organization' ? 'copy' : 'restore']}</span>
    <span class="soft">{task.error?.message ?? words.statuses[task.status]}</span>
    <span class="soft small">{[task.createdBy?.name, agoOf(task.createdAt)].filter(Boolean).join(', ')}</span>
    {task.operation === 'copy_organization' && <code>{task.id}</code>}
  </li>
);

const fieldsOf = (copies: readonly Task[]): Field[] => [
  {
    name: 'copyId',
    label: words.copy,
    hint: words.copyHint,
    kind: 'text',
    required: true,
    initial: copies[0]?.id ?? '',
  },
  typedName,
];

const bodyOf = ({ text }: Values) => ({ copyId: text('copyId'), name: text('name') });

/** A copy is taken while the client works; one platform owner requests its restoration, and another one approves it. */
export function Copies({ record: { id } }: PartProps<Organization>) {
  const { data, error, ask } = useTasks('');
  const params = { path: { id } };
  const tasks = data?.data.filter(({ resource }) => resource?.id === id) ?? [];
  useEvery(tasks.every(isOver) ? undefined : EVERY_MS, ask);
  const copies = tasks.filter(({ operation, status }) => operation === 'copy_organization' && status === 'succeeded');
  const request = async (values: Values): Promise<undefined> => {
    await answerOf(client.POST('/api/v1/organizations/{id}/restoration', { params, body: bodyOf(values) }));
    notify(words.requested);
  };
  const approve = async (values: Values): Promise<undefined> => {
    await answerOf(client.POST('/api/v1/organizations/{id}/restoration/approve', { params, body: bodyOf(values) }));
    notify(words.approved);
  };
  return (
    <Section title={words.title}>
      {error && <Failed error={error} again={ask} />}
      {data && tasks.length === 0 && <p class="soft">{words.none}</p>}
      {tasks.length > 0 && (
        <ul class="related">
          {tasks.map((task) => (
            <Line key={task.id} task={task} />
          ))}
        </ul>
      )}
      <p class="acts">
        <Act
          label={words.take}
          done={words.taken}
          run={() => answerOf(client.POST('/api/v1/organizations/{id}/copies', { params }))}
        />
        <FormDialog label={words.request} lead={words.lead} look="link" fields={fieldsOf(copies)} send={request} />
        <FormDialog
          label={words.approve}
          lead={words.approveLead}
          look="link"
          fields={fieldsOf(copies)}
          send={approve}
        />
      </p>
    </Section>
  );
}
