import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { NESTED_STACK } from '#infra/cloudformation.ts';
import { functionSources, service } from '#infra/service.ts';
import { flat, ofType, only, type Parts, synthesiseParts, type Template } from './synthesis.ts';

/** The parts of the template that `sam local` reads (aws-sam-cli: lib/providers, lib/utils/resources). */
let parts: Parts;
let template: Template;
beforeAll(() => {
  parts = synthesiseParts(service);
  template = flat(parts);
});

const functionNames = () =>
  ofType(template, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.FunctionName);

test('each nested stack names the file of its template, in which sam local finds functions by their names', () => {
  expect(ofType(parts.parent, 'AWS::Lambda::Function')).toEqual([]);
  for (const [, { Metadata }] of ofType(parts.parent, NESTED_STACK))
    expect(Metadata).toMatchObject({
      'aws:asset:path': expect.stringMatching(/\.nested\.template\.json$/),
      'aws:asset:property': 'TemplateURL',
    });
});

test('each function names the folder of its code, which sam local runs', () => {
  for (const [, { Metadata }] of ofType(template, 'AWS::Lambda::Function'))
    expect(Metadata).toMatchObject({
      'aws:asset:path': expect.stringMatching(/^asset\.[0-9a-f]{64}$/),
      'aws:asset:property': 'Code',
      'aws:asset:is-bundled': false,
    });
});

test("each route holds its integration in the form that SAM's parser reads, and leads to a function", () => {
  const { paths } = only(template, 'AWS::ApiGatewayV2::Api').Properties.Body;
  const operations = Object.values(paths).flatMap((item) =>
    Object.entries(Object(item)).flatMap(([verb, operation]) => (verb === 'parameters' ? [] : [Object(operation)])),
  );
  expect(operations.length).toBeGreaterThan(200);
  const names = functionNames();
  for (const operation of operations) {
    const { type, uri } = operation['x-amazon-apigateway-integration'];
    expect(type).toBe('aws_proxy');
    expect(Object.keys(uri)).toEqual(['Fn::Sub']);
    expect(names).toContain(/\/functions\/arn:[^/]+:function:([\w-]+)\/invocations$/.exec(uri['Fn::Sub'])?.[1]);
  }
});

test('each function declares the addresses of local engines, because --env-vars sets nothing else', () => {
  for (const [, { Properties }] of ofType(template, 'AWS::Lambda::Function'))
    expect(Properties.Environment.Variables).toMatchObject({
      DYNAMODB_ENDPOINT: '',
      SQS_ENDPOINT: '',
      S3_ENDPOINT: '',
      SECRETS_FILE: '',
    });
});

test('the commands of docs/commands.md name a function and an event that exist', () => {
  const page = readFileSync('docs/commands.md', 'utf8');
  const [, name, event = ''] = /sam local invoke (\S+) .*-e events\/(\S+)/.exec(page) ?? [];
  expect(functionNames()).toContain(name);
  expect(readdirSync('events')).toContain(event);
  expect(functionSources(service).map((source) => `exposure-main-production-${source.name}`)).toContain(name);
});
