import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { OrganizationSettings } from '../../api/types.ts';
import { CHECKED, choicesOf, chosenIn, type Field, type Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { settings } from '../../texts/settings.ts';

const words = settings.general;

const useSettings = question(() => answerOf(client.GET('/api/v1/organization/settings')));

type Flag = 'secondStepRequired' | 'exploitationNeedsSecondPerson' | 'mergeSameAssets';
type Amount = 'maximumCredentialDays' | 'branchDays' | 'assetStaleDays' | 'assetRetiredDays' | 'alertWindowMinutes';

const hints: Partial<Record<Flag | Amount, string>> = {
  secondStepRequired: words.secondStepRequiredHint,
  exploitationNeedsSecondPerson: words.exploitationNeedsSecondPersonHint,
  mergeSameAssets: words.mergeSameAssetsHint,
  maximumCredentialDays: words.maximumCredentialDaysHint,
  assetRetiredDays: words.assetRetiredDaysHint,
};

const described = (name: Flag | Amount) => ({ name, label: words[name], ...(hints[name] && { hint: hints[name] }) });

const flag = (known: OrganizationSettings, name: Flag): Field => ({
  ...described(name),
  kind: 'check',
  ...(known[name] && { initial: CHECKED }),
});

const amount = (known: OrganizationSettings, name: Amount): Field => ({
  ...described(name),
  kind: 'number',
  required: true,
  initial: String(known[name]),
});

type Change = Partial<OrganizationSettings>;
type SectionProps = { of: keyof typeof words.sections; fields: readonly Field[]; read: (values: Values) => Change };

/** Some settings with their own button: a person who changes one of them sends no others. */
const Section = ({ of, fields, read }: SectionProps) => (
  <section class="setting">
    <header>
      <h2>{words.sections[of].title}</h2>
      <p class="soft">{words.sections[of].lead}</p>
    </header>
    <Form
      fields={fields}
      submit={settings.save}
      send={async (values) => {
        await answerOf(client.PATCH('/api/v1/organization/settings', { body: read(values) }));
        notify(words.saved);
      }}
    />
  </section>
);

export function General() {
  const { data: known, error, ask } = useSettings('');
  if (!known) return error ? <Failed error={error} again={ask} /> : <Loading lines={8} />;
  const alerts: Field = {
    name: 'findingAlerts',
    label: words.findingAlerts,
    kind: 'choice',
    options: choicesOf(words.findingAlertsValues),
    initial: known.findingAlerts,
  };
  return (
    <>
      {error && <Failed error={error} again={ask} />}
      <Section
        of="access"
        fields={[
          flag(known, 'secondStepRequired'),
          flag(known, 'exploitationNeedsSecondPerson'),
          amount(known, 'maximumCredentialDays'),
        ]}
        read={({ isChecked, number }) => ({
          secondStepRequired: isChecked('secondStepRequired'),
          exploitationNeedsSecondPerson: isChecked('exploitationNeedsSecondPerson'),
          maximumCredentialDays: number('maximumCredentialDays'),
        })}
      />
      <Section
        of="assets"
        fields={[
          amount(known, 'branchDays'),
          amount(known, 'assetStaleDays'),
          amount(known, 'assetRetiredDays'),
          flag(known, 'mergeSameAssets'),
        ]}
        read={({ isChecked, number }) => ({
          branchDays: number('branchDays'),
          assetStaleDays: number('assetStaleDays'),
          assetRetiredDays: number('assetRetiredDays'),
          mergeSameAssets: isChecked('mergeSameAssets'),
        })}
      />
      <Section
        of="alerts"
        fields={[alerts, amount(known, 'alertWindowMinutes')]}
        read={({ text, number }) => ({
          findingAlerts: chosenIn(words.findingAlertsValues, text('findingAlerts')),
          alertWindowMinutes: number('alertWindowMinutes'),
        })}
      />
    </>
  );
}
