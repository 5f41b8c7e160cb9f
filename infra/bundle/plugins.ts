import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { starterRules } from '#shared/soc/detection/starter/list.ts';

/**
 * AWS clients that few requests use. Code imports them dynamically. Each client is packed once, beside the bundles of
 * the functions that declare the need: a cold start does not load it.
 */
export const lazyClients = {
  '@aws-sdk/client-sqs': 'client-sqs',
  '@aws-sdk/client-s3': 'client-s3',
  '@aws-sdk/s3-request-presigner': 's3-request-presigner',
  '@aws-sdk/client-secrets-manager': 'client-secrets-manager',
  '@aws-sdk/client-bedrock-runtime': 'client-bedrock-runtime',
} as const;

/**
 * `import 'node:http'` in a bundle loads lazy parts of the runtime, about 25 ms of a cold start, although the SDK also
 * imports it dynamically. `process.getBuiltinModule` costs nothing.
 */
export const builtinHttp: Plugin = {
  name: 'builtin-http',
  setup(build) {
    build.onResolve({ filter: /^(node:)?(http|https|http2)$/ }, ({ path }) => ({
      path: path.replace('node:', ''),
      namespace: 'builtin-http',
    }));
    build.onLoad({ filter: /.*/, namespace: 'builtin-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
  },
};

/** `@aws-sdk/lib-dynamodb` does not declare that its modules have no side effects: here only commands that are used stay. */
export const usedCommands: Plugin = {
  name: 'used-commands',
  setup(build) {
    build.onResolve({ filter: /^\.\/[A-Z]\w+(Command|Paginator)$/ }, async ({ path, pluginData, ...place }) => {
      if (pluginData === 'resolved') return undefined;
      return { ...(await build.resolve(path, { ...place, pluginData: 'resolved' })), sideEffects: false };
    });
  },
};

/** Points dynamic imports of the lazy clients to the files beside the bundle. */
export const clientsApart: Plugin = {
  name: 'clients-apart',
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\// }, ({ path, kind }) => {
      const client = Object.entries(lazyClients).find(([name]) => name === path);
      return kind === 'dynamic-import' && client ? { path: `./${client[1]}.js`, external: true } : undefined;
    });
  },
};

/**
 * Lambda gives a function its credentials in the environment. The SDK's default chain would add sign-on, process and
 * web identity providers with their own clients.
 */
export const environmentCredentials: Plugin = {
  name: 'environment-credentials',
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ resolveDir }) => ({
      path: 'credential-provider-node',
      namespace: 'environment-credentials',
      pluginData: resolveDir,
    }));
    build.onLoad({ filter: /.*/, namespace: 'environment-credentials' }, ({ pluginData }) => ({
      contents: `import { fromEnv } from '@aws-sdk/credential-provider-env';\nexport const defaultProvider = () => fromEnv();`,
      resolveDir: String(pluginData),
      loader: 'js',
    }));
  },
};

/** Areas accept reports; only workers read them, so no area bundles a format's reader. */
export const withoutReaders: Plugin = {
  name: 'without-readers',
  setup(build) {
    build.onResolve({ filter: /^\.\/read\.ts$/ }, ({ kind, importer }) =>
      kind === 'dynamic-import' && /[\\/]shared[\\/]reports[\\/]formats[\\/]/.test(importer)
        ? { path: 'reader', namespace: 'without-readers' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'without-readers' }, () => ({
      contents: "throw new Error('an area reads no reports');",
    }));
  },
};

/** A bundle has the starter rules as values, because Lambda has no `.yml` files beside the code. */
export const starterRulesInside: Plugin = {
  name: 'starter-rules-inside',
  setup(build) {
    build.onLoad({ filter: /[\\/]detection[\\/]starter[\\/]list\.ts$/ }, () => ({
      contents: `export const starterRules = () => (${JSON.stringify(starterRules())});`,
    }));
  },
};

/** pdfkit as the script that it has for `require`: its module asks for an address that a bundle has not. */
export const pdfkitAsScript: Plugin = {
  name: 'pdfkit-as-script',
  setup(build) {
    build.onResolve({ filter: /^pdfkit$/ }, ({ resolveDir, pluginData }) =>
      pluginData === 'resolved'
        ? undefined
        : build.resolve('pdfkit', { kind: 'require-call', resolveDir, pluginData: 'resolved' }),
    );
  },
};

/** The function that writes reports has its fonts in the folder beside its code (extra-files.ts). */
export const fontsBeside: Plugin = {
  name: 'fonts-beside',
  setup(build) {
    build.onLoad({ filter: /[\\/]reporting[\\/]write[\\/]font-address\.ts$/ }, () => ({
      contents:
        "import { basename, join } from 'node:path';\n" +
        "export const addressOf = (file) => join(__dirname, 'fonts', basename(file));",
    }));
  },
};

/** Modules beside the bundles of the areas that may need them, most of them data: each file with its module. Passkeys: 440 KB. */
export const DATA_APART = {
  'saml-messages': 'functions/people/sign-in/identity-providers/saml-messages.ts',
  'passkey-checks': 'shared/people/webauthn.ts',
  'token-proof': 'shared/platform/auth/proof.ts',
  'report-formats': 'shared/reports/formats/declared.ts',
  'compliance-frameworks': 'shared/exposure/compliance/frameworks.ts',
  'filter-language': 'shared/platform/filter/language.ts',
  'asset-filter-fields': 'shared/assets/asset/asset-filter-fields.ts',
  'finding-filter-fields': 'shared/findings/finding/finding-filter-fields.ts',
  'vulnerability-filter-fields': 'shared/vulnerabilities/vulnerability/vulnerability-filter-fields.ts',
  'alert-filter-fields': 'shared/soc/alerts/alert-filter-fields.ts',
  'incident-filter-fields': 'shared/soc/incidents/incident-filter-fields.ts',
  'first-subscriptions': 'shared/notifications/defaults.ts',
  'chat-messages': 'shared/notifications/chat.ts',
} as const;

/**
 * Libraries beside the bundles of the areas that may need them: the calculator of CVSS scores (188 KB), and the readers of YAML
 * (115 KB) and of regular expressions (150 KB) for detection rules, the lists of disposable mail domains (140 KB) and of public suffixes (140 KB), and
 * OpenID Connect (50 KB).
 */
export const LIBRARIES_APART = [
  'ae-cvss-calculator',
  'disposable-email-domains-js',
  'openid-client',
  're2js',
  'tldts',
  'yaml',
] as const;

/** Points the areas' dynamic imports of these libraries to the files beside the bundle. */
export const librariesApart: Plugin = {
  name: 'libraries-apart',
  setup(build) {
    build.onResolve(
      { filter: /^(ae-cvss-calculator|disposable-email-domains-js|openid-client|re2js|tldts|yaml)$/ },
      ({ path, kind }) => (kind === 'dynamic-import' ? { path: `./${path}.js`, external: true } : undefined),
    );
  },
};

/** Points the areas' dynamic imports of these modules to the files beside the bundle, as for the lazy clients. */
export const dataApart: Plugin = {
  name: 'data-apart',
  setup(build) {
    build.onResolve(
      {
        filter:
          /^(?:\.|#shared\/notifications)\/(webauthn|proof|chat|declared|defaults|frameworks|language|saml-messages|(asset|finding|vulnerability|alert|incident)-filter-fields)\.ts$/,
      },
      ({ path, kind }) => {
        const data = Object.entries(DATA_APART).find(([, module]) => module.endsWith(path.replace(/^[.#]/, '')));
        return kind === 'dynamic-import' && data ? { path: `./${data[0]}.js`, external: true } : undefined;
      },
    );
  },
};

/** Callers read the messages of `shared/platform/http/messages.ts`, never zod's own. */
export const withoutZodTexts: Plugin = {
  name: 'without-zod-texts',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/en\.js$/ }, () => ({ contents: 'export default () => ({});' }));
  },
};

/** zod includes its JSON Schema generator with every schema: 18 KB that only the build of the API document needs. */
export const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ }, async ({ path }) => {
      const names = [...(await readFile(path, 'utf8')).matchAll(/^export (?:const|function|class) (\w+)/gm)];
      return { contents: names.map(([, name]) => `export const ${name} = () => undefined;`).join('\n') };
    });
  },
};

/**
 * The client of DynamoDB registers the errors of all its operations. Functions only read and write records: errors of
 * backups, exports, global tables and the like never come, and would get the same answer as any other error. 6 KB.
 */
export const errorsOfRecords: Plugin = {
  name: 'errors-of-records',
  setup(build) {
    build.onLoad({ filter: /client-dynamodb[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(OF_OTHER_OPERATIONS, ''),
    }));
  },
};

/** The declaration of such an error, and its registration. */
const OF_OTHER_OPERATIONS =
  /^export var (?:Backup|Continuous|Duplicate|Export|Import|GlobalTable|Index|Invalid|PointInTime|Policy|ItemCollection|LimitExceeded|Replica|ResourceInUse|Table)\w*Exception\$ = \[[^;]*;\nn0_registry\..*$/gm;

/** Lambda names the region in the environment. The SDK would ask the metadata of an EC2 instance where it is missing. */
export const regionOfEnvironment: Plugin = {
  name: 'region-of-environment',
  setup(build) {
    build.onLoad({ filter: /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/ }, () => ({
      contents: 'export const getInstanceMetadataRegion = async () => undefined;',
    }));
  },
};

/** The limiter of the AWS clients' adaptive mode, which is not used: clients keep the standard one. 2.6 KB. */
export const standardRetries: Plugin = {
  name: 'standard-retries',
  setup(build) {
    build.onLoad({ filter: /[\\/]util-retry[\\/]DefaultRateLimiter\.js$/ }, () => ({
      contents:
        "export class DefaultRateLimiter { constructor() { throw new Error('the adaptive mode is not bundled'); } }",
    }));
  },
};

/** Only the rules of rrule, without its sets and its parser of English sentences: 20 KB less. */
export const onlyRules: Plugin = {
  name: 'only-rules',
  setup(build) {
    build.onLoad({ filter: /rrule\/dist\/esm\/index\.js$/ }, () => ({ contents: "export { RRule } from './rrule';" }));
    build.onLoad({ filter: /rrule\/dist\/esm\/nlp\/index\.js$/ }, () => ({
      contents:
        'export const fromText = undefined, parseText = undefined, isFullyConvertible = undefined, toText = undefined;',
    }));
  },
};

/** The SDK includes 15 KB for event streams, which no operation of this service uses. */
export const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup(build) {
    build.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'without-event-streams' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'without-event-streams' }, () => ({ contents: 'export {};' }));
  },
};

/** Node computes SHA-256 itself; the SDK includes 3 KB for engines that do not. */
export const nativeHash: Plugin = {
  name: 'native-hash',
  setup(build) {
    build.onLoad({ filter: /submodules\/checksum\/sha256\/Sha256Js\.js$/ }, () => ({
      contents: "export class Sha256Js { constructor() { throw new Error('this engine has no SHA-256'); } }",
    }));
  },
};

/** No command of the DynamoDB client discovers endpoints, so the client is made without the means for it: 9 KB less. */
export const withoutEndpointDiscovery: Plugin = {
  name: 'without-endpoint-discovery',
  setup(build) {
    build.onLoad({ filter: /middleware-endpoint-discovery[\\/]dist-es[\\/]index\.js$/ }, () => ({
      contents:
        'const none = () => undefined;\n' +
        'export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { environmentVariableSelector: none, configFileSelector: none };\n' +
        'export const resolveEndpointDiscoveryConfig = (input) => input;',
    }));
  },
};

/** The functions run on Node 24, and need no warning of the SDK about old versions. */
export const withoutVersionWarning: Plugin = {
  name: 'without-version-warning',
  setup(build) {
    build.onLoad({ filter: /submodules[\\/]client[\\/]emitWarningIfUnsupportedVersion\.js$/ }, () => ({
      contents: 'export const state = {}, emitWarningIfUnsupportedVersion = () => undefined;',
    }));
  },
};

/** A client describes itself in each request; nothing of this service reads that: 2 KB less. */
export const withoutUserAgent: Plugin = {
  name: 'without-user-agent',
  setup(build) {
    build.onLoad({ filter: /middleware-user-agent[\\/]user-agent-middleware\.js$/ }, () => ({
      contents:
        'export const userAgentMiddleware = undefined, getUserAgentMiddlewareOptions = undefined;\n' +
        'export const getUserAgentPlugin = () => ({ applyToStack: () => undefined });',
    }));
  },
};

/** A client reports the version of its package, and would load the whole package.json for it: 2 KB less. */
export const onlyVersions: Plugin = {
  name: 'only-versions',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[\w-]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** The SDK lists the regions with names for people; the pattern of each partition finds its regions without the list: 2.8 KB less. */
export const unnamedRegions: Plugin = {
  name: 'unnamed-regions',
  setup(build) {
    build.onLoad({ filter: /util-endpoints\/lib\/aws\/partitions\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(/"regions": \{[\s\S]*?\n {12}\}/g, '"regions": {}'),
    }));
  },
};

/** No operation of this service has a host of its own, so clients need no schemas of such hosts: 3 KB less. */
export const withoutHostPrefixes: Plugin = {
  name: 'without-host-prefixes',
  setup(build) {
    build.onLoad({ filter: /submodules\/protocols\/HttpProtocol\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const [begin, end] = ['setHostPrefix(request', 'deserializeMetadata('].map((text) => code.indexOf(text));
      const contents = `${code.slice(0, begin)}setHostPrefix() {}\n    ${code.slice(end)}`.replace(OF_HOSTS, '');
      if (contents.includes('HttpBindingNormalizedSchema')) throw new Error(`${path} has another form`);
      return { contents };
    });
  },
};

const OF_HOSTS = /^import .* from "\.\/HttpBindingNormalizedSchema";$/m;
