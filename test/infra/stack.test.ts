import { beforeAll, expect, test } from 'vitest';
import { settingOutputs } from '#infra/outputs.ts';
import { functionSources, service } from '#infra/service.ts';
import { deadLetterQueueName, deliveries, jobNames, jobs, queueName, visibilitySeconds } from '#shared/jobs/jobs.ts';
import { Settings } from '#shared/runtime/env.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { ofType, type Resource, synthesise, type Template } from '#test/infra/synthesis.ts';

let template: Template;
beforeAll(() => {
  template = synthesise(service);
});

const only = (type: string): Resource => {
  const found = ofType(template, type);
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? { Type: type, Properties: {} };
};

const queue = (name: string) =>
  ofType(template, 'AWS::SQS::Queue').find(
    ([, { Properties }]) => Properties.QueueName === `exposure-main-production-${name}`,
  );

const alarmsOn = (metric: string, logicalId: string) =>
  ofType(template, 'AWS::CloudWatch::Alarm').filter(
    ([, { Properties }]) =>
      Properties.MetricName === metric && JSON.stringify(Properties.Dimensions).includes(`"${logicalId}"`),
  );

test('the stack has fewer than 450 resources, which leaves room below the 500 of CloudFormation', () => {
  expect(Object.keys(template.Resources).length).toBeLessThan(450);
});

test('the table survives a wrong delete, can be restored to any second, and bills by use', () => {
  const { Properties, DeletionPolicy } = only('AWS::DynamoDB::Table');
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
  expect(DeletionPolicy).toBe('Retain');
});

test('report files are private, encrypted with our key, sent over TLS only, and kept when the stack is deleted', () => {
  const { Properties, DeletionPolicy } = only('AWS::S3::Bucket');
  const [encryption] = Properties.BucketEncryption.ServerSideEncryptionConfiguration;
  expect(encryption.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('aws:kms');
  expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
  expect(Properties.VersioningConfiguration.Status).toBe('Enabled');
  expect(DeletionPolicy).toBe('Retain');
  const [refusal] = only('AWS::S3::BucketPolicy').Properties.PolicyDocument.Statement;
  expect(refusal).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
});

test('the encryption key rotates and is kept when the stack is deleted', () => {
  const { Properties, DeletionPolicy } = only('AWS::KMS::Key');
  expect([Properties.EnableKeyRotation, DeletionPolicy]).toEqual([true, 'Retain']);
});

test.each(jobNames)('work of %s that keeps failing goes to a dead-letter queue and raises an alarm', (name) => {
  const job = jobs[name];
  const [id, { Properties } = { Properties: {} }] = queue(queueName(job)) ?? [''];
  const [deadId] = queue(deadLetterQueueName(job)) ?? [''];
  expect(Properties.VisibilityTimeout).toBe(visibilitySeconds(job));
  expect(Properties.FifoQueue ?? false).toBe(job.fifo);
  expect(Properties.RedrivePolicy).toEqual({
    deadLetterTargetArn: { 'Fn::GetAtt': [deadId, 'Arn'] },
    maxReceiveCount: deliveries(job),
  });
  const told = alarmsOn('ApproximateNumberOfMessagesVisible', deadId);
  expect(told.map(([, alarm]) => alarm.Properties.AlarmDescription)).toEqual([
    expect.stringContaining(`queue ${deadLetterQueueName(job)}:`),
  ]);
  expect(alarmsOn('ApproximateAgeOfOldestMessage', id)).toHaveLength(1);
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

test('crashes, failing and slow requests and throttles raise alarms', () => {
  for (const [id] of ofType(template, 'AWS::Lambda::Function')) {
    const alarms = JSON.stringify(ofType(template, 'AWS::CloudWatch::Alarm'));
    for (const metric of ['Errors', 'Throttles'])
      expect(alarms).toMatch(new RegExp(`"${metric}".{0,200}"${id}"|"${id}".{0,200}"${metric}"`));
  }
  const [[api] = ['']] = ofType(template, 'AWS::ApiGatewayV2::Api');
  const [[table] = ['']] = ofType(template, 'AWS::DynamoDB::Table');
  expect(alarmsOn('5xx', api)).toHaveLength(1);
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  expect(JSON.stringify(alarms)).toContain('WriteThrottleEvents');
  expect(table).not.toBe('');
  const [[topic] = ['']] = ofType(template, 'AWS::SNS::Topic');
  for (const { AlarmActions, AlarmDescription } of alarms) {
    expect(AlarmActions).toEqual([{ Ref: topic }]);
    expect(AlarmDescription).toBeTruthy();
  }
});

test('a slow area raises an alarm, but callers who wait for their task do not', () => {
  const slow = ofType(template, 'AWS::CloudWatch::Alarm').filter(([, { Properties }]) =>
    JSON.stringify(Properties.Metrics ?? '').includes('"Duration"'),
  );
  const areas = service.areas.map(({ name }) => name);
  const watched = areas.filter((name) => {
    const made = ofType(template, 'AWS::Lambda::Function');
    const [id] =
      made.find(([, { Properties }]) => Properties.FunctionName === `exposure-main-production-${name}`) ?? [];
    return JSON.stringify(slow).includes(`"${id}"`);
  });
  expect(areas.filter((name) => !watched.includes(name))).toEqual([
    'apex-llm',
    'soc-alerts',
    'soc-incidents',
    'import',
    'finding-updates',
    'tasks',
    'vulnerability-updates',
  ]);
  for (const [, { Properties }] of slow) expect(Properties.Metrics.length).toBeLessThanOrEqual(11);
  const api = ofType(template, 'AWS::ApiGatewayV2::Api')[0]?.[0] ?? '';
  expect(alarmsOn('Latency', api)).toEqual([]);
});

test('alarms are delivered: CloudWatch may publish to the topic and use its key', () => {
  const allowed = (statements: { Effect: string; Principal: { Service?: string }; Action: string | string[] }[]) =>
    statements.flatMap(({ Effect, Principal, Action }) =>
      Effect === 'Allow' && Principal.Service === 'cloudwatch.amazonaws.com' ? Action : [],
    );
  expect(allowed(only('AWS::SNS::TopicPolicy').Properties.PolicyDocument.Statement)).toEqual(['sns:Publish']);
  const byKey = allowed(only('AWS::KMS::Key').Properties.KeyPolicy.Statement);
  expect(byKey).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
});

test('the gateway throttles a flood of requests', () => {
  expect(only('AWS::ApiGatewayV2::Stage').Properties.DefaultRouteSettings).toEqual({
    ThrottlingRateLimit: 500,
    ThrottlingBurstLimit: 1000,
  });
});

test('only a sample of requests is traced', () => {
  expect(only('AWS::XRay::SamplingRule').Properties.SamplingRule).toMatchObject({
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

test('a schedule that no longer starts its function raises an alarm, although no data is measured', () => {
  for (const { name } of service.schedules) {
    const made = ofType(template, 'AWS::Lambda::Function');
    const [id = ''] = made.find(([, { Properties }]) => Properties.FunctionName.endsWith(`-${name}-schedule`)) ?? [];
    expect(alarmsOn('Invocations', id).map(([, { Properties }]) => Properties)).toMatchObject([
      { ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching', EvaluationPeriods: 3 },
    ]);
  }
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
  expect(Object.values(settingOutputs).sort()).toEqual(Object.keys(first?.Properties.Environment.Variables).sort());
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
  const development = synthesise(service, {}, 'main-development');
  const { Properties, DeletionPolicy } = ofType(development, 'AWS::DynamoDB::Table')[0]?.[1] ?? {};
  expect([Properties?.DeletionProtectionEnabled ?? false, DeletionPolicy]).toEqual([false, 'Delete']);
  // CloudFormation cannot delete a bucket that holds objects.
  const emptied = ofType(development, 'Custom::S3AutoDeleteObjects').map(([, custom]) => custom.Properties.BucketName);
  expect(emptied).toEqual(ofType(development, 'AWS::S3::Bucket').map(([id]) => ({ Ref: id })));
  expect(ofType(template, 'Custom::S3AutoDeleteObjects')).toEqual([]);
});

test('declared scanner versions reach the functions, and no variable is set without them', () => {
  const variables = (made: Template) => ofType(made, 'AWS::Lambda::Function')[0]?.[1].Properties.Environment.Variables;
  const declared = synthesise(service, { scannerRecommendedVersion: '2.4.0', scannerMinimumVersion: '2.0' });
  expect(variables(declared)).toMatchObject({ SCANNER_RECOMMENDED_VERSION: '2.4.0', SCANNER_MINIMUM_VERSION: '2.0' });
  expect(Object.keys(variables(template))).not.toContain('SCANNER_MINIMUM_VERSION');
});

test("an alarm on the sweeper's metric goes off when many machines stop reporting at once", () => {
  const { MetricStat } = ofType(template, 'AWS::CloudWatch::Alarm')
    .flatMap(([, { Properties }]) => Properties.Metrics ?? [])
    .find(({ Id }) => Id === 'agents');
  expect(MetricStat.Metric).toMatchObject({ Namespace: 'Exposure', MetricName: 'MachinesWentOffline' });
  expect(MetricStat.Metric.Dimensions.map(({ Name }: { Name: string }) => Name)).toEqual(['kind', 'service', 'table']);
});
