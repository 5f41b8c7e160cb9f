import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { readDeployment } from '#infra/deployment.ts';
import { service } from '#infra/service.ts';
import { ofType, synthesise } from '#test/infra/synthesis.ts';

test('the longest tenant gives names within the limits of AWS', () => {
  const long = synthesise(service, { tenant: 'a234567890123456', stage: 'production' });
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
  const tableOf = (context: Record<string, string>) =>
    ofType(synthesise(service, context), 'AWS::DynamoDB::Table')[0]?.[1];
  expect(tableOf({})?.Properties).not.toHaveProperty('WarmThroughput');
  const warm = tableOf({ warmWriteUnits: '20000' })?.Properties;
  expect(warm).toMatchObject({ BillingMode: 'PAY_PER_REQUEST', WarmThroughput: { WriteUnitsPerSecond: 20_000 } });
});

test.each([
  ['tenant', 'Not Valid'],
  ['warmWriteUnits', '1000'],
  ['scannerMinimumVersion', 'v2'],
  ['stage', 'test'],
  ['region', 'somewhere'],
  ['logDays', '31'],
  ['baseUrl', 'http://plain.example'],
])('a deployment with a wrong %s is refused at its synthesis', (name, value) => {
  expect(() => readDeployment(new App({ context: { [name]: value } }).node)).toThrow(name);
});

test('a base URL with a trailing slash gives no double slashes in paths', () => {
  const { baseUrl } = readDeployment(new App({ context: { baseUrl: 'https://api.acme.example/' } }).node);
  expect(baseUrl).toBe('https://api.acme.example');
});
