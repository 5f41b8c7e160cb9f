import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { texts } from '../../texts.ts';

const words = texts.detection.tuning;

type Props = { ruleId: string; initial: { field: string; value: string }; changed?: () => void };

const usePreview = question((asked) => {
  const [id = '', field = '', value = ''] = asked.split('\n');
  const body = { where: { [field]: value } };
  return answerOf(client.POST('/api/v1/detection/rules/{id}/exceptions/preview', { params: { path: { id } }, body }));
});

/** The alerts and events that the exception would have left out. */
function Silenced({ id, field, value }: { id: string; field: string; value: string }) {
  const { data, error } = usePreview([id, field, value].join('\n'));
  if (error) return <p class="preview overdue">{error.message}</p>;
  return (
    <p class="preview" aria-live="polite">
      {data ? words.silenced(data) : words.looking}
    </p>
  );
}

/** A form that adds an exception to those of a rule. */
export const AddException = ({ ruleId, initial, changed }: Props) => (
  <FormDialog
    label={words.add}
    lead={words.lead}
    look="plain"
    fields={[
      { name: 'field', label: words.field, kind: 'text', required: true, initial: initial.field, width: 'half' },
      { name: 'value', label: words.value, kind: 'text', required: true, initial: initial.value, width: 'half' },
      { name: 'reason', label: words.reason, kind: 'text', required: true },
      { name: 'endsAt', label: words.endsAt, hint: words.endsHint, kind: 'moment' },
    ]}
    preview={({ text }) =>
      text('field') && text('value') && <Silenced id={ruleId} field={text('field')} value={text('value')} />
    }
    send={async ({ text, moment }): Promise<undefined> => {
      const params = { path: { id: ruleId } };
      const { exceptions, version } = await answerOf(client.GET('/api/v1/detection/rules/{id}', { params }));
      const added = {
        where: { [text('field')]: text('value') },
        reason: text('reason'),
        endsAt: moment('endsAt') ?? null,
      };
      const body = { exceptions: [...(exceptions ?? []), added] };
      const headers = { 'if-match': `"${version}"` };
      await answerOf(client.PATCH('/api/v1/detection/rules/{id}', { params, headers, body }));
      changed?.();
    }}
  />
);
