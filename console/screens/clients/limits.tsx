import { answerOf, client } from '../../api/client.ts';
import type { Organization } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { bytesOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { PartProps } from '../../records/detail.tsx';
import { role } from '../../session.ts';
import { count } from '../../texts/amounts.ts';
import { clients } from '../../texts/clients.ts';

const words = clients.limits;

type Limits = Organization['limits'];
const NAMES = Object.keys(words.names) as (keyof Limits)[];

const shown = (name: keyof Limits, limit: number): string => (name.endsWith('Bytes') ? bytesOf(limit) : count(limit));

const fieldsOf = (limits: Limits): Field[] =>
  NAMES.map((name) => ({
    name,
    label: words.names[name],
    kind: 'number',
    width: 'half',
    initial: String(limits[name]),
  }));

/** An empty field restores the default; a limit that nobody changed is not sent, so that it still follows the plan. */
const changedIn = ({ number }: Values, before: Limits): { [Name in keyof Limits]?: number | null } =>
  Object.fromEntries(
    NAMES.map((name) => [name, number(name) ?? null] as const).filter(([name, limit]) => limit !== before[name]),
  );

/** How much a client may have; platform owners change it. */
export function Limits({ record: { id, name, limits }, changed }: PartProps<Organization>) {
  const change = async (values: Values): Promise<undefined> => {
    const body = changedIn(values, limits);
    await answerOf(client.PATCH('/api/v1/organizations/{id}/limits', { params: { path: { id } }, body }));
    notify(words.saved);
    changed();
  };
  return (
    <Section title={words.title}>
      <Facts rows={NAMES.map((limit) => [words.names[limit], shown(limit, limits[limit])] as const)} />
      {role.value === 'platform_owner' && (
        <p class="acts">
          <FormDialog
            label={words.change}
            title={words.changeOf(name)}
            lead={words.lead}
            look="link"
            fields={fieldsOf(limits)}
            send={change}
          />
        </p>
      )}
    </Section>
  );
}
