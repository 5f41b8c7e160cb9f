import { answerOf, client } from '../../api/client.ts';
import type { Remediation } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { notify } from '../../parts/toasts.tsx';
import { texts } from '../../texts.ts';

const { columns, ...words } = texts.remediation;

export const fieldsOf = (known?: Remediation): Field[] => [
  { name: 'title', label: words.name, kind: 'text', required: true, initial: known?.title ?? '' },
  { name: 'description', label: words.description, kind: 'long', initial: known?.description ?? '' },
  { name: 'dueAt', label: columns.due, kind: 'due', initial: known?.dueAt?.slice(0, 10) ?? '' },
];

export const bodyOf = ({ text, maybe }: Values) => ({
  title: text('title'),
  description: maybe('description') ?? null,
  dueAt: maybe('dueAt') ?? null,
});

type PlanProps = { ids: string[]; done: () => void };

/** The work that closes the chosen findings. */
export const PlanRemediation = ({ ids, done }: PlanProps) => (
  <FormDialog
    label={words.add}
    look="plain"
    lead={words.addLead(ids.length)}
    fields={fieldsOf()}
    send={async (values): Promise<undefined> => {
      await answerOf(client.POST('/api/v1/remediations', { body: { ...bodyOf(values), findingIds: ids } }));
      notify(words.added);
      done();
    }}
  />
);
