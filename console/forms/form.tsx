import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Refused } from '../api/client.ts';
import { askAgain, refusedBy } from '../api/question.ts';
import { form as words } from '../texts/form.ts';
import { zone } from '../zone.ts';
import { CHECKED, type Field, type Values, valuesOf } from './field.ts';

export type FormProps = {
  fields: readonly Field[];
  submit: string;
  send: (values: Values) => Promise<void>;
  /** Above the button: what the values would do. It gets them after a pause of the person. */
  preview?: ((values: Values) => ComponentChildren) | undefined;
};

const PAUSE_MS = 400;

/** A form of declared fields. The service checks them: each of its messages is shown at its field, and the others above. */
export function Form({ fields, submit, send, preview }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const typed = useSignal<Values | undefined>(undefined);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = () => {
    if (element.current) typed.value = valuesOf(element.current);
  };
  useEffect(() => {
    look();
    return () => clearTimeout(pause.current);
  }, []);
  const onInput = () => {
    clearTimeout(pause.current);
    pause.current = setTimeout(look, PAUSE_MS);
  };
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
  // the person types on where the service found a fault
  useEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [refused.value]);
  const details = refused.value?.details ?? [];
  const isPlaced = details.length > 0 && details.every(({ path }) => fields.some(({ name }) => isAt(path, name)));
  return (
    <form ref={element} class="form" onInput={onInput} onSubmit={(event) => void onSubmit(event)}>
      {refused.value && !isPlaced && (
        <p class="failed" role="alert">
          {refused.value.message}
        </p>
      )}
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          problem={details.find(({ path }) => isAt(path, field.name))?.message}
        />
      ))}
      <div class="form-foot">
        {preview && typed.value && preview(typed.value)}
        <button type="submit" class="button main" disabled={isWorking.value}>
          {isWorking.value ? words.working : submit}
        </button>
      </div>
    </form>
  );
}

/** `roles.0.roleId` is a problem of `roles`. */
const isAt = (path: string, name: string): boolean => `${path}.`.startsWith(`${name}.`);

/** The zone in which a time is typed. */
const whenOf = ({ kind }: Field): string => {
  if (kind === 'due') return words.dueDay;
  return kind === 'day' || kind === 'moment' ? words.inZone(zone.value) : '';
};

type RowProps = { field: Field; problem: string | undefined };

const FieldRow = ({ field, problem }: RowProps) => {
  const id = useId();
  const { label } = field;
  const hint = [field.hint, whenOf(field)].filter(Boolean).join(' ');
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  const after = (
    <>
      {'options' in field && field.options.length === 0 && <span class="soft small">{words.noChoice}</span>}
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
  if (field.kind === 'check')
    return (
      <div class="form-row">
        <label class="check">
          <input
            type="checkbox"
            name={field.name}
            defaultChecked={field.initial === CHECKED}
            aria-describedby={notes}
          />
          {label}
        </label>
        {after}
      </div>
    );
  if (field.kind === 'choices')
    return (
      <fieldset aria-describedby={notes}>
        <legend>{label}</legend>
        <div class="form-choices">
          {field.options.map(({ value, label: text }) => (
            <label key={value} class="check">
              <input
                type="checkbox"
                name={field.name}
                value={value}
                defaultChecked={field.initial?.split(',').includes(value) ?? false}
              />
              {text}
            </label>
          ))}
        </div>
        {after}
      </fieldset>
    );
  return (
    <div class={`form-row ${field.width ?? ''}`}>
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
  if (field.kind === 'secret') return <input {...typed} type="password" />;
  if (field.kind === 'number') return <input {...typed} type="number" />;
  if (field.kind === 'due' || field.kind === 'day') return <input {...typed} type="date" />;
  if (field.kind === 'moment') return <input {...typed} type="datetime-local" />;
  if (field.kind === 'colour') return <input {...typed} type="color" />;
  if (field.kind === 'file') return <input {...common} type="file" accept={field.accept} />;
  if (field.kind === 'long') return <textarea {...typed} class="code" rows={2} spellcheck={false} />;
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
