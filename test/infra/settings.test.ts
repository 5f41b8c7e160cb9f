import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { service } from '#infra/service.ts';
import { localFeeds } from '#local/feeds.ts';
import { Settings } from '#shared/platform/runtime/env.ts';
import { ofType, synthesise } from './synthesis.ts';

type Environment = Record<string, unknown>;

/** A value as the table shows it: switches as they are, all else by whether there is one. */
function shown(value: unknown): string {
  if (value === undefined) return '-';
  if (value === '0' || value === '1') return value;
  return value === '' ? 'empty' : 'set';
}

/** The settings of all functions of a tenant that sets every option. */
function ofTheStack(): Environment {
  const every = {
    llmModel: 'm',
    mailFrom: 'exposure@acme.example',
    llmModelFast: 'f',
    llmModelStrong: 's',
    llmBaseUrl: 'https://llm.acme.test',
    turnstileSiteKey: '0x4AAAA',
    sellsPlans: true,
    scannerRecommendedVersion: '2.4.0',
    scannerMinimumVersion: '2.0.0',
    baseUrl: 'https://api.acme.test',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
    webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/exposure/11111111-2222-3333-4444-555555555555',
  };
  const functions = ofType(synthesise(service, every), 'AWS::Lambda::Function');
  return Object.assign({}, ...functions.map(([, { Properties }]) => Properties.Environment?.Variables));
}

/** A value that its schema adds is no setting of the place. */
const ofTheTests = (): Environment => {
  const system = inject('system');
  if ('failure' in system) throw new Error(system.failure);
  return system.settings;
};

test('docs/decisions/0066 names each setting, and how the stack, `npm start` and the tests set it', () => {
  const document = readFileSync(new URL('../../docs/decisions/0066-settings-of-the-stack.md', import.meta.url), 'utf8');
  const told = [...document.matchAll(/^\| ([A-Z][A-Z0-9_]+) \| (\S+) \| (\S+) \| (\S+) \|/gm)].map((row) =>
    row.slice(1),
  );
  const [stack, tests] = [ofTheStack(), ofTheTests()];
  const start: Environment = { ...tests, ...localFeeds(), CHECK_RESPONSES: '0' };
  const names = Object.keys(Settings.shape);
  const found = names.map((name) => [name, ...[stack, start, tests].map((one) => shown(one[name]))]);
  expect(new Map(told.map(([name, ...values]) => [name, values]))).toEqual(
    new Map(found.map(([name, ...values]) => [name, values])),
  );
});
