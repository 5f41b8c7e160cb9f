import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { repositoryRoot } from '../repository.ts';
import { onlyWhatRuns } from './only-what-runs.ts';
import {
  builtinHttp,
  clientsApart,
  environmentCredentials,
  lazyClients,
  onlyRules,
  plainEndpointCache,
  withoutEventStreams,
  withoutJsonSchema,
} from './plugins.ts';

/** A bundle's code and its source map, in memory. */
type Bundle = { code: Uint8Array; map: Uint8Array };
export type Bundles = { functions: Map<string, Bundle>; clients: Map<string, Bundle>; metafile: Metafile };

const lean: Plugin[] = [
  builtinHttp,
  clientsApart,
  environmentCredentials,
  withoutJsonSchema,
  onlyRules,
  onlyWhatRuns,
  withoutEventStreams,
  plainEndpointCache,
];

/** Bundles all entries and the lazy clients in one call of esbuild. `entries`: name -> file, from the root. */
export async function bundle(entries: Record<string, string>, plugins = lean): Promise<Bundles> {
  const clients = Object.fromEntries(Object.entries(lazyClients).map(([module, file]) => [`clients/${file}`, module]));
  const functions = Object.fromEntries(Object.entries(entries).map(([name, file]) => [`functions/${name}`, file]));
  const { outputFiles, metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: { ...functions, ...clients },
    outdir: 'dist',
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts 20 ms sooner than an ES module; a dynamic import in it becomes a plain require.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // Main fields in this order: the SDK's CommonJS builds cannot be shaken and give 200 KB more.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: 'external',
    metafile: true,
    logLevel: 'warning',
    plugins,
  });
  return { functions: pick(outputFiles, 'functions'), clients: pick(outputFiles, 'clients'), metafile };
}

function pick(files: OutputFile[], folder: string): Map<string, Bundle> {
  const found = new Map<string, Bundle>();
  for (const { path, contents } of files) {
    const name = new RegExp(`/dist/${folder}/(.+)\\.js$`).exec(path.replaceAll('\\', '/'))?.[1];
    const map = files.find((file) => file.path === `${path}.map`);
    if (name && map) found.set(name, { code: contents, map: map.contents });
  }
  return found;
}
