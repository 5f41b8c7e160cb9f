import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { SlaChange, SlaException, SlaPolicies } from '../../api/types.ts';
import { filterAfter, textOf, wordsIn } from '../../filter/filter-text.ts';
import { chosenOf, type Field, type Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Listing } from '../../parts/listing.tsx';
import { SEVERITIES } from '../../parts/marks.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import { settings } from '../../texts/settings.ts';
import { texts } from '../../texts.ts';
import { ChangePreview } from './change-preview.tsx';

const words = settings.sla;
const CRITICALITIES = ['critical', 'high', 'medium', 'low'] as const;

const usePolicies = question(() => answerOf(client.GET('/api/v1/findings/sla-policies')));

const save = async ({ version }: SlaPolicies, body: SlaChange): Promise<undefined> => {
  const headers = { 'if-match': `"${version}"` };
  await answerOf(client.PATCH('/api/v1/findings/sla-policies', { headers, body }));
};

type Days = SlaException['days'];

const dayFields = (days: Days, required: boolean): Field[] =>
  SEVERITIES.map((severity) => ({
    name: `days.${severity}`,
    label: texts.severities[severity],
    kind: 'number',
    width: 'third',
    required,
    initial: String(days[severity] ?? ''),
  }));

const daysIn = ({ number }: Values): Days =>
  Object.fromEntries(
    SEVERITIES.flatMap((severity) => {
      const days = number(`days.${severity}`);
      return days === undefined ? [] : [[severity, days]];
    }),
  );

/** The days to fix by severity, and the assets for which others hold. A change shows first which due dates move. */
export function Sla() {
  const { data: policies, error, ask } = usePolicies('');
  if (!policies) return error ? <Failed error={error} again={ask} /> : <Loading lines={8} />;
  return (
    <>
      <section class="setting">
        <header>
          <h2>{words.title}</h2>
          <p class="soft">{words.lead}</p>
        </header>
        <Form
          fields={dayFields(policies.days, true)}
          submit={settings.save}
          preview={daysPreview}
          send={async (values) => {
            await save(policies, { days: daysIn(values) });
            notify(words.saved);
          }}
        />
      </section>
      <Exceptions policies={policies} />
    </>
  );
}

const daysPreview = (values: Values) => (
  <ChangePreview change={{ operation: 'updateSlaPolicies', body: { days: daysIn(values) } }} />
);

const fieldsOf = (one?: SlaException): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: one?.name ?? '' },
  { name: 'tags', label: words.tags, hint: words.tagsHint, kind: 'text', initial: one?.tags.join(', ') ?? '' },
  {
    name: 'criticalities',
    label: words.criticalities,
    kind: 'choices',
    options: CRITICALITIES.map((value) => ({ value, label: texts.severities[value] })),
    initial: chosenOf(one?.criticalities ?? []),
  },
  { name: 'filter', label: words.filter, hint: words.filterHint, kind: 'long', initial: textOf(one?.filter) },
  ...dayFields(one?.days ?? {}, false),
];

const typedIn = (values: Values, before?: SlaException): SlaException => ({
  name: values.text('name'),
  tags: wordsIn(values.text('tags')),
  criticalities: CRITICALITIES.filter((one) => values.chosen('criticalities').includes(one)),
  ...filterAfter(values.maybe('filter'), before),
  days: daysIn(values),
});

/** The exceptions with this one at its place; without a place it is the last. */
const withOne = ({ exceptions }: SlaPolicies, one: SlaException, at = exceptions.length) =>
  exceptions.toSpliced(at, 1, one);

/** The effect of the exceptions, once the person has typed which assets one is about. */
function preview(policies: SlaPolicies, one: SlaException, at?: number) {
  if (one.tags.length + one.criticalities.length === 0 && !one.filter) return null;
  const exceptions = withOne(policies, { ...one, name: one.name || words.one }, at);
  return <ChangePreview change={{ operation: 'updateSlaPolicies', body: { exceptions } }} />;
}

type Placed = SlaException & { at: number };

function Exceptions({ policies }: { policies: SlaPolicies }) {
  const rows = policies.exceptions.map((one, at) => ({ ...one, at }));
  const columns: TableColumn<Placed>[] = [
    { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
    { label: words.fits, cell: fitsOf },
    {
      label: words.daysOf,
      cell: ({ days }) =>
        SEVERITIES.flatMap((severity) => {
          const amount = days[severity];
          return amount === undefined ? [] : [words.dayCount(texts.severities[severity], amount)];
        }).join(', '),
    },
    { label: settings.actions, cell: (one) => <Actions policies={policies} one={one} /> },
  ];
  return (
    <Listing
      title={words.exceptions}
      lead={words.exceptionsLead}
      words={words}
      asked={{ data: { data: rows }, ask: () => undefined }}
      columns={columns}
      keyOf={({ at }) => String(at)}
    >
      <FormDialog
        label={words.add}
        fields={fieldsOf()}
        preview={(values) => preview(policies, typedIn(values))}
        send={(values) => save(policies, { exceptions: withOne(policies, typedIn(values)) })}
      />
    </Listing>
  );
}

const fitsOf = ({ tags, criticalities, filter }: SlaException) => (
  <span class="small">
    {[...tags, ...criticalities.map((one) => texts.severities[one])].map((one) => (
      <span key={one} class="tag">
        {one}
      </span>
    ))}
    {filter && <code>{textOf(filter)}</code>}
  </span>
);

const Actions = ({ policies, one: { at, ...one } }: { policies: SlaPolicies; one: Placed }) => (
  <RecordActs
    name={one.name}
    words={words}
    fields={fieldsOf(one)}
    preview={(values) => preview(policies, typedIn(values, one), at)}
    save={(values) => save(policies, { exceptions: withOne(policies, typedIn(values, one), at) })}
    remove={() => save(policies, { exceptions: policies.exceptions.toSpliced(at, 1) })}
  />
);
