import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Needs } from '#functions/needs.ts';
import { type FunctionSource, functionSources, type Service } from '../service.ts';
import { type Bundles, bundle } from './bundle.ts';
import { extraFiles } from './extra-files.ts';
import { DATA_APART, LIBRARIES_APART, lazyClients } from './plugins.ts';

type Packed = { name: string; bytes: number };

/**
 * Writes `<directory>/functions/<name>/` for Lambda, and beside it `source-maps/` for the stack traces in the logs.
 * @returns the sizes, and esbuild's record of the content of each bundle
 */
export async function packFunctions(
  service: Service,
  directory: string,
): Promise<{ packed: Packed[]; metafile: Metafile }> {
  const sources = functionSources(service);
  const bundles = await bundle(Object.fromEntries(sources.map(({ name, entry }) => [name, entry])));
  for (const part of ['functions', 'source-maps']) await rm(join(directory, part), { recursive: true, force: true });
  // Node reads the files as CommonJS here too, where the repository's package.json says otherwise.
  await write(join(directory, 'functions/package.json'), '{ "type": "commonjs" }\n');
  await write(join(directory, 'metafile.json'), JSON.stringify(bundles.metafile));
  const packed = await Promise.all(sources.map((source) => packFunction(source, bundles, directory)));
  for (const { name } of sources) await extraFiles[name]?.(join(directory, 'functions', name), service);
  for (const [name, { map }] of bundles.clients) await write(join(directory, `source-maps/${name}.js.map`), map);
  return { packed, metafile: bundles.metafile };
}

async function packFunction({ name, needs }: FunctionSource, bundles: Bundles, directory: string): Promise<Packed> {
  const made = bundles.functions.get(name);
  if (!made) throw new Error(`the function ${name} was not bundled`);
  const home = join(directory, 'functions', name);
  await write(join(home, 'index.js'), made.code);
  await write(join(directory, `source-maps/${name}.js.map`), made.map);
  for (const client of clientsOf(needs, made.code))
    await write(join(home, `${client}.js`), bundles.clients.get(client)?.code ?? '');
  return { name, bytes: made.code.length };
}

/** Files that the shared clients never import: a bundle that names such a file has code that reaches it. */
const APART: readonly string[] = [
  lazyClients['@aws-sdk/s3-request-presigner'],
  ...Object.keys(DATA_APART),
  ...LIBRARIES_APART,
];

/** The files beside a function: the clients that these needs reach, and what its code asks for. */
export function clientsOf(needs: Needs, code: Uint8Array): string[] {
  const { sends = [], checksQueues, bucket, languageModel } = needs;
  const { signingKey, sealingKey, billingSecret, payments, challenges, originSecret } = needs;
  const readsSecrets = signingKey || sealingKey || billingSecret || payments || challenges || originSecret;
  const text = Buffer.from(code).toString('utf8');
  const clients: string[] = APART.filter((file) => text.includes(`"./${file}.js"`));
  if (sends.length > 0 || checksQueues) clients.push(lazyClients['@aws-sdk/client-sqs']);
  if (bucket) clients.push(lazyClients['@aws-sdk/client-s3']);
  if (readsSecrets) clients.push(lazyClients['@aws-sdk/client-secrets-manager']);
  if (languageModel) clients.push(lazyClients['@aws-sdk/client-bedrock-runtime']);
  return clients;
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
