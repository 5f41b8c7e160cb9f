import type { Application } from '../../api/types.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { type Field, oneOf, type Values } from '../../forms/field.ts';
import { application as words } from '../../texts/application.ts';
import { texts } from '../../texts.ts';

const CRITICALITIES = ['critical', 'high', 'medium', 'low'] as const;
const EXPOSURES = ['', 'true', 'false'] as const;

export const fieldsOf = (known?: Application): Field[] => [
  { name: 'name', label: words.form.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'description', label: words.form.description, kind: 'long', initial: known?.description ?? '' },
  {
    name: 'criticality',
    label: words.columns.criticality,
    kind: 'choice',
    width: 'half',
    options: CRITICALITIES.map((value) => ({ value, label: texts.severities[value] })),
    initial: known?.criticality ?? 'medium',
  },
  {
    name: 'internetExposed',
    label: words.columns.exposed,
    kind: 'choice',
    width: 'half',
    options: EXPOSURES.map((value) => ({ value, label: words.form.exposures[value] })),
    initial: String(known?.internetExposed ?? ''),
  },
  {
    name: 'tags',
    label: words.form.tags,
    hint: words.form.tagsHint,
    kind: 'text',
    initial: known?.tags.join(', ') ?? '',
  },
];

const EXPOSED = { '': null, true: true, false: false };

export const bodyOf = ({ text, maybe }: Values) => ({
  name: text('name'),
  description: maybe('description') ?? null,
  criticality: oneOf(CRITICALITIES, text('criticality')),
  internetExposed: EXPOSED[oneOf(EXPOSURES, text('internetExposed'))],
  tags: wordsIn(text('tags')),
});
