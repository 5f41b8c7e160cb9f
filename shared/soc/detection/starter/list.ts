import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The service's own rules, by names that never change: the `.yml` files beside this one. A bundle has them as values
 * (`infra/bundle/plugins.ts`).
 */
export function starterRules(): Record<string, string> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.yml'));
  const textOf = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
  return Object.fromEntries(files.sort().map((file) => [basename(file, '.yml'), textOf(file)]));
}
