import { globSync, statSync } from 'node:fs';
import { incomplete } from '../errors.ts';
import { STANDARD_INPUT } from './pack.ts';

const GLOB = /[*?[\]{}]/;

/** The files of arguments, which may be patterns that no shell has expanded. @throws incomplete where one names nothing */
export function sourcesOf(named: readonly string[]): string[] {
  const found = named.flatMap((name) => {
    if (name === STANDARD_INPUT || exists(name)) return name;
    const files = GLOB.test(name) ? globSync(name).filter(isFile).sort() : [];
    if (files.length === 0)
      throw incomplete(`${name} names no file.`, 'Check that the scanner wrote its report, and where.');
    return files;
  });
  return [...new Set(found)];
}

const exists = (name: string): boolean => statSync(name, { throwIfNoEntry: false }) !== undefined;
const isFile = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() === true;
