import { globSync, statSync } from 'node:fs';
import { type Failure, incomplete } from '../errors.ts';
import { STANDARD_INPUT } from './pack.ts';

const GLOB = /[*?[\]{}]/;

/** A file to read; or an argument that leads to none, and why. */
export type Source = { name: string; failure?: Failure };

/** The files of arguments, which may be patterns that no shell has expanded. */
export function sourcesOf(named: readonly string[]): Source[] {
  const found = named.flatMap((name): Source[] => {
    if (name === STANDARD_INPUT || isFile(name)) return [{ name }];
    const files = GLOB.test(name) ? globSync(name).filter(isFile).sort() : [];
    return files.length > 0 ? files.map((file) => ({ name: file })) : [{ name, failure: noFile(name) }];
  });
  return [...new Map(found.map((source) => [source.name, source])).values()];
}

/** The patterns among arguments. */
export const patternsOf = (named: readonly string[]): string[] => named.filter((name) => GLOB.test(name));

const noFile = (name: string): Failure =>
  statSync(name, { throwIfNoEntry: false })?.isDirectory()
    ? incomplete(`${name} is a folder.`, `Name its files, such as "${name}/*.sarif".`)
    : incomplete(`${name} names no file.`, 'Check that the scanner wrote its report, and where.');
/** Whether the name leads to something that can be read, also to a pipe. */
const isFile = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === false;
