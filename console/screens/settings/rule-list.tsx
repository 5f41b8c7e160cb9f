import type { ComponentProps } from 'preact';
import type { Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Listing } from '../../parts/listing.tsx';
import { notify } from '../../parts/toasts.tsx';

type RuleListProps<T> = Pick<ComponentProps<typeof Listing<T>>, 'asked' | 'columns'> &
  Pick<ComponentProps<typeof FormDialog>, 'fields' | 'preview'> & {
    words: { title: string; lead: string; one: string; many: string; add: string; saved: string };
    create: (values: Values) => Promise<unknown>;
  };

/** The rules of a kind, with a form that adds one after a preview. */
export const RuleList = <T extends { id: string }>({ words, fields, preview, create, ...listed }: RuleListProps<T>) => (
  <Listing title={words.title} lead={words.lead} words={words} {...listed} keyOf={({ id }) => id}>
    <FormDialog
      label={words.add}
      fields={fields}
      preview={preview}
      send={async (values): Promise<undefined> => {
        await create(values);
        notify(words.saved);
      }}
    />
  </Listing>
);
