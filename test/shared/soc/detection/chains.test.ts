import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { updateRule } from '#shared/soc/detection/save-rule.ts';
import { switchOff } from '#shared/soc/detection/switch-off.ts';
import { all, deliver, FAILED, failed, MANY, organizationWith, over } from '../../../support/detection/delivery.ts';
import { useStore } from '../../../support/store.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();
afterEach(() => setClock());
const withRules = (...contents: string[]) => organizationWith(store.dynamo, contents);

const together = (type: string) => `title: Failure
name: failure
logsource: { service: sshd }
detection: { s: { message|startswith: Failed }, condition: s }
---
title: Success
name: success
logsource: { service: sshd }
detection: { s: { message|startswith: Accepted }, condition: s }
---
title: A guessed password
correlation:
  type: ${type}
  rules: [failure, success]
  group-by: [src_ip]
  timespan: 5m
`;

test.each([
  { type: 'temporal', times: { failure: 0, success: 100 }, events: 2 },
  { type: 'temporal', times: { failure: 100, success: 0 }, events: 2 },
  { type: 'temporal', times: { failure: 0, success: 400 }, events: 0 },
  { type: 'temporal_ordered', times: { failure: 0, success: 100 }, events: 2 },
  { type: 'temporal_ordered', times: { failure: 100, success: 0 }, events: 0 },
])('$type alerts on rules that are met near each other: $times', async ({ type, times, events }) => {
  const table = await withRules(together(type));
  const success = failed(times.success, { message: 'Accepted password for root from 203.0.113.7 port 1' });
  await deliver(table, 'second', [success]);
  await deliver(table, 'first', [failed(times.failure)]);
  expect((await all(table)).reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(events);
});

const SUCCESS = `title: Success
name: success
logsource: { service: sshd }
detection: { s: { message|startswith: Accepted }, condition: s }
`;
const success = (seconds: number) => failed(seconds, { message: 'Accepted password for root from 203.0.113.7 port 1' });
const countsOf = async (table: Table, title: string) =>
  (await all(table)).filter((one) => one.title === title).map(({ eventCount }) => eventCount);

test('a correlation counts stored rules with their exceptions, and starts again when one of them changes', async () => {
  const table = await withRules(
    FAILED,
    SUCCESS,
    over('[failed]', 'type: event_count, group-by: [src_ip], condition: { gte: 3 }'),
  );
  const { data } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 9 });
  const id = data.find(({ sigmaName }) => sigmaName === 'failed')?.id ?? '';
  const exceptions = [{ where: { host: 'build' }, reason: 'a test', endsAt: null }];
  await updateRule(table, id, { patch: { exceptions, effect: 'signal' } });
  const events = [failed(0), failed(1), failed(2, { host: 'build' })];
  await deliver(table, 'a', events);
  await deliver(table, 'a', events);
  expect(await all(table)).toEqual([]);
  await deliver(table, 'b', [failed(3)]);
  expect(await countsOf(table, 'Over others')).toEqual([3]);
  await updateRule(table, id, { patch: { exceptions: [] } });
  await deliver(table, 'c', [failed(4), failed(5)]);
  expect(await countsOf(table, 'Over others')).toEqual([3]);
});

test.each([
  { rules: '[many, success]', type: 'temporal_ordered', successAt: 100, marks: 2 },
  { rules: '[many, success]', type: 'temporal_ordered', successAt: -100, marks: 0 },
  { rules: '[success, many]', type: 'temporal_ordered', successAt: -100, marks: 2 },
  { rules: '[many, success]', type: 'temporal', successAt: 500, marks: 0 },
])('$type of a correlation and a rule, $rules, success at $successAt', async ({ rules, type, successAt, marks }) => {
  const table = await withRules(MANY, SUCCESS, over(rules, `type: ${type}, group-by: [src_ip]`));
  await deliver(table, 'a', [success(successAt), failed(0), failed(20)]);
  await deliver(table, 'b', [failed(10)]);
  await deliver(table, 'b', [failed(10)]);
  expect((await countsOf(table, 'Over others')).reduce((sum, count) => sum + count, 0)).toBe(marks);
});

test('several names that come about at once in one batch count each', async () => {
  const table = await withRules(MANY, over('[many]', 'type: value_count, condition: { field: src_ip, gte: 3 }'));
  const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
  const events = addresses.flatMap((src_ip) => [0, 0.1, 0.2].map((second) => failed(second, { fields: { src_ip } })));
  await deliver(table, 'a', events);
  await deliver(table, 'a', events);
  expect(await countsOf(table, 'Over others')).toEqual([3]);
  await expectExact(table, [alerts, detectionRules]);
});

test('three levels count each other, and an inner one that is over its budget switches off those above it', async () => {
  const NEST = over('[many]', 'type: value_count, group-by: [], condition: { field: src_ip, gte: 2 }').replace(
    'title',
    'name: nest\ntitle',
  );
  const table = await withRules(
    MANY,
    NEST,
    over('[nest]', 'type: event_count, condition: { gte: 1 }').replace('Over', 'Above'),
  );
  const from = (address: string) => [0, 1, 2].map((n) => failed(n, { fields: { src_ip: address } }));
  await deliver(table, 'a', from('10.0.0.1'));
  expect(await countsOf(table, 'Over others')).toEqual([]);
  await deliver(table, 'b', from('10.0.0.2'));
  expect(await countsOf(table, 'Over others')).toEqual([2]);
  expect(await countsOf(table, 'Above others')).toEqual([1]);
  const { data } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 9 });
  const inner = data.find(({ sigmaName }) => sigmaName === 'many');
  if (inner) await switchOff(table, inner, 'a test');
  await deliver(table, 'c', [failed(9)]);
  const off = (await table.list(detectionRules, { paginateFrom: 0, paginateSize: 9, where: { enabled: 'false' } }))
    .data;
  expect(off.map(({ switchedOffReason }) => switchedOffReason).sort()).toEqual([
    'The rule counts others that are off: Many failed logins.',
    'The rule counts others that are off: Over others.',
    'a test',
  ]);
  await expectExact(table, [alerts, detectionRules]);
});
