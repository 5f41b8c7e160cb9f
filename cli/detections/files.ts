import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { usage } from '../errors.ts';

/** A file with the text of a Sigma rule. */
export type RuleFile = { file: string; content: string };

const IS_RULE = /\.ya?ml$/i;

/** The rules of files, and of folders with all that is in them. @throws Failure where there are none */
export async function readRules(paths: readonly string[]): Promise<RuleFile[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0)
    throw usage(`No rules in ${paths.join(', ')}.`, 'Rules are files that end with .yml or .yaml.');
  const sorted = [...new Set(files)].sort();
  return Promise.all(sorted.map(async (file) => ({ file, content: await readFile(file, 'utf8') })));
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usage(`${path} cannot be read: ${error.code}.`);
  });
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names.filter((name) => IS_RULE.test(name)).map((name) => join(path, name));
}
