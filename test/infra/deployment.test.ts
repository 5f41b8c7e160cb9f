import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeApp } from '#infra/app.ts';
import { TenantSettings } from '#infra/deployment.ts';
import { service } from '#infra/service.ts';
import { parseTenant, readTenants, selectTenants } from '#infra/tenants.ts';
import { deployed, ofType, QUIET, synthesise } from './synthesis.ts';

test('the longest tenant gives names within the limits of AWS', () => {
  const long = synthesise(service, {}, 'a234567890123456');
  const names = (type: string, property: string) =>
    ofType(long, type).map(([, { Properties }]) => Properties[property]);
  expect(names('AWS::Lambda::Function', 'FunctionName').filter((name) => name.length > 64)).toEqual([]);
  expect(names('AWS::SQS::Queue', 'QueueName').filter((name) => name.length > 80)).toEqual([]);
  expect(names('AWS::Scheduler::Schedule', 'Name').filter((name) => name.length > 64)).toEqual([]);
  const [[, sampling] = []] = ofType(long, 'AWS::XRay::SamplingRule');
  expect(sampling?.Properties.SamplingRule.RuleName.length).toBeLessThanOrEqual(32);
});

test('after a restore only the functions use the restored table', () => {
  const restored = synthesise(service, { restoredTable: 'exposure-restored' });
  const [[, first] = []] = ofType(restored, 'AWS::Lambda::Function');
  expect(first?.Properties.Environment.Variables.TABLE_NAME).toBe('exposure-restored');
  expect(JSON.stringify(ofType(restored, 'AWS::IAM::Role'))).toContain('table/exposure-restored');
  expect(ofType(restored, 'AWS::DynamoDB::Table')).toHaveLength(1);
});

test('a table is warmed only where the operator asks for it, because that costs', () => {
  const tableOf = (settings: Record<string, number>) =>
    ofType(synthesise(service, settings), 'AWS::DynamoDB::Table')[0]?.[1];
  expect(tableOf({})?.Properties).not.toHaveProperty('WarmThroughput');
  const warm = tableOf({ warmWriteUnits: 20_000 })?.Properties;
  expect(warm).toMatchObject({ BillingMode: 'PAY_PER_REQUEST', WarmThroughput: { WriteUnitsPerSecond: 20_000 } });
});

test.each([
  ['warmWriteUnits', 1000],
  ['scannerMinimumVersion', 'v2'],
  ['logDays', 31],
  ['baseUrl', 'http://plain.example'],
  ['account', '12'],
  ['alarmEmail', 'nobody'],
  ['alarmMail', 'ops@acme.test'],
  ['consoleOrigins.0', ['https://console.acme.test/path']],
  ['reservedConcurrency.views', { views: 3 }],
])("a wrong %s in a tenant's file is refused with the file and the field", (field, value) => {
  const [name = ''] = field.split('.');
  const problem = new RegExp(`^infra/tenants/main\\.eu-central-1\\.json: .*${field}`);
  expect(() => deployed({ [name]: value })).toThrow(problem);
});

test('production without an address for alarms is refused, because nobody would learn that it fails', () => {
  expect(() => parseTenant('acme.eu-central-1.json', '{}')).toThrow('acme.eu-central-1.json: alarmEmail');
  expect(parseTenant('acme-staging.eu-central-1.json', '{}').alarmEmail).toBeUndefined();
});

test.each(['Acme.eu-central-1.json', 'acme.json', 'acme-test.eu-central-1.json', 'acme.somewhere.json', 'acme.yaml'])(
  'a file with the name %s is refused with the form that a name must have',
  (name) => {
    expect(() => parseTenant(name, '{}')).toThrow(`infra/tenants/${name}: its name must be <tenant>.<region>.json`);
  },
);

test('a file that is no JSON is named', () => {
  expect(() => parseTenant('acme.eu-central-1.json', '{')).toThrow('infra/tenants/acme.eu-central-1.json: it must be');
});

test('one, several or all tenants are deployed, each in the region of its file', () => {
  const files = ['acme.eu-central-1', 'acme.us-east-1', 'acme-staging.eu-central-1', 'other.eu-west-3'];
  const all = files.map((file) => parseTenant(`${file}.json`, '{ "alarmEmail": "ops@acme.test" }'));
  const stacks = (list?: string) =>
    makeApp(
      { service: { areas: [], workers: [], schedules: [] }, directory: '.' },
      () => selectTenants(all, list),
      QUIET,
    )
      .synth()
      .stacks.map(({ stackName, environment }) => `${stackName} ${environment.region}`);
  const acme = ['exposure-acme-production eu-central-1', 'exposure-acme-production us-east-1'];
  expect(stacks('acme')).toEqual(acme);
  expect(stacks('acme.us-east-1,other')).toEqual([acme[1], 'exposure-other-production eu-west-3']);
  expect(stacks('acme-staging')).toEqual(['exposure-acme-staging eu-central-1']);
  expect(stacks()).toHaveLength(4);
  expect(() => stacks('acne')).toThrow('infra/tenants/ has no acne: name one or several of acme.eu-central-1');
});

test("settings in the CDK's context, as earlier releases took them, are not silently ignored", () => {
  const source = { service: { areas: [], workers: [], schedules: [] }, directory: '.' };
  expect(() => makeApp(source, () => [], { context: { stage: 'staging', logDays: '7' } })).toThrow(
    'Write logDays, stage into',
  );
});

test('the files of this repository are valid, and every setting is explained', () => {
  expect(readTenants().length).toBeGreaterThan(0);
  const operate = readFileSync('docs/operate.md', 'utf8');
  const unexplained = Object.keys(TenantSettings.shape).filter((name) => !operate.includes(`\`${name}\``));
  expect(unexplained).toEqual([]);
});

test('a base URL with a trailing slash gives no double slashes in paths', () => {
  expect(deployed({ baseUrl: 'https://api.acme.test/' }).baseUrl).toBe('https://api.acme.test');
});
