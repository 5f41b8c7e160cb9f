import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { newId } from '#shared/platform/runtime/ids.ts';

/** All code of the worker, in Lambda. */
const BUNDLE = '/var/task/index.js';

let known: Promise<string> | undefined;

/** Differs wherever the code that reads reports may differ. Outside of Lambda the code is in many files: each process counts as a release. */
export function readingRelease(): Promise<string> {
  known ??= readFile(BUNDLE).then((code) => hash('sha256', code), newId);
  return known;
}
