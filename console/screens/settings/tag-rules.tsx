import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { AssetTagRule, NewAssetTagRule } from '../../api/types.ts';
import { filterAfter, textOf, wordsIn } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Counted } from '../../parts/counted.tsx';
import { LIST_SIZE } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { count } from '../../texts/amounts.ts';
import { settings } from '../../texts/settings.ts';
import { RuleActs } from './rule-acts.tsx';
import { RuleList } from './rule-list.tsx';

const words = settings.tags;

const useRules = question(() =>
  answerOf(client.GET('/api/v1/asset-tag-rules', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const usePreview = question(async (about: string) => {
  const body: NewAssetTagRule = JSON.parse(about);
  return answerOf(client.POST('/api/v1/asset-tag-rules/preview', { body }));
});

const fieldsOf = (rule?: AssetTagRule): Field[] => [
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
    name: 'tags',
    label: words.tags,
    hint: words.tagsHint,
    kind: 'text',
    required: true,
    initial: rule?.tags.join(', ') ?? '',
  },
];

function typedIn({ text, maybe }: Values, rule?: AssetTagRule): NewAssetTagRule {
  const { filter, filterId } = filterAfter(
    maybe('condition'),
    rule && { filter: rule.condition, filterId: rule.filterId },
  );
  return { name: text('name'), ...(filter && { condition: filter }), filterId, tags: wordsIn(text('tags')) };
}

function preview(values: Values) {
  const { condition, tags } = typedIn(values);
  if (condition === undefined || tags.length === 0) return <p class="preview soft">{words.start}</p>;
  return <Effect rule={{ name: words.one, condition, tags }} />;
}

const Effect = ({ rule }: { rule: NewAssetTagRule }) => (
  <Counted
    asked={usePreview(JSON.stringify(rule))}
    text={({ matchCount, newlyTagged }) => words.preview(matchCount, newlyTagged)}
    incomplete={words.incomplete}
  />
);

const change = ({ id, version }: AssetTagRule, body: NewAssetTagRule | { enabled: boolean }) =>
  answerOf(
    client.PATCH('/api/v1/asset-tag-rules/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
  );

const columns: TableColumn<AssetTagRule>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.condition, cell: ({ condition }) => <code>{textOf(condition)}</code> },
  {
    label: words.tags,
    cell: ({ tags }) => (
      <span class="acts">
        {tags.map((tag) => (
          <Link key={tag} href={`/assets?${new URLSearchParams({ tag })}`}>
            {tag}
          </Link>
        ))}
      </span>
    ),
  },
  {
    label: words.matches,
    cell: ({ matchCount, status }) => (
      <>
        {count(matchCount)} {status === 'evaluating' && <span class="soft small">{words.evaluating}</span>}
      </>
    ),
  },
  { label: settings.state, cell: ({ enabled }) => <span class="tag">{enabled ? settings.isOn : settings.isOff}</span> },
  { label: settings.actions, cell: Actions },
];

function Actions(rule: AssetTagRule) {
  return (
    <RuleActs
      rule={rule}
      words={words}
      fields={fieldsOf(rule)}
      preview={preview}
      save={(values) => change(rule, typedIn(values, rule))}
      turn={(enabled) => change(rule, { enabled })}
      remove={() => answerOf(client.DELETE('/api/v1/asset-tag-rules/{id}', { params: { path: { id: rule.id } } }))}
    />
  );
}

export const TagRules = () => (
  <RuleList
    words={words}
    asked={useRules('')}
    columns={columns}
    fields={fieldsOf()}
    preview={preview}
    create={(values) => answerOf(client.POST('/api/v1/asset-tag-rules', { body: typedIn(values) }))}
  />
);
