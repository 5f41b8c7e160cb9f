import { mkdir, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { areas } from '#functions/contract.ts';
import { repositoryRoot } from '../repository.ts';
import { apiDocument } from './document.ts';

const file = join(repositoryRoot, 'dist/openapi.d.ts');

/** Writes the types of the typed client: the console is compiled with them, and so is the program of an integrator in a test. */
export async function writeClientTypes(): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await generateTypes());
}

/** The generator builds its types with the interface of TypeScript 5, which later releases lack. */
async function generateTypes(): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
  });
  const { default: generate, astToString } = await import('openapi-typescript');
  hooks.deregister();
  const document = JSON.parse(JSON.stringify(apiDocument(areas)));
  // A default of a request is no promise of the caller: the field may be left out.
  return astToString(await generate(document, { defaultNonNullable: false }));
}
