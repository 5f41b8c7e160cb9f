import { OPERATORS_OF, operatorsInRules } from './compile.ts';
import type { Fields } from './fields.ts';
import { type Filter, leavesOf } from './filter.ts';
import { printFilter } from './print.ts';

/** A filter as text, and the number of its values, words and ranges. */
export function describeFilter(filter: Filter, fields: Fields) {
  const values = leavesOf(filter).reduce((sum, { value }) => sum + Math.max(1, [value ?? []].flat().length), 0);
  return { text: printFilter(filter, fields), values };
}

/** The fields of filters as they are shown. */
export const describeFields = (fields: Fields) =>
  Object.entries(fields).map(([name, field]) => ({
    name,
    kind: field.kind,
    description: field.about,
    operators: [...OPERATORS_OF[field.kind]],
    inRules: [...operatorsInRules(field)],
    values: field.kind === 'choice' ? [...field.values] : field.kind === 'flag' ? ['true', 'false'] : null,
    example: field.kind === 'words' ? field.example : `${name}:${field.example}`,
  }));
