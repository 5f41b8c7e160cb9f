import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeApp } from '#infra/app.ts';
import { functionSources, service, workerFunction } from '#infra/service.ts';
import { keySets } from '#shared/platform/auth/key-set.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { deployed, ofType, synthesise, type Template } from './synthesis.ts';

type Statement = { Action: string | string[]; Resource: unknown; Effect: string; Condition?: unknown };

/** To make them takes a third of the time of the whole stack. */
const workers = { areas: [], workers: service.workers, schedules: [] };

let template: Template;
beforeAll(() => {
  template = synthesise(service);
});

const actionsOf = ({ Action }: Statement): string[] => [Action].flat();

/** The statements of a function's role, by the function's name in the contracts. */
const statementsOf = (name: string): Statement[] => statementsIn(template, name);

function statementsIn(template: Template, name: string): Statement[] {
  const [, target] =
    ofType(template, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === `exposure-main-production-${name}`,
    ) ?? [];
  const role = template.Resources[target?.Properties.Role['Fn::GetAtt'][0]];
  expect(role?.Properties).not.toHaveProperty('ManagedPolicyArns');
  return role?.Properties.Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  );
}

const names = functionSources(service).map(({ name }) => name);

const readersOf = (secret: string): string[] =>
  names.filter((name) =>
    statementsOf(name).some(
      (statement) =>
        actionsOf(statement).includes('secretsmanager:GetSecretValue') &&
        JSON.stringify(statement.Resource).includes(secret),
    ),
  );

/** The only actions without a resource in AWS. */
const WITHOUT_RESOURCE = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];

test.each(names)('the rights of %s are limited to its declared resources', (name) => {
  for (const statement of statementsOf(name)) {
    if (statement.Effect === 'Deny') continue;
    expect(statement.Effect).toBe('Allow');
    expect(actionsOf(statement).filter((action) => action.includes('*'))).toEqual([]);
    if ([statement.Resource].flat().includes('*')) expect(actionsOf(statement)).toEqual(WITHOUT_RESOURCE);
  }
});

test('only the functions that sign or rotate can write the keys by which access tokens are verified', () => {
  const denied = (name: string) => statementsOf(name).filter(({ Effect }) => Effect === 'Deny');
  expect(names.filter((name) => denied(name).length === 0).toSorted()).toEqual(['keys-schedule', 'token']);
  const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map((action) => `dynamodb:${action}`);
  const { pk } = rowKey(GLOBAL_SCOPE, keySets, { name: 'access-tokens' });
  for (const name of names.filter((one) => !['keys-schedule', 'token'].includes(one)))
    expect(denied(name)).toMatchObject([
      { Action: writes, Condition: { 'ForAnyValue:StringEquals': { 'dynamodb:LeadingKeys': [pk] } } },
    ]);
});

test('only the worker that removes an organization can scan the table', () => {
  const scanning = names.filter((name) => statementsOf(name).flatMap(actionsOf).includes('dynamodb:Scan'));
  expect(scanning).toEqual(['maintenance-worker']);
});

test.each(names)('%s cannot drop the table', (name) => {
  const actions = statementsOf(name).flatMap(actionsOf);
  expect(actions.filter((action) => /Table$|Backup|Import|Export/.test(action))).toEqual([]);
});

test.each(functionSources(service))('$name has exactly the declared rights', ({ name, needs }) => {
  const services = new Set(
    statementsOf(name)
      .flatMap(actionsOf)
      .map((action) => action.split(':')[0]),
  );
  const consumes = service.workers.some((worker) => workerFunction(worker).name === name);
  const expected = ['dynamodb', 'kms', 'logs', 'xray'];
  if (needs.bucket) expected.push('s3');
  if (needs.signingKey || needs.sealingKey || needs.challenges) expected.push('secretsmanager');
  if (needs.sends?.length || needs.checksQueues || consumes) expected.push('sqs');
  expect([...services].sort()).toEqual(expected.sort());
  expect(statementsOf(name).some((statement) => actionsOf(statement).includes('s3:PutObject'))).toBe(
    needs.bucket === 'write',
  );
});

test('only the function that signs access tokens and the one that replaces their key can read it, and only the latter can write', () => {
  expect(readersOf('SigningSecret')).toEqual(['token', 'keys-schedule']);
  const writing = names.filter((name) =>
    statementsOf(name).flatMap(actionsOf).includes('secretsmanager:PutSecretValue'),
  );
  expect(writing).toEqual(['keys-schedule']);
  const [write] = statementsOf('keys-schedule').filter((one) =>
    actionsOf(one).includes('secretsmanager:PutSecretValue'),
  );
  expect(JSON.stringify(write?.Resource)).toContain('SigningSecret');
});

test('only functions that declare the sealing key can open prompts and credentials', () => {
  const openers = functionSources(service).filter(({ needs }) => needs.sealingKey);
  expect(readersOf('SealingSecret')).toEqual(openers.map(({ name }) => name));
});

test('the worker of completions may call only the configured models', () => {
  const models = { llmModel: 'anthropic.claude-a', llmModelFast: 'eu.anthropic.claude-b' };
  const configured = statementsIn(synthesise(workers, models), 'completions-worker');
  const calls = configured.filter((statement) => actionsOf(statement).includes('bedrock:InvokeModel'));
  expect(calls).toHaveLength(1);
  const resources = [calls[0]?.Resource].flat().map((arn) => JSON.stringify(arn));
  expect(resources).toHaveLength(3);
  for (const arn of resources)
    expect(arn).toMatch(/foundation-model\/anthropic\.claude-[ab]|inference-profile\/eu\.anthropic/);
});

test('a profile given by its ARN may call its models, which the worker may not call directly', () => {
  const llmModel = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc';
  const configured = statementsIn(synthesise(workers, { llmModel }), 'completions-worker');
  const [profile, models, ...more] = configured.filter((one) => actionsOf(one).includes('bedrock:InvokeModel'));
  expect(profile?.Resource).toBe(llmModel);
  expect(JSON.stringify(models?.Resource)).toMatch(/foundation-model\/\*.*:inference-profile\/\*/);
  expect(models?.Condition).toEqual({ StringEquals: { 'bedrock:InferenceProfileArn': [llmModel] } });
  expect(more).toEqual([]);
});

test('with an own server of completions there is no right to Bedrock, and only the worker reads its key', () => {
  const own = synthesise(service, { llmModel: 'm', llmBaseUrl: 'https://llm.example/v1' });
  const statements = statementsIn(own, 'completions-worker');
  expect(statements.flatMap(actionsOf).filter((action) => action.startsWith('bedrock'))).toEqual([]);
  const holders = names.filter((name) => JSON.stringify(statementsIn(own, name)).includes('LanguageModelKey'));
  expect(holders).toEqual(['completions-worker']);
});

test('the key of Stripe is there only where organizations buy plans, and only the function of billing reads it', () => {
  const holders = (stack: typeof template) =>
    names.filter((name) => JSON.stringify(statementsIn(stack, name)).includes('PaymentsKey'));
  const own = synthesise(service, { sellsPlans: true });
  expect(holders(own)).toEqual(['billing']);
  expect(holders(template)).toEqual([]);
});

test('the data key serves a function only through the services that it declares', () => {
  for (const name of names) {
    const use = statementsOf(name).filter((statement) => actionsOf(statement).includes('kms:Decrypt'));
    expect(use).toHaveLength(1);
    expect(JSON.stringify(use[0]?.Condition)).toContain('kms:ViaService');
  }
});

test('queues and topic accept only TLS', () => {
  const queues = ofType(template, 'AWS::SQS::Queue').map(([id]) => id);
  const guarded = ofType(template, 'AWS::SQS::QueuePolicy').flatMap(([, { Properties }]) =>
    Properties.Queues.map(({ Ref }: { Ref: string }) => Ref),
  );
  expect(guarded.sort()).toEqual(queues.sort());
  for (const type of ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'])
    for (const [, { Properties }] of ofType(template, type))
      expect(JSON.stringify(Properties.PolicyDocument)).toContain('"aws:SecureTransport":"false"');
});

test('a finding of cdk-nag without a reason stops the deployment', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'exposure-nag-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  const source = { service: { areas: [], workers: [], schedules: [] }, directory: outdir };
  const app = makeApp(source, () => [deployed()], { outdir });
  new Topic(Stack.of(app.node.findChild('exposure-main-production-eu-central-1')), 'Unguarded');
  expect(() => app.synth()).toThrow('validation-report.json');
});

test('only the function of letters sends e-mail, from the one address that the tenant names', () => {
  const mailFrom = 'exposure@acme.example';
  const stack = synthesise(service, { mailFrom });
  const sends = ({ Action }: { Action?: unknown }) => [Action].flat().includes('ses:SendEmail');
  expect(statementsIn(stack, 'mail-worker').find(sends)?.Condition).toEqual({
    StringEquals: { 'ses:FromAddress': mailFrom },
  });
  expect(statementsIn(stack, 'users').some(sends)).toBe(false);
  expect(statementsIn(synthesise(service), 'mail-worker').some(sends)).toBe(false);
});
