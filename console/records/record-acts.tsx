import type { ComponentChildren } from 'preact';
import type { Field, Values } from '../forms/field.ts';
import type { FormProps } from '../forms/form.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { Act } from '../parts/listing.tsx';
import { notify } from '../parts/toasts.tsx';
import { form } from '../texts/form.ts';
import type { PartProps } from './detail.tsx';
import '../style/administration.css';

type RecordActsProps = Pick<FormProps, 'preview'> & {
  name: string;
  words: { saved?: string; removed?: string };
  fields?: readonly Field[];
  save?: (values: Values) => Promise<unknown>;
  remove?: () => Promise<unknown>;
  /** Other actions, before the deletion. */
  children?: ComponentChildren;
};

/** A record is changed in a form, and deleted by a second press. */
export const RecordActs = ({ name, words, fields, preview, save, remove, children }: RecordActsProps) => (
  <span class="acts">
    {fields && save && (
      <FormDialog
        label={form.change}
        title={form.changeOf(name)}
        look="link"
        fields={fields}
        preview={preview}
        send={async (values): Promise<undefined> => {
          await save(values);
          notify(words.saved ?? form.saved);
        }}
      />
    )}
    {children}
    {remove && <Act label={form.remove} sure={form.sureRemove} done={words.removed ?? form.removed} run={remove} />}
  </span>
);

type DetailActsProps<T> = Omit<RecordActsProps, 'name' | 'save'> & {
  of: PartProps<T>;
  save: (values: Values) => Promise<T>;
};

/** The same for the record of a drawer or a page, which then shows the changed record. */
export const DetailActs = <T extends { name: string }>({ of, save, ...rest }: DetailActsProps<T>) => (
  <RecordActs
    {...rest}
    name={of.record.name}
    save={async (values) => {
      of.put(await save(values));
      of.changed();
    }}
  />
);
