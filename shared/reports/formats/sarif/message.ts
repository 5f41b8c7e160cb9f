import { listAt, textAt } from '../../readers/json.ts';

/** Characters of a message that patterns read; a finding stores a quarter of them. */
const MAX_TEXT = 64 * 1024;

/**
 * The text of a SARIF message (3.11): its own, or the text that its id names among the rule's or the tool's strings,
 * with its arguments filled in and links inside the report reduced to their words.
 */
export function messageText(message: unknown, sources: unknown[]): string | undefined {
  const template = textAt(message, 'text') ?? stringOf(message, sources) ?? textAt(message, 'markdown');
  if (template === undefined) return undefined;
  const values = listAt(message, 'arguments');
  const text = values.length === 0 ? template : withArguments(template.slice(0, MAX_TEXT), values);
  return withoutLinks(text.slice(0, MAX_TEXT));
}

/** An escaped bracket begins no link; escape and bracket are read as a pair so that no bracket is read twice. */
const withoutLinks = (text: string): string =>
  text.replace(/\\.|\[((?:[^[\]\\]|\\.)*)\]\(\d+\)/g, (match, words?: string) => words ?? match);

function stringOf(message: unknown, sources: unknown[]): string | undefined {
  const id = textAt(message, 'id');
  if (id === undefined) return undefined;
  for (const strings of sources) {
    const text = textAt(strings, id, 'text') ?? textAt(strings, id, 'markdown');
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A placeholder may be repeated, so the texts put in its place are bounded together. */
function withArguments(template: string, values: unknown[]): string {
  let left = MAX_TEXT;
  return template.replace(/\{\{|\}\}|\{(\d+)\}/g, (match, index?: string) => {
    if (index === undefined) return match[0] ?? '';
    const value = values[Number(index)];
    if (typeof value !== 'string') return match;
    const part = value.slice(0, left);
    left -= part.length;
    return part;
  });
}
