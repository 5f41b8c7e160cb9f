import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { filterAfter, textOf, wordsIn } from '../../filter/filter-text.ts';
import { CHECKED, choicesOf, chosenIn, chosenOf, type Field, oneOf, type Values } from '../../forms/field.ts';
import { Counted } from '../../parts/counted.tsx';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { SEVERITIES } from '../../parts/marks.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { settings } from '../../texts/settings.ts';
import { ticketRule as words } from '../../texts/ticket.ts';
import { texts } from '../../texts.ts';
import { RuleActs } from '../settings/rule-acts.tsx';
import { RuleList } from '../settings/rule-list.tsx';
import { Views } from './views.tsx';

type Rule = RecordOf<'TicketRule'>;
type NewRule = RecordOf<'CreateTicketRuleBody'>;
const base = '/api/v1/ticketing/rules';
/** The conditions that the form has; the API knows more. */
const IN_FORM = ['severities', 'minPriority', 'kev'];

const useRules = question(() => answerOf(client.GET(base, { params: { query: { paginateSize: LIST_SIZE } } })));

const usePreview = question(async (about: string) => {
  const body: NewRule = JSON.parse(about);
  return answerOf(client.POST(`${base}/preview`, { body }));
});

const fieldsOf = (rule?: Rule): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: rule?.name ?? '' },
  {
    name: 'opensFor',
    label: words.opensFor,
    kind: 'choice',
    options: choicesOf(words.kinds),
    initial: rule?.opensFor ?? 'finding',
  },
  { name: 'filter', label: words.filter, hint: words.filterHint, kind: 'long', initial: textOf(rule?.filter) },
  {
    name: 'conditions.severities',
    label: words.severities,
    kind: 'choices',
    options: SEVERITIES.map((value) => ({ value, label: texts.severities[value] })),
    initial: chosenOf(rule?.conditions.severities ?? []),
  },
  {
    name: 'conditions.minPriority',
    label: words.minPriority,
    kind: 'number',
    width: 'half',
    initial: String(rule?.conditions.minPriority ?? ''),
  },
  {
    name: 'order',
    label: words.order,
    hint: words.orderHint,
    kind: 'number',
    width: 'half',
    initial: String(rule?.order ?? ''),
  },
  { name: 'conditions.kev', label: words.kev, kind: 'check', initial: rule?.conditions.kev ? CHECKED : '' },
  {
    name: 'project',
    label: words.project,
    hint: words.projectHint,
    kind: 'text',
    width: 'half',
    required: true,
    initial: rule?.project ?? '',
  },
  { name: 'issueType', label: words.issueType, kind: 'text', width: 'half', initial: rule?.issueType ?? '' },
  { name: 'labels', label: words.labels, hint: words.labelsHint, kind: 'text', initial: rule?.labels.join(', ') ?? '' },
  { name: 'includesStanding', label: words.standing, kind: 'check', initial: rule?.includesStanding ? CHECKED : '' },
];

/** Conditions of the form; those that the API alone knows stay with a change. */
function typedIn({ text, maybe, chosen, number, isChecked }: Values, rule?: Rule): NewRule {
  const severities = chosen('conditions.severities').map((value) => oneOf(SEVERITIES, value));
  const minPriority = number('conditions.minPriority');
  const order = number('order');
  const issueType = maybe('issueType');
  const others = Object.entries(rule?.conditions ?? {}).filter(([name]) => !IN_FORM.includes(name));
  return {
    name: text('name'),
    opensFor: chosenIn(words.kinds, text('opensFor')),
    ...filterAfter(maybe('filter'), rule),
    conditions: {
      ...Object.fromEntries(others),
      ...(severities.length > 0 && { severities }),
      ...(minPriority !== undefined && { minPriority }),
      ...(isChecked('conditions.kev') && { kev: true }),
    },
    project: text('project'),
    ...(issueType !== undefined && { issueType }),
    ...(order !== undefined && { order }),
    labels: wordsIn(text('labels')),
    includesStanding: isChecked('includesStanding'),
  };
}

/** A merge patch keeps a condition that it does not name: each one that is empty now is taken away. */
const patchOf = (typed: NewRule) => ({
  ...typed,
  conditions: { severities: null, minPriority: null, kev: null, ...typed.conditions },
});

/** The records that the rule fits, which needs neither its name nor its project. */
function preview(values: Values, rule?: Rule) {
  const typed = typedIn(values, rule);
  const { conditions = {}, filter, filterId } = typed;
  if (Object.keys(conditions).length === 0 && !filter && !filterId) return <p class="preview soft">{words.start}</p>;
  return <Effect rule={{ ...typed, name: typed.name || words.one, project: typed.project || 'P' }} />;
}

const Effect = ({ rule }: { rule: NewRule }) => (
  <Counted
    asked={usePreview(JSON.stringify(rule))}
    text={({ matched, withoutTicket }) => words.preview(matched, withoutTicket)}
    incomplete={words.incomplete}
  >
    {({ sample }) => (
      <ul class="bullets">
        {sample.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    )}
  </Counted>
);

const change = ({ id, version }: Rule, body: ReturnType<typeof patchOf> | { enabled: boolean }) =>
  answerOf(client.PATCH(`${base}/{id}`, { params: { path: { id } }, headers: { 'if-match': `"${version}"` }, body }));

const columns: TableColumn<Rule>[] = [
  {
    label: words.name,
    cell: ({ name, opensFor }) => (
      <>
        <span class="strong">{name}</span>
        <span class="soft small block">
          {words.opensFor} {words.kinds[opensFor]}
        </span>
      </>
    ),
  },
  { label: words.fits, cell: Fits },
  { label: words.goesTo, cell: ({ project, issueType }) => `${project}, ${issueType}` },
  { label: words.order, cell: ({ order }) => order },
  { label: settings.state, cell: ({ enabled }) => <span class="tag">{enabled ? settings.isOn : settings.isOff}</span> },
  { label: settings.actions, cell: Actions },
];

/** Conditions as the fields of the form are called; those of the API alone as the API calls them. */
function Fits({ conditions: { severities = [], minPriority, kev, asset, ...others }, filter }: Rule) {
  const lines = [
    severities.map((severity) => texts.severities[severity]).join(', '),
    minPriority !== undefined && `${words.minPriority} ${minPriority}`,
    kev && words.kev,
    ...Object.entries(others).map(([name, value]) => `${name}: ${value}`),
  ].filter((line) => typeof line === 'string' && line !== '');
  return (
    <span class="small">
      {filter && <code class="block">{textOf(filter)}</code>}
      {asset && <code class="block">{textOf(asset)}</code>}
      {lines.map((line) => (
        <span key={line} class="block">
          {line}
        </span>
      ))}
    </span>
  );
}

function Actions(rule: Rule) {
  return (
    <RuleActs
      rule={rule}
      words={words}
      fields={fieldsOf(rule)}
      preview={(values) => preview(values, rule)}
      save={(values) => change(rule, patchOf(typedIn(values, rule)))}
      turn={(enabled) => change(rule, { enabled })}
      remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: { path: { id: rule.id } } }))}
    />
  );
}

const Rules = () => (
  <div class="page">
    <h1>{texts.screens.ticketRules}</h1>
    <Views />
    <RuleList
      words={words}
      asked={useRules('')}
      columns={columns}
      fields={fieldsOf()}
      preview={preview}
      create={(values) => answerOf(client.POST(base, { body: typedIn(values) }))}
    />
  </div>
);

export const parts = { List: Rules };
