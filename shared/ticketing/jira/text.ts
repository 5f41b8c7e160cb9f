import { shortened } from '#shared/platform/runtime/texts.ts';
import { fieldAt, listAt, textAt } from '#shared/reports/readers/json.ts';

/** Jira refuses texts of more than 32,767 characters; formatting takes some of them. */
const MAX_CHARACTERS = 30_000;

/** A text in the Atlassian Document Format, which REST API v3 takes: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
export function documentOf(text: string) {
  const paragraphs = shortened(text, MAX_CHARACTERS).split(/\n{2,}/);
  return { type: 'doc', version: 1, content: paragraphs.map(paragraphOf) };
}

/** Text nodes are literal: they contain no markup. They may not be empty. */
function paragraphOf(text: string) {
  const lines = text.split('\n').map((line) => (line === '' ? [] : [{ type: 'text', text: line }]));
  const content = lines.flatMap((line, n) => (n === 0 ? line : [{ type: 'hardBreak' }, ...line]));
  return { type: 'paragraph', content };
}

/** A text for REST API v2: the characters that begin links, mentions, pictures and macros become literal. */
export const wikiOf = (text: string): string =>
  shortened(text, MAX_CHARACTERS).replaceAll(/[[\]{}!|]/g, (character) => `\\${character}`);

/** Nested deeper, a document is cut off. */
const MAX_DEPTH = 30;
const BLOCKS = ['paragraph', 'heading', 'codeBlock', 'blockquote', 'listItem', 'tableRow', 'rule', 'panel'];

/** The words of a body from either version of the REST API. */
export function plainText(body: unknown): string {
  const text = typeof body === 'string' ? body : textIn(body, 0);
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function textIn(node: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  const type = textAt(node, 'type') ?? '';
  if (type === 'text') return String(fieldAt(node, 'text') ?? '');
  if (type === 'hardBreak') return '\n';
  const named = textAt(node, 'attrs', 'text') ?? textAt(node, 'attrs', 'url') ?? '';
  const inner = listAt(node, 'content').map((part) => textIn(part, depth + 1));
  return `${named}${inner.join('')}${BLOCKS.includes(type) ? '\n\n' : ''}`;
}
