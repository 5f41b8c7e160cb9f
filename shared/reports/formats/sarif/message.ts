import { listAt, textAt } from '../../json.ts';

/**
 * The text of a SARIF message (3.11): its own, or the one that its id names among the rule's or the tool's strings, with
 * its arguments in place and links inside the report reduced to their words.
 */
export function messageText(message: unknown, sources: unknown[]): string | undefined {
  const template = textAt(message, 'text') ?? stringOf(message, sources) ?? textAt(message, 'markdown');
  if (template === undefined) return undefined;
  const values = listAt(message, 'arguments');
  const text = values.length === 0 ? template : withArguments(template, values);
  return text.replace(/\[((?:[^[\]\\]|\\.)*)\]\(\d+\)/g, '$1');
}

function stringOf(message: unknown, sources: unknown[]): string | undefined {
  const id = textAt(message, 'id');
  if (id === undefined) return undefined;
  for (const strings of sources) {
    const text = textAt(strings, id, 'text') ?? textAt(strings, id, 'markdown');
    if (text !== undefined) return text;
  }
  return undefined;
}

function withArguments(template: string, values: unknown[]): string {
  return template.replace(/\{\{|\}\}|\{(\d+)\}/g, (match, index?: string) => {
    if (index === undefined) return match[0] ?? '';
    const value = values[Number(index)];
    return typeof value === 'string' ? value : match;
  });
}
