/** A part of the filter that a suggestion replaces: from `from` to the caret. */
export type Place =
  | { kind: 'field'; from: number; typed: string }
  | { kind: 'value' | 'compared'; from: number; field: string; typed: string };

const PART = /^-?([A-Za-z.]*)(?::|([<>]=?))?/;

/** The place of the caret in a filter; `compared` is behind an operator whose values are days or numbers. */
export function placeAt(text: string, caret: number): Place | undefined {
  const start = startOfPart(text.slice(0, caret));
  const part = text.slice(start, caret);
  const [matched = '', field = '', comparison] = PART.exec(part) ?? [];
  if (comparison !== undefined)
    return { kind: 'compared', from: start + matched.length, field, typed: part.slice(matched.length) };
  const negation = part.startsWith('-') ? 1 : 0;
  if (!matched.endsWith(':'))
    return part.length === matched.length ? { kind: 'field', from: start + negation, typed: field } : undefined;
  const values = part.slice(matched.length);
  const from = start + matched.length + startOf(values, ',');
  return { kind: 'value', from, field, typed: text.slice(from, caret).replaceAll('"', '') };
}

/** Behind the last blank or parenthesis outside of quotation marks. */
const startOfPart = (before: string): number => startOf(before, ' ', '(');

function startOf(text: string, ...separators: readonly string[]): number {
  let start = 0;
  let isQuoted = false;
  for (const [n, sign] of [...text].entries()) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(sign)) start = n + 1;
  }
  return start;
}

const NEEDS_QUOTES = /[\s,()"]/;

/** A value as a filter has it. */
const written = (value: string): string => (NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value);

/** The filter with a suggestion in place, and the caret behind it. */
export function completed(text: string, caret: number, { from, kind }: Place, suggestion: string) {
  const inserted = kind === 'field' ? `${suggestion}:` : written(suggestion);
  return { text: text.slice(0, from) + inserted + text.slice(caret), caret: from + inserted.length };
}
