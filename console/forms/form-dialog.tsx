import { useSignal } from '@preact/signals';
import { CopyLine } from '../parts/copy-line.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { form as words } from '../texts/form.ts';
import type { Field, Values } from './field.ts';
import { Form, type FormProps } from './form.tsx';

type AddProps = Pick<FormProps, 'preview'> & {
  label: string;
  /** Of the dialog, where the button's own words are too short. */
  title?: string;
  /** Above the fields: what happens. */
  lead?: string;
  /** The button beside others; in a row of a table it is a link. */
  look?: 'main' | 'plain' | 'link';
  fields: readonly Field[];
  /** Runs as the dialog opens. */
  begin?: () => Promise<void>;
  /** @returns a secret of the new record, which is shown once */
  send: (values: Values) => Promise<Secret | undefined>;
};
export type Secret = { title: string; lines: readonly { label: string; text: string }[] };

const LOOKS = { main: 'button main', plain: 'button', link: 'link' };

/** A button that opens a form; a secret of the new record is shown in its place, once. */
export function FormDialog({ label, title = label, lead, look = 'main', fields, begin, send, preview }: AddProps) {
  const isOpen = useSignal(false);
  const secret = useSignal<Secret | undefined>(undefined);
  const open = () => {
    isOpen.value = true;
    void begin?.();
  };
  const close = () => {
    isOpen.value = false;
    secret.value = undefined;
  };
  const submit = async (values: Values) => {
    secret.value = await send(values);
    if (!secret.value) close();
  };
  return (
    <>
      <button type="button" class={LOOKS[look]} onClick={open}>
        {label}
      </button>
      {isOpen.value && (
        <Dialog kind="dialog" title={secret.value?.title ?? title} close={close}>
          {lead && !secret.value && <p>{lead}</p>}
          {secret.value ? (
            <Shown secret={secret.value} />
          ) : (
            <Form fields={fields} submit={label} send={submit} preview={preview} />
          )}
        </Dialog>
      )}
    </>
  );
}

const Shown = ({ secret }: { secret: Secret }) => (
  <>
    <p>{words.once}</p>
    {secret.lines.map(({ label, text }) => (
      <CopyLine key={label} label={label} text={text} />
    ))}
  </>
);
