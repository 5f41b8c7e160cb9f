import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { Failure, reasonOf, usage } from '../errors.ts';

/** A file with the text of a Sigma rule. */
export type RuleFile = { file: string; content: string };

const IS_RULE = /\.ya?ml$/i;
const IS_ARCHIVE = /\.zip$/i;
/** The service takes no longer text. */
const MAX_RULE_BYTES = 320_000;
/** More than twice as many as an organization may have. */
const MAX_RULES = 20_000;

/** The rules of files, of folders with all that is in them, and of zip archives. @throws Failure where there are none */
export async function readRules(paths: readonly string[]): Promise<RuleFile[]> {
  const rules = (await Promise.all(paths.map(rulesIn))).flat();
  if (rules.length === 0)
    throw usage(
      `No rules in ${paths.join(', ')}.`,
      'Rules are files that end with .yml or .yaml, also within an archive that ends with .zip.',
    );
  const unique = new Map(rules.map((rule) => [rule.file, rule]));
  return [...unique.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function rulesIn(path: string): Promise<RuleFile[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usage(`${path} cannot be read: ${error.code}.`);
  });
  if (found.isDirectory()) {
    const names = await readdir(path, { recursive: true });
    return Promise.all(names.filter((name) => IS_RULE.test(name)).map((name) => ruleIn(join(path, name))));
  }
  return IS_ARCHIVE.test(path) ? archivedIn(path) : [await ruleIn(path)];
}

const ruleIn = async (file: string): Promise<RuleFile> => ({ file, content: await readFile(file, 'utf8') });

/** The rules of an archive, such as a release of SigmaHQ. @throws Failure for a file that is no archive */
async function archivedIn(path: string): Promise<RuleFile[]> {
  const rules: RuleFile[] = [];
  try {
    const zip = await openPromise(path);
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry;
      if (!IS_RULE.test(fileName)) continue;
      if (uncompressedSize > MAX_RULE_BYTES) throw usage(`${path}/${fileName} has more than ${MAX_RULE_BYTES} bytes.`);
      if (rules.length >= MAX_RULES) throw usage(`${path} has more than ${MAX_RULES} rules.`);
      const content = (await buffer(await zip.openReadStreamPromise(entry))).toString();
      rules.push({ file: `${path}/${fileName}`, content });
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usage(`${path} cannot be read: ${reasonOf(error)}.`, 'Send a zip archive that is whole.');
  }
  return rules;
}
