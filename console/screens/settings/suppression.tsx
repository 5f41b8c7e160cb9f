import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { NewSuppressionRule, SuppressionRule } from '../../api/types.ts';
import { filterAfter, textOf } from '../../filter/filter-text.ts';
import { type Field, oneOf, type Values } from '../../forms/field.ts';
import { dayOf } from '../../parts/format.ts';
import { LIST_SIZE } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { settings } from '../../texts/settings.ts';
import { texts } from '../../texts.ts';
import { localDayOf } from '../../zone.ts';
import { ChangePreview } from './change-preview.tsx';
import { RuleActs } from './rule-acts.tsx';
import { RuleList } from './rule-list.tsx';

const words = settings.suppression;
const CONDITIONS = ['path', 'host', 'tool', 'ruleId', 'cve', 'assetTag'] as const;
const PATTERNS: readonly string[] = ['path', 'host'];
const STATUSES = ['false_positive', 'risk_accepted', 'out_of_scope'] as const;

const useRules = question(() =>
  answerOf(client.GET('/api/v1/findings/rules', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const fieldsOf = (rule?: SuppressionRule): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: rule?.name ?? '' },
  ...CONDITIONS.map(
    (name): Field => ({
      name: `conditions.${name}`,
      label: words.conditions[name],
      kind: 'text',
      width: 'half',
      initial: rule?.conditions[name] ?? '',
      ...(PATTERNS.includes(name) && { hint: words.pattern }),
    }),
  ),
  { name: 'filter', label: words.filter, hint: words.filterHint, kind: 'long', initial: textOf(rule?.filter) },
  {
    name: 'status',
    label: words.becomes,
    kind: 'choice',
    options: STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
    initial: rule?.status ?? 'false_positive',
  },
  { name: 'reason', label: words.because, kind: 'text', required: true, initial: rule?.reason ?? '' },
  {
    name: 'expiresAt',
    label: words.expiresAt,
    hint: words.expiresAtHint,
    kind: 'day',
    initial: localDayOf(rule?.expiresAt),
  },
];

type Typed = Pick<NewSuppressionRule, 'name' | 'filter' | 'filterId' | 'status' | 'reason' | 'expiresAt'> & {
  conditions: Partial<Record<(typeof CONDITIONS)[number], string>>;
};

function typedIn({ text, maybe, moment }: Values, before?: SuppressionRule): Typed {
  const found = CONDITIONS.flatMap((name) => {
    const value = maybe(`conditions.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  const isSameDay = before !== undefined && localDayOf(before.expiresAt) === text('expiresAt');
  return {
    name: text('name'),
    conditions: Object.fromEntries(found),
    ...filterAfter(maybe('filter'), before),
    status: oneOf(STATUSES, text('status')),
    reason: text('reason'),
    expiresAt: isSameDay ? before.expiresAt : (moment('expiresAt') ?? null),
  };
}

/** A merge patch keeps a condition that it does not name: each one that is empty now is taken away. */
const patchOf = (typed: Typed) => ({
  ...typed,
  conditions: { ...Object.fromEntries(CONDITIONS.map((name) => [name, null])), ...typed.conditions },
});

/** The effect of the rule, which needs neither its name nor its reason. */
function preview(values: Values, rule?: SuppressionRule) {
  const typed = typedIn(values, rule);
  if (Object.keys(typed.conditions).length === 0 && !typed.filter) return <p class="preview soft">{words.start}</p>;
  const body = { ...typed, name: typed.name || words.one, reason: typed.reason || words.one };
  return (
    <ChangePreview
      change={
        rule
          ? { operation: 'updateFindingRule', id: rule.id, body: patchOf(body) }
          : { operation: 'createFindingRule', body }
      }
    />
  );
}

const change = ({ id, version }: SuppressionRule, body: ReturnType<typeof patchOf> | { enabled: boolean }) =>
  answerOf(
    client.PATCH('/api/v1/findings/rules/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
  );

const isEnded = ({ expiresAt }: SuppressionRule, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

const stateOf = (rule: SuppressionRule): string => {
  if (isEnded(rule)) return words.ended;
  return rule.enabled ? settings.isOn : settings.isOff;
};

const columns: TableColumn<SuppressionRule>[] = [
  {
    label: words.name,
    cell: (rule) => (
      <>
        <span class="strong">{rule.name}</span>
        <Link class="small block" href={`/findings?filter=${encodeURIComponent(`suppressedBy:${rule.id}`)}`}>
          {words.show}
        </Link>
      </>
    ),
  },
  { label: words.fits, cell: Fits },
  {
    label: words.becomes,
    cell: ({ status, reason }) => (
      <>
        <span class="status">{texts.statuses[status]}</span> <span class="soft small block">{reason}</span>
      </>
    ),
  },
  { label: words.ends, cell: ({ expiresAt }) => (expiresAt === null ? words.never : dayOf(expiresAt)) },
  { label: words.by, cell: ({ approver }) => approver.name },
  { label: settings.state, cell: (rule) => <span class="tag">{stateOf(rule)}</span> },
  { label: settings.actions, cell: Actions },
];

function Fits({ conditions, filter }: SuppressionRule) {
  return (
    <span class="small">
      {CONDITIONS.filter((name) => conditions[name] !== undefined).map((name) => (
        <span key={name} class="block">
          {words.conditions[name]} <code>{conditions[name]}</code>
        </span>
      ))}
      {filter && <code class="block">{textOf(filter)}</code>}
    </span>
  );
}

function Actions(rule: SuppressionRule) {
  return (
    <RuleActs
      rule={rule}
      words={words}
      fields={fieldsOf(rule)}
      preview={(values) => preview(values, rule)}
      save={(values) => change(rule, patchOf(typedIn(values, rule)))}
      turn={(enabled) => change(rule, { enabled })}
      remove={() => answerOf(client.DELETE('/api/v1/findings/rules/{id}', { params: { path: { id: rule.id } } }))}
    />
  );
}

export const Suppression = () => (
  <RuleList
    words={words}
    asked={useRules('')}
    columns={columns}
    fields={fieldsOf()}
    preview={preview}
    create={(values) => answerOf(client.POST('/api/v1/findings/rules', { body: typedIn(values) }))}
  />
);
