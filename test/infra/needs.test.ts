import { beforeAll, expect, test } from 'vitest';
import { type Bundles, bundle } from '#infra/bundle/bundle.ts';
import { functionSources, service } from '#infra/service.ts';
import { jobNames } from '#shared/platform/jobs/jobs.ts';

/**
 * The declared needs of a function, against what its bundle does with its ports: names of properties survive
 * minification, and code that a function does not reach is no longer there.
 */
const sources = functionSources(service);
let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundle(Object.fromEntries(sources.map(({ name, entry }) => [name, entry])));
});

const codeOf = (name: string): string => Buffer.from(bundles.functions.get(name)?.code ?? '').toString('utf8');

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
  '$name can prove that a request came through CloudFront exactly if it answers requests',
  ({ name, needs }) => {
    expect(codeOf(name).includes('.ORIGIN_SECRET')).toBe(needs.originSecret === true);
  },
);

test.each(sources)('$name has the right to the signing key exactly if it signs', ({ name, needs }) => {
  expect(codeOf(name).includes('.SIGNING_SECRET')).toBe(needs.signingKey !== undefined);
});
