import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { repositoryRoot } from '../repository.ts';
import { onlyWhatRuns } from './only-what-runs.ts';
import {
  builtinHttp,
  clientsApart,
  DATA_APART,
  dataApart,
  environmentCredentials,
  errorsOfRecords,
  fontsBeside,
  LIBRARIES_APART,
  lazyClients,
  librariesApart,
  nativeHash,
  onlyRules,
  onlyVersions,
  pdfkitAsScript,
  regionOfEnvironment,
  standardRetries,
  starterRulesInside,
  unnamedRegions,
  usedCommands,
  withoutEndpointDiscovery,
  withoutEventStreams,
  withoutHostPrefixes,
  withoutJsonSchema,
  withoutReaders,
  withoutUserAgent,
  withoutVersionWarning,
  withoutZodTexts,
} from './plugins.ts';

/** The code of a bundle and its source map. */
type Bundle = { code: Uint8Array; map: Uint8Array };
export type Bundles = { functions: Map<string, Bundle>; clients: Map<string, Bundle>; metafile: Metafile };

const lean: Plugin[] = [
  builtinHttp,
  usedCommands,
  clientsApart,
  errorsOfRecords,
  environmentCredentials,
  withoutJsonSchema,
  onlyRules,
  onlyVersions,
  onlyWhatRuns,
  withoutEndpointDiscovery,
  withoutUserAgent,
  withoutVersionWarning,
  withoutEventStreams,
  withoutHostPrefixes,
  nativeHash,
  standardRetries,
  unnamedRegions,
  regionOfEnvironment,
];

const isWorker = (file: string) => file.startsWith('functions/workers/');

/** Bundles all entries and the lazy clients. `entries`: name -> file, from the root. */
export async function bundle(entries: Record<string, string>, plugins = lean): Promise<Bundles> {
  const functions = Object.entries(entries).map(([name, file]) => [`functions/${name}`, file] as const);
  const clients = Object.entries(lazyClients).map(([module, file]) => [`clients/${file}`, module] as const);
  const data = Object.entries(DATA_APART).map(([name, module]) => [`clients/${name}`, module] as const);
  const libraries = LIBRARIES_APART.map((name) => [`clients/${name}`, name] as const);
  const made = await Promise.all([
    run(
      [...functions.filter(([, file]) => !isWorker(file)), ...clients, ...data, ...libraries],
      [withoutReaders, withoutZodTexts, dataApart, librariesApart, ...plugins],
    ),
    run(
      functions.filter(([, file]) => isWorker(file)),
      plugins,
    ),
  ]);
  const outputFiles = made.flatMap((result) => result.outputFiles);
  const metafile = {
    inputs: Object.assign({}, ...made.map((result) => result.metafile.inputs)),
    outputs: Object.assign({}, ...made.map((result) => result.metafile.outputs)),
  };
  return { functions: pick(outputFiles, 'functions'), clients: pick(outputFiles, 'clients'), metafile };
}

function run(entries: (readonly [name: string, file: string])[], plugins: Plugin[]) {
  return build({
    absWorkingDir: repositoryRoot,
    entryPoints: Object.fromEntries(entries),
    outdir: 'dist',
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts 20 ms faster than an ES module; its dynamic imports become a plain require.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // `module` first: esbuild cannot drop unused code from the SDK's CommonJS builds, which are 200 KB larger.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: 'external',
    metafile: true,
    logLevel: 'warning',
    plugins: [starterRulesInside, fontsBeside, pdfkitAsScript, ...plugins],
  });
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
