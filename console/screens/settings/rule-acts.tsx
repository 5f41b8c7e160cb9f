import type { ComponentChildren } from 'preact';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Act } from '../../parts/listing.tsx';
import { notify } from '../../parts/toasts.tsx';
import { settings } from '../../texts/settings.ts';

type RuleActsProps = {
  rule: { name: string; enabled: boolean };
  words: { changeOf: (name: string) => string; saved: string; removed: string };
  fields: readonly Field[];
  preview: (values: Values) => ComponentChildren;
  save: (values: Values) => Promise<unknown>;
  turn: (enabled: boolean) => Promise<unknown>;
  remove: () => Promise<unknown>;
};

/** A rule of the settings is changed in a form with a preview, turned on or off, and removed. */
export const RuleActs = ({ rule, words, fields, preview, save, turn, remove }: RuleActsProps) => (
  <span class="acts">
    <FormDialog
      label={settings.change}
      title={words.changeOf(rule.name)}
      look="link"
      fields={fields}
      preview={preview}
      send={async (values): Promise<undefined> => {
        await save(values);
        notify(words.saved);
      }}
    />
    <Act label={rule.enabled ? settings.off : settings.on} done={words.saved} run={() => turn(!rule.enabled)} />
    <Act label={settings.remove} sure={settings.sureRemove} done={words.removed} run={remove} />
  </span>
);
