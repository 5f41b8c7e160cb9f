import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { filterAfter, textOf } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Counted } from '../../parts/counted.tsx';
import { Related } from '../../parts/related.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { application } from '../../texts/application.ts';
import { RuleActs } from '../settings/rule-acts.tsx';
import { type Environment, useEnvironments } from './environments.tsx';

type Rule = RecordOf<'ApplicationAssetRule'>;
type NewRule = RecordOf<'ApplicationAssetRuleCreate'>;

const words = application.rules;
const base = '/api/v1/software/applications/{id}/asset-rules';
/** An application has at most so many rules. */
const MAX_SHOWN = 20;

const useRules = question((id) =>
  answerOf(client.GET(base, { params: { path: { id }, query: { paginateSize: MAX_SHOWN } } })),
);

/** The assets that a rule would link. The service counts them; nothing is saved. */
const usePreview = question(async (about: string) => {
  const { id, rule }: { id: string; rule: NewRule } = JSON.parse(about);
  return answerOf(client.POST(`${base}/preview`, { params: { path: { id } }, body: rule }));
});

const fieldsOf = (environments: readonly Environment[], rule?: Rule): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: rule?.name ?? '' },
  {
    name: 'condition',
    label: words.condition,
    hint: words.conditionHint,
    kind: 'long',
    required: true,
    initial: textOf(rule?.condition),
  },
  {
    name: 'environmentId',
    label: words.environment,
    kind: 'choice',
    options: [
      { value: '', label: words.noEnvironment },
      ...environments.map(({ id, name }) => ({ value: id, label: name })),
    ],
    initial: rule?.environmentId ?? '',
  },
];

function typedIn({ text, maybe }: Values, rule?: Rule): NewRule {
  const { filter, filterId } = filterAfter(
    maybe('condition'),
    rule && { filter: rule.condition, filterId: rule.filterId },
  );
  const environmentId = maybe('environmentId') ?? null;
  return { name: text('name'), ...(filter && { condition: filter }), filterId, environmentId };
}

const previewOf = (id: string) => (values: Values) => {
  const { condition } = typedIn(values);
  if (condition === undefined) return <p class="preview soft">{words.start}</p>;
  return <Effect about={JSON.stringify({ id, rule: { name: words.title, condition } })} />;
};

const Effect = ({ about }: { about: string }) => (
  <Counted
    asked={usePreview(about)}
    text={({ matchCount, newlyLinked }) => words.preview(matchCount, newlyLinked)}
    incomplete={words.incomplete}
  />
);

function Acts({ rule, environments }: { rule: Rule; environments: readonly Environment[] }) {
  const params = { path: { id: rule.applicationId, rule_id: rule.id } };
  const headers = { 'if-match': `"${rule.version}"` };
  const change = (body: NewRule | { enabled: boolean }) =>
    answerOf(client.PATCH(`${base}/{rule_id}`, { params, headers, body }));
  return (
    <RuleActs
      rule={rule}
      words={words}
      fields={fieldsOf(environments, rule)}
      preview={previewOf(rule.applicationId)}
      save={(values) => change(typedIn(values, rule))}
      turn={(enabled) => change({ enabled })}
      remove={() => answerOf(client.DELETE(`${base}/{rule_id}`, { params }))}
    />
  );
}

/** The rules that link assets to an application, and a new one with its preview. */
export function AssetRules({ id }: { id: string }) {
  const environments = useEnvironments(id).data?.data ?? [];
  const nameOf = (wanted: string | null) => environments.find((one) => one.id === wanted)?.name;
  return (
    <Related
      title={words.title}
      asked={useRules(id)}
      none={words.none}
      foot={
        <FormDialog
          label={words.add}
          look="plain"
          fields={fieldsOf(environments)}
          preview={previewOf(id)}
          send={async (values): Promise<undefined> => {
            await answerOf(client.POST(base, { params: { path: { id } }, body: typedIn(values) }));
            notify(words.added);
          }}
        />
      }
    >
      {(rule) => (
        <>
          <span class="strong">{rule.name}</span>
          <code>{textOf(rule.condition)}</code>
          <span class="soft">{rule.enabled ? words.matches(rule.matchCount) : words.off}</span>
          {rule.environmentId !== null && <span class="tag">{nameOf(rule.environmentId)}</span>}
          <Acts rule={rule} environments={environments} />
        </>
      )}
    </Related>
  );
}
