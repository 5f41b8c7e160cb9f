import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Refused } from '../api/client.ts';
import { askAgain, refusedBy } from '../api/question.ts';
import { form as words } from '../texts/form.ts';
import { type Field, type Values, valuesOf } from './field.ts';

type FormProps = { fields: readonly Field[]; submit: string; send: (values: Values) => Promise<void> };

/** A form of declared fields. The service checks them: each of its messages is shown at its field, and the others above. */
export function Form({ fields, submit, send }: FormProps) {
  const refused = useSignal<Refused | undefined>(undefined);
  const isWorking = useSignal(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    isWorking.value = true;
    refused.value = undefined;
    try {
      await send(valuesOf(event.currentTarget));
      askAgain();
    } catch (error) {
      refused.value = refusedBy(error);
    }
    isWorking.value = false;
  };
  const details = refused.value?.details ?? [];
  const names = fields.map(({ name }) => name);
  const isPlaced = details.length > 0 && details.every(({ path }) => names.includes(nameIn(path)));
  return (
    <form class="form" onSubmit={(event) => void onSubmit(event)}>
      {refused.value && !isPlaced && (
        <p class="failed" role="alert">
          {refused.value.message}
        </p>
      )}
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          problem={details.find(({ path }) => nameIn(path) === field.name)?.message}
        />
      ))}
      <button type="submit" class="button main" disabled={isWorking.value}>
        {isWorking.value ? words.working : submit}
      </button>
    </form>
  );
}

/** `roles.0.roleId` is a problem of `roles`. */
const nameIn = (path: string): string => path.split('.')[0] ?? '';

type RowProps = { field: Field; problem: string | undefined };

const FieldRow = ({ field, problem }: RowProps) => {
  const id = useId();
  const { label, hint } = field;
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  const after = (
    <>
      {hint && (
        <span id={`${id}-hint`} class="soft small">
          {hint}
        </span>
      )}
      {problem && (
        <span id={`${id}-problem`} class="overdue small" role="alert">
          {problem}
        </span>
      )}
    </>
  );
  if (field.kind === 'choices')
    return (
      <fieldset aria-describedby={notes}>
        <legend>{label}</legend>
        <div class="form-choices">
          {field.options.map(({ value, label: text }) => (
            <label key={value} class="check">
              <input type="checkbox" name={field.name} value={value} />
              {text}
            </label>
          ))}
        </div>
        {after}
      </fieldset>
    );
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      <Control field={field} id={id} notes={notes} isWrong={problem !== undefined} />
      {after}
    </div>
  );
};

type ControlProps = { field: Field; id: string; notes: string | undefined; isWrong: boolean };

const Control = ({ field, id, notes, isWrong }: ControlProps) => {
  const { name, required, initial = '' } = field;
  const common = { id, name, required: required ?? false, 'aria-describedby': notes, 'aria-invalid': isWrong };
  const typed = { ...common, defaultValue: initial, autocomplete: 'off' } as const;
  if (field.kind === 'email') return <input {...typed} type="email" />;
  if (field.kind === 'number') return <input {...typed} type="number" />;
  if (field.kind === 'date') return <input {...typed} type="date" />;
  if (!('options' in field)) return <input {...typed} type="text" />;
  return (
    <select {...common} defaultValue={initial}>
      {field.options.map(({ value, label }) => (
        <option key={value} value={value} selected={value === initial}>
          {label}
        </option>
      ))}
    </select>
  );
};
