import { answerOf, client, Refused } from '../../api/client.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import type { Field } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { notify } from '../../parts/toasts.tsx';
import { ticketRule } from '../../texts/ticket.ts';
import { texts } from '../../texts.ts';

const words = texts.openTickets;

const fields: Field[] = [
  {
    name: 'project',
    label: ticketRule.project,
    hint: ticketRule.projectHint,
    kind: 'text',
    width: 'half',
    required: true,
  },
  { name: 'issueType', label: ticketRule.issueType, kind: 'text', width: 'half' },
  { name: 'labels', label: ticketRule.labels, hint: ticketRule.labelsHint, kind: 'text' },
];

type OpenTicketsProps = { type: 'finding' | 'vulnerability'; ids: string[]; done?: () => void };

/** A ticket for each of the records; a record that has one keeps it. */
export const OpenTickets = ({ type, ids, done }: OpenTicketsProps) => (
  <FormDialog
    label={words.open(ids.length)}
    look="plain"
    fields={fields}
    send={async ({ text, maybe }): Promise<undefined> => {
      const issueType = maybe('issueType');
      const body = {
        subjects: ids.map((id) => ({ type, id })),
        project: text('project'),
        ...(issueType && { issueType }),
        labels: wordsIn(text('labels')),
      };
      const { results } = await answerOf(client.POST('/api/v1/ticketing/tickets', { body }));
      const refused = results.find(({ accepted }) => !accepted);
      if (refused) throw new Refused({ ...(refused.message && { message: refused.message }) }, words.refused);
      notify(words.opened);
      done?.();
    }}
  />
);
