import type { ComponentProps } from 'preact';
import { Act } from '../../parts/listing.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import { form } from '../../texts/form.ts';
import { settings } from '../../texts/settings.ts';

type RuleActsProps = Omit<ComponentProps<typeof RecordActs>, 'name' | 'children'> & {
  rule: { name: string; enabled: boolean };
  turn: (enabled: boolean) => Promise<unknown>;
};

/** A rule of the settings is changed in a form with a preview, turned on or off, and removed. */
export const RuleActs = ({ rule, turn, ...acts }: RuleActsProps) => (
  <RecordActs {...acts} name={rule.name}>
    <Act
      label={rule.enabled ? settings.off : settings.on}
      done={acts.words.saved ?? form.saved}
      run={() => turn(!rule.enabled)}
    />
  </RecordActs>
);
