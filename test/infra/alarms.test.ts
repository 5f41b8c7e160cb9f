import { beforeAll, expect, test } from 'vitest';
import { scheduleFunction, service, workerFunction } from '#infra/service.ts';
import { METRICS, SLOW_REQUESTS } from '#shared/platform/runtime/metrics.ts';
import { alarmsOn, ofType, only, type Resource, synthesise, type Template } from './synthesis.ts';

let template: Template;
beforeAll(() => {
  template = synthesise(service);
});

test('crashes, failing and slow requests and throttles raise alarms', () => {
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const unattended = [...service.workers.map(workerFunction), ...service.schedules.map(scheduleFunction)];
  for (const { name } of unattended) {
    const id = `exposure-main-production-${name}`;
    expect(JSON.stringify(alarms)).toMatch(new RegExp(`"Errors".{0,200}"${id}"|"${id}".{0,200}"Errors"`));
  }
  const [[api] = ['']] = ofType(template, 'AWS::ApiGatewayV2::Api');
  // A crash of an area's function is a 5xx of the gateway.
  expect(alarmsOn(template, '5xx', api).map(([, { Properties }]) => Properties.Threshold)).toEqual([2]);
  expect(alarms.filter(({ MetricName }) => MetricName === 'Throttles')).toHaveLength(1);
  expect(JSON.stringify(alarms)).toContain('WriteThrottleEvents');
  const [[topic] = ['']] = ofType(template, 'AWS::SNS::Topic');
  for (const { AlarmActions, AlarmDescription } of alarms) {
    expect(AlarmActions).toEqual([{ Ref: topic }]);
    expect(AlarmDescription).toBeTruthy();
  }
});

test('slow requests raise an alarm by the metric that the functions write', () => {
  const [[, slow] = []] = ofType(template, 'AWS::CloudWatch::Alarm').filter(
    ([, { Properties }]) => Properties.MetricName === SLOW_REQUESTS,
  );
  const [[table] = ['']] = ofType(template, 'AWS::DynamoDB::Table');
  expect(slow?.Properties).toMatchObject({
    Namespace: METRICS,
    Dimensions: [{ Name: 'table', Value: { Ref: table } }],
    Statistic: 'Sum',
  });
});

const metricsOf = ({ Properties }: Resource): number =>
  Properties.Metrics?.filter((one: object) => 'MetricStat' in one).length ?? 1;

test('an idle stack pays for the alarm metrics of its queues and functions and nine more, and its dashboards are free', () => {
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([, alarm]) => metricsOf(alarm));
  const [queues, schedules] = [service.workers.length, service.schedules.length];
  // of a queue its age and its dead letters, of its function the errors; of a schedule its silence and the errors
  expect(alarms.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3 * queues + 2 * schedules + 9);
  const dashboards = ofType(template, 'AWS::CloudWatch::Dashboard').map(([, { Properties }]) => Properties);
  const shown = dashboards.map(
    ({ DashboardBody }) => JSON.stringify(DashboardBody).match(/\[\\"(AWS\/|Exposure)/g)?.length ?? 0,
  );
  expect(shown.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
  expect(shown.length).toBeLessThanOrEqual(3);
  for (const count of shown) expect(count).toBeLessThanOrEqual(50);
});

test('alarms are delivered: CloudWatch may publish to the topic and use its key', () => {
  const allowed = (statements: { Effect: string; Principal: { Service?: string }; Action: string | string[] }[]) =>
    statements.flatMap(({ Effect, Principal, Action }) =>
      Effect === 'Allow' && Principal.Service === 'cloudwatch.amazonaws.com' ? Action : [],
    );
  expect(allowed(only(template, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument.Statement)).toEqual(['sns:Publish']);
  const byKey = allowed(only(template, 'AWS::KMS::Key').Properties.KeyPolicy.Statement);
  expect(byKey).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
});

test('a schedule that no longer starts its function raises an alarm, although no data is measured', () => {
  for (const { name } of service.schedules) {
    expect(
      alarmsOn(template, 'Invocations', `exposure-main-production-${name}-schedule`).map(
        ([, { Properties }]) => Properties,
      ),
    ).toMatchObject([
      { ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching', EvaluationPeriods: 3 },
    ]);
  }
});

test("an alarm on the sweeper's metric goes off when many machines stop reporting at once", () => {
  const { MetricStat } = ofType(template, 'AWS::CloudWatch::Alarm')
    .flatMap(([, { Properties }]) => Properties.Metrics ?? [])
    .find(({ Id }) => Id === 'agents');
  expect(MetricStat.Metric).toMatchObject({ Namespace: 'Exposure', MetricName: 'MachinesWentOffline' });
  const names = MetricStat.Metric.Dimensions.map(({ Name }: { Name: string }) => Name);
  expect(names.sort()).toEqual(['kind', 'table']);
});
