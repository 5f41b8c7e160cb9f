import { beforeAll, expect, test } from 'vitest';
import { settingOutputs } from '#infra/outputs.ts';
import { functionSources, service } from '#infra/service.ts';
import {
  deadLetterQueueName,
  deliveries,
  jobNames,
  jobs,
  queueName,
  visibilitySeconds,
} from '#shared/platform/jobs/jobs.ts';
import { Settings } from '#shared/platform/runtime/env.ts';
import { tableDefinition } from '#shared/platform/table/definition.ts';
import {
  alarmsOn,
  flat,
  largest,
  ofType,
  only,
  type Parts,
  synthesise,
  synthesiseParts,
  type Template,
} from './synthesis.ts';

/** Enough for a setting of the stack: to make the whole one takes seconds. */
const few = { areas: service.areas.slice(0, 3), workers: service.workers, schedules: [] };

let parts: Parts;
let template: Template;
beforeAll(() => {
  parts = synthesiseParts(service);
  template = flat(parts);
});

const queue = (name: string) =>
  ofType(template, 'AWS::SQS::Queue').find(
    ([, { Properties }]) => Properties.QueueName === `exposure-main-production-${name}`,
  );

test('the stack and each nested stack has fewer than 300 resources, which leaves room below the 500 of CloudFormation', () => {
  expect(largest(parts)).toBeLessThan(300);
  expect(largest(synthesiseParts(service, { canary: '10 minutes', copyRegion: 'eu-west-1' }))).toBeLessThan(300);
});

test('each wing has its functions in a nested stack, to which no other stack refers, and what holds data is in none', () => {
  const wings = new Set(service.areas.map(({ wing }) => `${wing}Functions`));
  expect(Object.keys(parts.nested).sort()).toEqual([...wings, 'workersFunctions'].sort());
  for (const { wing, name } of service.areas) {
    const functions = ofType(parts.nested[`${wing}Functions`] ?? expect.fail(wing), 'AWS::Lambda::Function');
    expect(functions.map(([, { Properties }]) => Properties.FunctionName)).toContain(
      `exposure-main-production-${name}`,
    );
  }
  const nested = Object.values(parts.nested);
  expect(nested.flatMap(({ Outputs = {} }) => Object.keys(Outputs))).toEqual([]);
  const types = new Set(nested.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)));
  expect([...types].sort()).toEqual([
    'AWS::IAM::Role',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Function',
    'AWS::Lambda::Permission',
    'AWS::Logs::LogGroup',
    'AWS::Scheduler::Schedule',
  ]);
});

test('the table survives a wrong delete, can be restored to any second, and bills by use', () => {
  const { Properties, DeletionPolicy } = only(template, 'AWS::DynamoDB::Table');
  expect(Properties).toMatchObject({
    DeletionProtectionEnabled: true,
    BillingMode: 'PAY_PER_REQUEST',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    TimeToLiveSpecification: { AttributeName: tableDefinition.timeToLive, Enabled: true },
    KeySchema: [
      { AttributeName: tableDefinition.partitionKey, KeyType: 'HASH' },
      { AttributeName: tableDefinition.sortKey, KeyType: 'RANGE' },
    ],
  });
  expect(Properties).not.toHaveProperty('GlobalSecondaryIndexes');
  expect(DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('report files are private, encrypted with our key, sent over TLS only, and kept when the stack is deleted', () => {
  const { Properties, DeletionPolicy } = only(template, 'AWS::S3::Bucket');
  const [encryption] = Properties.BucketEncryption.ServerSideEncryptionConfiguration;
  expect(encryption.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('aws:kms');
  expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
  expect(Properties.VersioningConfiguration.Status).toBe('Enabled');
  expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  const [refusal] = only(template, 'AWS::S3::BucketPolicy').Properties.PolicyDocument.Statement;
  expect(refusal).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
});

test('the encryption key rotates and is kept when the stack is deleted', () => {
  const { Properties, DeletionPolicy } = only(template, 'AWS::KMS::Key');
  expect([Properties.EnableKeyRotation, DeletionPolicy]).toEqual([true, 'RetainExceptOnCreate']);
});

test.each(jobNames)('work of %s that keeps failing goes to a dead-letter queue and raises an alarm', (name) => {
  const job = jobs[name];
  const [id, { Properties } = { Properties: {} }] = queue(queueName(job)) ?? [''];
  const [deadId] = queue(deadLetterQueueName(job)) ?? [''];
  expect(Properties.VisibilityTimeout).toBe(visibilitySeconds(job));
  expect(Properties).toMatchObject({ FifoQueue: true, FifoThroughputLimit: 'perMessageGroupId' });
  expect(Properties.RedrivePolicy).toEqual({
    deadLetterTargetArn: { 'Fn::GetAtt': [deadId, 'Arn'] },
    maxReceiveCount: deliveries(job),
  });
  const told = alarmsOn(template, 'ApproximateNumberOfMessagesVisible', deadId);
  expect(told.map(([, alarm]) => alarm.Properties.AlarmDescription)).toEqual([
    expect.stringContaining(`queue ${deadLetterQueueName(job)}:`),
  ]);
  expect(alarmsOn(template, 'ApproximateAgeOfOldestMessage', id)).toHaveLength(1);
});

test('every queue has a worker, which reports failures per message and has bounded concurrency', () => {
  expect(service.workers.map(({ job }) => job).sort()).toEqual([...jobNames].sort());
  const sources = ofType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  expect(sources).toHaveLength(service.workers.length);
  for (const source of sources)
    expect(source).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: expect.any(Number) },
    });
});

test("long work is not stopped by Lambda's detection of recursive loops", () => {
  const allowed = ofType(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
    Properties.RecursiveLoop === 'Allow' ? [Properties.FunctionName.replace('exposure-main-production-', '')] : [],
  );
  const continued = service.workers.filter(({ job, needs }) => needs?.sends?.includes(job));
  expect(allowed.sort()).toEqual(continued.map(({ job }) => `${job}-worker`).sort());
  expect(allowed).toContain('ingest-worker');
});

test('every function has the tested runtime, a bounded log retention and all settings that it reads', () => {
  const functions = ofType(template, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  const names = functionSources(service).map(({ name }) => `exposure-main-production-${name}`);
  expect(functions.map(({ FunctionName }) => FunctionName).sort()).toEqual(names.sort());
  const logs = ofType(template, 'AWS::Logs::LogGroup').map(([, { Properties }]) => Properties);
  for (const { FunctionName, Runtime, Architectures, TracingConfig, Environment } of functions) {
    expect([Runtime, Architectures, TracingConfig]).toEqual(['nodejs24.x', ['arm64'], { Mode: 'Active' }]);
    expect(logs).toContainEqual(
      expect.objectContaining({ LogGroupName: `/aws/lambda/${FunctionName}`, RetentionInDays: 30 }),
    );
    const keys = Object.keys(Environment.Variables);
    expect(Settings.safeParse(Object.fromEntries(keys.map((key) => [key, 'https://x']))).error).toBeUndefined();
    expect(keys.filter((key) => !(key in Settings.shape))).toEqual([]);
  }
});

test('the gateway throttles a flood of requests', () => {
  expect(only(template, 'AWS::ApiGatewayV2::Stage').Properties.DefaultRouteSettings).toEqual({
    ThrottlingRateLimit: 500,
    ThrottlingBurstLimit: 1000,
  });
});

test('only a sample of requests is traced', () => {
  expect(only(template, 'AWS::XRay::SamplingRule').Properties.SamplingRule).toMatchObject({
    FixedRate: 0.01,
    ServiceName: 'exposure-main-production-*',
  });
});

test('each schedule starts its function at the interval that it declares', () => {
  const expressions = ofType(template, 'AWS::Scheduler::Schedule').map(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  expect(expressions).toEqual(
    service.schedules.map(({ everySeconds }) => `rate(${everySeconds / 60} minute${everySeconds === 60 ? '' : 's'})`),
  );
});

test('a failed run of a schedule is not repeated, so that failing runs do not accumulate', () => {
  const configs = ofType(template, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
  expect(configs).toHaveLength(service.schedules.length);
  for (const config of configs)
    expect(config).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60, Qualifier: '$LATEST' });
  for (const [, { Properties }] of ofType(template, 'AWS::Scheduler::Schedule'))
    expect(Properties.Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 0 });
});

test("the outputs give an operator's commands every setting of the functions", () => {
  const [[, first] = []] = ofType(template, 'AWS::Lambda::Function');
  for (const [output, setting] of Object.entries(settingOutputs))
    expect(template.Outputs[output]?.Value).toEqual(first?.Properties.Environment.Variables[setting]);
  const variables = Object.entries(first?.Properties.Environment.Variables);
  const given = variables.filter(([, value]) => value !== '').map(([name]) => name);
  expect(Object.values(settingOutputs).sort()).toEqual(given.sort());
});

test('two tenants share an account and a region without sharing a name', () => {
  const other = synthesise(service, {}, 'acme-development');
  const names = (from: Template) =>
    Object.values(from.Resources).flatMap(({ Properties }) => {
      const { FunctionName, QueueName, LogGroupName } = Properties ?? {};
      return [FunctionName, QueueName, LogGroupName].filter((name) => typeof name === 'string');
    });
  expect(names(other).filter((name) => names(template).includes(name))).toEqual([]);
});

test('only a development stack can be destroyed with its data', () => {
  const development = synthesise(few, {}, 'main-development');
  const { Properties, DeletionPolicy } = ofType(development, 'AWS::DynamoDB::Table')[0]?.[1] ?? {};
  expect([Properties?.DeletionProtectionEnabled ?? false, DeletionPolicy]).toEqual([false, 'Delete']);
  // CloudFormation cannot delete a bucket that holds objects.
  const emptied = ofType(development, 'Custom::S3AutoDeleteObjects').map(([, custom]) => custom.Properties.BucketName);
  expect(emptied).toEqual(ofType(development, 'AWS::S3::Bucket').map(([id]) => ({ Ref: id })));
  expect(ofType(template, 'Custom::S3AutoDeleteObjects')).toEqual([]);
});

test('declared scanner versions reach the functions, and no variable is set without them', () => {
  const variables = (made: Template) => ofType(made, 'AWS::Lambda::Function')[0]?.[1].Properties.Environment.Variables;
  const declared = synthesise(few, { scannerRecommendedVersion: '2.4.0', scannerMinimumVersion: '2.0' });
  expect(variables(declared)).toMatchObject({ SCANNER_RECOMMENDED_VERSION: '2.4.0', SCANNER_MINIMUM_VERSION: '2.0' });
  expect(Object.keys(variables(template))).not.toContain('SCANNER_MINIMUM_VERSION');
});

test('schedules of another account cannot use the role that starts the functions', () => {
  const trust = ofType(template, 'AWS::IAM::Role').flatMap(
    ([, { Properties }]) => Properties.AssumeRolePolicyDocument.Statement,
  );
  const byScheduler = trust.filter(({ Principal }) => Principal.Service === 'scheduler.amazonaws.com');
  expect(byScheduler.map(({ Condition }) => Condition)).toEqual([
    { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  ]);
});

test('executions are reserved for the workers that the tenant names, and for no other function', () => {
  const reserved = synthesise(few, { reservedConcurrency: { ingest: 20 } });
  const kept = ofType(reserved, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
    Properties.ReservedConcurrentExecutions ? [[Properties.FunctionName, Properties.ReservedConcurrentExecutions]] : [],
  );
  expect(kept).toEqual([['exposure-main-production-ingest-worker', 20]]);
  expect(JSON.stringify(ofType(template, 'AWS::Lambda::Function'))).not.toContain('Reserved');
});

test('browsers may call the API and use the bucket from the origins that the tenant names, and from no others', () => {
  const origin = 'https://console.acme.test';
  const open = synthesise(service, { consoleOrigins: [origin] });
  const [[, api] = []] = ofType(open, 'AWS::ApiGatewayV2::Api');
  const cors = api?.Properties.Body['x-amazon-apigateway-cors'];
  expect(cors.allowOrigins).toEqual([origin]);
  const methods = service.areas.flatMap(({ routes }) => Object.values(routes).map(({ method }) => method));
  expect(cors.allowMethods.toSorted()).toEqual([...new Set(methods)].sort());
  const [[, bucket] = []] = ofType(open, 'AWS::S3::Bucket');
  expect(bucket?.Properties.CorsConfiguration.CorsRules).toMatchObject([{ AllowedOrigins: [origin] }]);
  expect(only(template, 'AWS::S3::Bucket').Properties).not.toHaveProperty('CorsConfiguration');
  expect(only(template, 'AWS::ApiGatewayV2::Api').Properties.Body).not.toHaveProperty('x-amazon-apigateway-cors');
});
