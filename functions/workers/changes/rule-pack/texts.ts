import * as z from 'zod';
import { MAX_LEVELS } from '#shared/soc/detection/references.ts';
import { type Fields, MAX_TEXT, readDocuments } from '#shared/soc/sigma/documents.ts';
import { SigmaError } from '#shared/soc/sigma/refusal.ts';
import { filesIn, type PackFile, refusedPack } from './files.ts';

const PackRefusal = z.object({ file: z.string(), message: z.string() });
type PackRefusal = z.infer<typeof PackRefusal>;

const PackText = z.object({
  file: z.string(),
  id: z.string(),
  content: z.string(),
  /** The rule counts for a correlation of its file, and raises no alert of its own. */
  isCounted: z.boolean(),
  /** 0 for a rule that counts no other rule of the pack; a correlation is behind the rules that it counts. */
  level: z.int(),
});

/** The texts of a pack, each of which becomes a rule, and the texts that cannot. */
export const Pack = z.object({ texts: z.array(PackText), refused: z.array(PackRefusal) });
export type Pack = z.infer<typeof Pack>;

const MAX_RULES = 5_000;
const MAX_FILE_NAME = 300;

/** One text of a file with its fields; those of its correlation, if the text has rules that it counts. */
type Read = { file: string; content: string; fields: Fields; isCounted: boolean };

/** Reads a pack. @throws TaskFailure for a file that is no pack, or too large */
export async function readPack(bytes: Buffer, name: string): Promise<Pack> {
  const read: Read[] = [];
  const refused: PackRefusal[] = [];
  for (const { file, content } of await filesIn(bytes, name))
    for (const one of await textsIn({ file: file.slice(-MAX_FILE_NAME), content })) {
      if ('fields' in one) read.push(one);
      else refused.push(one);
      if (read.length + refused.length > MAX_RULES)
        throw refusedPack(`The pack has more than ${MAX_RULES} rules: send them in several packs.`);
    }
  if (read.length + refused.length === 0)
    throw refusedPack('The pack has no rules: they are files that end with .yml or .yaml, or documents of one text.');
  const files = new Map<string, string>();
  const known = read.filter(({ file, fields }) => {
    const id = idOf(fields);
    const other = files.get(id);
    if (id === '' || other !== undefined)
      refused.push({ file, message: other ? `id: is the id of ${other}, too` : NO_ID });
    else files.set(id, file);
    return files.get(id) === file;
  });
  return { texts: inLevels(known), refused };
}

const NO_ID = 'id: must be a text: it recognizes the rule in the next pack';

const idOf = ({ id }: Fields): string => (typeof id === 'string' ? id.trim() : '');

/** A line that separates the documents of a text. */
const BETWEEN = /^---(?=\s|$)/m;

/**
 * The texts of a file: the file itself, if it has one rule, or one correlation and the rules that it counts. Otherwise each document is a
 * rule of its own, and a correlation names the other rules.
 */
async function textsIn({ file, content }: PackFile): Promise<(Read | PackRefusal)[]> {
  if (content === undefined) return [{ file, message: `content: must be UTF-8, and have at most ${MAX_TEXT} bytes` }];
  const parts = content.split(BETWEEN).filter((part) => part.split('\n').some((line) => !/^\s*(#|$)/.test(line)));
  const read = await Promise.all(
    parts.map((part, n) =>
      readPart(parts.length === 1 ? { file, content } : { file: `${file}#${n + 1}`, content: part }),
    ),
  );
  const rules = read.flatMap((one) => ('fields' in one ? one : []));
  const correlations = rules.filter(({ fields }) => fields.correlation !== undefined);
  const [only] = correlations;
  const isNamed = countedIn(correlations);
  const isWhole = correlations.length === 1 && rules.length === read.length;
  if (only && isWhole && rules.every((one) => one === only || isNamed(one))) return [{ ...only, file, content }];
  const isCounted = countedIn(correlations.filter(({ fields }) => fields.generate !== true));
  return read.map((one) => ('fields' in one ? { ...one, isCounted: isCounted(one) } : one));
}

const countedIn = (correlations: readonly Read[]) => (rule: Read) =>
  correlations.some((one) => one !== rule && namesOf(rule).some((name) => countedBy(one).includes(name)));

async function readPart(part: { file: string; content: string }): Promise<Read | PackRefusal> {
  try {
    const [fields = {}] = await readDocuments(part.content);
    return { ...part, fields, isCounted: false };
  } catch (error) {
    if (error instanceof SigmaError) return { file: part.file, message: error.message };
    throw error;
  }
}

const namesOf = ({ fields: { id, name } }: Pick<Read, 'fields'>): unknown[] =>
  [id, name].filter((one) => typeof one === 'string');

function countedBy({ fields: { correlation } }: Pick<Read, 'fields'>): unknown[] {
  const rules = typeof correlation === 'object' && correlation !== null ? Reflect.get(correlation, 'rules') : undefined;
  return Array.isArray(rules) ? rules : [rules];
}

/** Rules before the correlations that count them. The import refuses a circle, and correlations that are too deep. */
function inLevels(read: readonly Read[]): Pack['texts'] {
  let levels = new Map<Read, number>();
  const named = new Map(read.flatMap((one) => namesOf(one).map((name) => [name, one] as const)));
  for (let n = 0; n <= MAX_LEVELS; n++)
    levels = new Map(
      read.map((one) => {
        const counted = countedBy(one).flatMap((name) => named.get(name) ?? []);
        const below = counted.filter((other) => other !== one).map((other) => levels.get(other) ?? 0);
        return [one, below.length === 0 ? 0 : 1 + Math.max(...below)];
      }),
    );
  return read.map((one) => ({
    file: one.file,
    id: idOf(one.fields),
    content: one.content,
    isCounted: one.isCounted,
    level: levels.get(one) ?? 0,
  }));
}
