import { dirname } from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bundles, bundle } from '#infra/bundle/bundle.ts';
import { clientsOf } from '#infra/bundle/pack.ts';
import { DATA_APART, LIBRARIES_APART } from '#infra/bundle/plugins.ts';
import { areaFunction, functionSources, service } from '#infra/service.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { jobNames } from '#shared/platform/jobs/jobs.ts';
import { starterRules } from '#shared/soc/detection/starter/list.ts';

const MAX_BYTES = 454 * 1024;

const sources = functionSources(service);
let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundle(Object.fromEntries(sources.map(({ name, entry }) => [name, entry])));
});

test('data in files of its own is in the code', () => {
  for (const name of Object.keys(starterRules())) expect(codeOf('detection-rules')).toContain(name);
  for (const { id } of frameworks().filter(({ benchmark }) => !benchmark)) expect(codeOf('compliance')).toContain(id);
  expect(codeOf('detection-rules')).not.toContain('readdirSync');
});

/** The files that left code in a function's bundle. */
function inputsOf(name: string): string[] {
  const output: Metafile['outputs'][string] | undefined = bundles.metafile.outputs[`dist/functions/${name}.js`];
  const inputs = Object.entries(output?.inputs ?? {});
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

const codeOf = (name: string): string => Buffer.from(bundles.functions.get(name)?.code ?? '').toString('utf8');

describe.each(service.areas)('the cold start of $name', ({ name, wing }) => {
  test('loads at most 454 KB', () => {
    expect(bundles.functions.get(name)?.code.length).toBeLessThanOrEqual(MAX_BYTES);
  });

  test("does not load another area's routes and schemas", () => {
    const foreign = inputsOf(name).filter(
      (file) => file.startsWith('functions/') && !file.startsWith(`functions/${wing}/${name}/`),
    );
    expect(foreign).toEqual([]);
  });

  test('does not wait for readers of reports, of which there is one for each format', () => {
    const readers = inputsOf(name).filter((file) =>
      /shared\/reports\/(formats\/.*\/read|finding|entries|json-stream|xml)\.ts$|saxes|ae-cvss/.test(file),
    );
    expect(readers).toEqual([]);
  });

  test('does not load code that only the build needs', () => {
    const heavy = inputsOf(name).filter((file) =>
      /zod-openapi|aws-cdk-lib|constructs|cdk-nag|^infra\/|^local\//.test(file),
    );
    expect(heavy).toEqual([]);
  });

  test("does not load zod's other languages", () => {
    const locales = inputsOf(name).filter((file) => /zod\/.*\/locales\//.test(file) && !/\/locales\/en\./.test(file));
    expect(locales).toEqual([]);
  });

  test('does not load unused parts of the SDK', () => {
    const unused = inputsOf(name).filter((file) =>
      /@smithy\/core\/.*\/event-streams\/|\/endpoint-cache\/|\/mnemonist\//.test(file),
    );
    expect(unused).toEqual([]);
  });

  test('does not load clients of S3, SQS and Secrets Manager', () => {
    const clients = inputsOf(name).filter((file) =>
      /@aws-sdk\/(client-(s3|sqs|secrets)|s3-request-presigner)/.test(file),
    );
    expect(clients).toEqual([]);
  });

  test("does not import the runtime's http module, which costs 25 ms", () => {
    expect(codeOf(name)).not.toMatch(/(require|import)\(["'](node:)?(http|https|http2)["']\)/);
  });
});

/** The exports of a file that is loaded as CommonJS with only the runtime beside it. */
function loaded(code: Uint8Array = new Uint8Array()): object {
  const module = { exports: {} };
  const load = new Function(
    'module',
    'exports',
    'require',
    '__filename',
    '__dirname',
    Buffer.from(code).toString('utf8'),
  );
  const file = '/var/task/index.js';
  load(module, module.exports, (wanted: string) => process.getBuiltinModule(wanted), file, dirname(file));
  return module.exports;
}

test.each(sources)('$name can be loaded like in Lambda and has a handler', ({ name }) => {
  expect(loaded(bundles.functions.get(name)?.code)).toHaveProperty('handler', expect.any(Function));
});

test('a lazy client is packed under the name by which the bundle imports it', () => {
  for (const { name } of sources)
    for (const [, file = ''] of codeOf(name).matchAll(/require\("\.\/([\w-]+)\.js"\)/g))
      expect(bundles.clients.has(file), `${name} asks for ${file}`).toBe(true);
  const clients = [
    ['client-sqs', 'SendMessageCommand'],
    ['client-s3', 'GetObjectCommand'],
    ['s3-request-presigner', 'getSignedUrl'],
    ['client-secrets-manager', 'GetSecretValueCommand'],
    ['client-bedrock-runtime', 'ConverseCommand'],
    ['saml-messages', 'readResponse'],
    ['passkey-checks', 'readAssertion'],
    ['token-proof', 'provenPayload'],
    ['report-formats', 'reportFormats'],
    ['compliance-frameworks', 'frameworks'],
    ['filter-language', 'readFilter'],
    ['asset-filter-fields', 'assetFilterFields'],
    ['finding-filter-fields', 'findingFilterFields'],
    ['vulnerability-filter-fields', 'vulnerabilityFilterFields'],
    ['alert-filter-fields', 'alertFilterFields'],
    ['incident-filter-fields', 'incidentFilterFields'],
    ['first-subscriptions', 'giveSubscriptions'],
    ['chat-messages', 'slackMessage'],
    ['ae-cvss-calculator', 'fromVector'],
    ['disposable-email-domains-js', 'disposableEmailBlocklistSet'],
    ['openid-client', 'authorizationCodeGrant'],
    ['re2js', 'RE2JS'],
    ['tldts', 'parse'],
    ['yaml', 'parseAllDocuments'],
  ] as const;
  expect([...bundles.clients.keys()].sort()).toEqual(clients.map(([file]) => file).sort());
  for (const [file, wanted] of clients) expect(loaded(bundles.clients.get(file)?.code)).toHaveProperty(wanted);
});

test.each(sources)('$name has the signer of addresses and what else it may ask for beside it', ({ name, needs }) => {
  const code = bundles.functions.get(name)?.code ?? new Uint8Array();
  const isApart = (file: string) =>
    ['s3-request-presigner', ...Object.keys(DATA_APART), ...LIBRARIES_APART].some((one) => one === file);
  const asked = [...codeOf(name).matchAll(/require\("\.\/([\w-]+)\.js"\)/g)].map(([, file = '']) => file);
  expect(clientsOf(needs, code)).toEqual(expect.arrayContaining(asked.filter(isApart)));
});

test('a stack trace of any function can be traced back to its source', () => {
  for (const { name } of sources) {
    expect(codeOf(name)).not.toContain('sourceMappingURL');
    const map = JSON.parse(Buffer.from(bundles.functions.get(name)?.map ?? '{}').toString('utf8'));
    expect(map.sources.length).toBeGreaterThan(0);
  }
});

test('an area, a job and a schedule with the same name are three functions', () => {
  const names = sources.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(service.areas.map((area) => areaFunction(area).name)).toEqual(service.areas.map(({ name }) => name));
});

/*
 * The declared needs of a function, against what its bundle does with its ports: names of properties survive
 * minification, and code that a function does not reach is no longer there.
 */

/** `ports.bucket` or `const { bucket } = ports`, and not the literal in which the ports are made. */
const uses = (code: string, port: string): boolean =>
  new RegExp(`\\.${port}\\b|\\{[^{}=()]*\\b${port}(:\\w+)?[,}][^{}=()]*\\}?\\s*(=|\\)=>|\\)\\{)`).test(code);

const sent = (code: string) => jobNames.filter((job) => new RegExp(`job:"${job}"|\\.send\\("${job}"`).test(code));

test.each(sources)('$name has the right to the bucket exactly if it uses the bucket', ({ name, needs }) => {
  expect(uses(codeOf(name), 'bucket')).toBe(needs.bucket !== undefined);
});

test.each(sources)('$name has the right to the queues to which it sends', ({ name, needs }) => {
  expect(needs.sends ?? []).toEqual(expect.arrayContaining(sent(codeOf(name))));
});

test.each(sources.filter(({ name }) => name.endsWith('-worker')))(
  '$name has the right to its own queue if it continues in another message',
  ({ name, needs }) => {
    if (/\.queues\.send\(/.test(codeOf(name))) expect(needs.sends).toContain(name.replace(/-worker$/, ''));
  },
);

test.each(sources)('$name has the right to the sealing key exactly if it seals or opens', ({ name, needs }) => {
  expect(codeOf(name).includes('.SEALING_SECRET')).toBe(needs.sealingKey === true);
});

test.each(sources)(
  '$name has the settings of the provider of completions exactly if it calls the provider',
  ({ name, needs }) => {
    expect(codeOf(name).includes('client-bedrock-runtime.js')).toBe(needs.languageModel === true);
  },
);

test.each(sources)(
  '$name has the right to the secret of the payment processor exactly if it reads it',
  ({ name, needs }) => {
    expect(codeOf(name).includes('.BILLING_SECRET')).toBe(needs.billingSecret === true);
  },
);

test.each(sources)(
  '$name has the right to the key of the payment processor exactly if it reads it',
  ({ name, needs }) => {
    expect(codeOf(name).includes('.STRIPE_SECRET')).toBe(needs.payments === true);
  },
);

test.each(sources)('$name has the right to the secret of bot challenges exactly if it reads it', ({ name, needs }) => {
  expect(codeOf(name).includes('.CHALLENGE_SECRET')).toBe(needs.challenges === true);
});

test.each(sources)(
  '$name can prove that a request came through CloudFront exactly if it answers requests',
  ({ name, needs }) => {
    expect(codeOf(name).includes('.ORIGIN_SECRET')).toBe(needs.originSecret === true);
  },
);

test.each(sources)('$name has the right to the signing key exactly if it signs', ({ name, needs }) => {
  expect(codeOf(name).includes('.SIGNING_SECRET')).toBe(needs.signingKey !== undefined);
});
