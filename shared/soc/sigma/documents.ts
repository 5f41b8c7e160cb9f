import type { Document, visit } from 'yaml';
import { refuse, SigmaError } from './refusal.ts';

/** The longest text of a rule, in bytes: a row of the table holds it. SigmaHQ's list of vulnerable drivers has 295,078. */
export const MAX_TEXT = 320_000;
/** A correlation and the rules that it counts. */
const MAX_DOCUMENTS = 11;

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The YAML documents of a rule's text, each a map. The parser is loaded with the first text.
 * @throws SigmaError for a text that is no YAML, or no rule at all
 */
export async function readDocuments(text: string): Promise<Fields[]> {
  if (Buffer.byteLength(text) > MAX_TEXT) refuse('content', `must have at most ${MAX_TEXT} bytes`);
  const yaml = await import('yaml');
  const documents = parsed(() => yaml.parseAllDocuments(text, { schema: 'core', version: '1.2' }));
  const values = documents
    .map((document) => parsed(() => contentOf(document, yaml.visit)))
    .filter((value) => value !== null);
  if (values.length === 0) refuse('content', 'must be the text of a rule');
  if (values.length > MAX_DOCUMENTS) refuse('content', `must have at most ${MAX_DOCUMENTS} documents`);
  return values.map((value) => fieldsOf('content', value));
}

type Read = { errors: readonly { message: string }[] } & Document;

/**
 * An alias could expand to a document of any size. A number in another form than its usual one stays a text (00000429, 1.10, 0x17): a rule
 * means the text in the event.
 */
function contentOf(document: Read, visitAll: typeof visit): unknown {
  const [error] = document.errors;
  if (error) refuse('content', `is no YAML: ${error.message.split('\n', 1)[0]}`);
  visitAll(document, {
    Scalar(_, scalar) {
      const { value, source } = scalar;
      if (typeof value === 'number' && source !== undefined && source !== String(value)) scalar.value = source;
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}

/** The parser goes as deep as the text is nested, so that a nonsensical text can end its stack. */
function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SigmaError) throw error;
    if (error instanceof RangeError) return refuse('content', 'is nested too deeply');
    if (error instanceof ReferenceError) return refuse('content', 'must not have aliases (*name)');
    throw error;
  }
}

/** @throws SigmaError for a value that is no map */
export function fieldsOf(path: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'must be a map');
  return value as Fields;
}

/** A text that may be absent. @throws SigmaError */
export function textOf(path: string, value: unknown, most = 256): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.trim() === '') return refuse(path, 'must be a text');
  if (value.length > most) refuse(path, `must have at most ${most} characters`);
  return value.trim();
}

/** Texts, or a single text. @throws SigmaError */
export function textsOf(path: string, value: unknown, most?: number): string[] {
  if (value === undefined || value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((one, n) => textOf(`${path}.${n}`, one, most) ?? refuse(`${path}.${n}`, 'must be a text'));
}
