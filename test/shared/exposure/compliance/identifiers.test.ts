import { expect, test } from 'vitest';
import { Framework } from '#shared/exposure/compliance/framework.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { checkOfCheckov } from '#shared/reports/formats/checkov/benchmark.ts';
import { checkOfKubescape } from '#shared/reports/formats/kubescape/benchmark.ts';
import { hasControl } from '#shared/reports/readers/benchmark-kubernetes.ts';
import { passedChecks } from '#shared/reports/readers/security-hub.ts';
import { PUBLISHED } from './published.ts';

test('the files of the frameworks fit their schema', () => {
  expect(Framework.array().parse(frameworks())).toEqual(frameworks());
});

const named = Object.entries(PUBLISHED).map(([id, controls]) => ({ id, controls }));

test.each(named)('an auditor finds each control of $id in what its publisher lists', ({ id, controls }) => {
  const framework = frameworks().find((one) => one.id === id);
  const ours = framework?.controls.map(({ control }) => control) ?? [];
  expect(ours.length).toBeGreaterThan(0);
  expect(new Set(ours).size).toBe(ours.length);
  expect(ours.filter((control) => !controls.includes(control))).toEqual([]);
});

test('of a benchmark and of the Top 10 no control is left out', () => {
  for (const id of ['cis-aws-3.0.0', 'owasp-top-10-2021'])
    expect(frameworks().find((one) => one.id === id)?.controls).toHaveLength(PUBLISHED[id]?.length ?? 0);
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const known = new Set(frameworks().flatMap(({ controls }) => controls.flatMap(({ checks = [] }) => checks)));

test('each control of Kubescape for the benchmark is one of its controls, and maps to only one', () => {
  const keys = numbers(400).flatMap((n) => checkOfKubescape(`C-${String(n).padStart(4, '0')}`)?.key ?? []);
  expect(keys).toHaveLength(125);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !hasControl('cis-1.10', key))).toEqual([]);
  expect(['C-0041', 'C-0113', 'C-0283', 'C-0284', 'C-0246'].map((id) => checkOfKubescape(id)?.key)).toEqual([
    ...['5.2.5', '1.2.1', '1.2.3', '4.2.13', '5.1.7'],
  ]);
});

test('each check of Checkov and each control of Security Hub maps to checks of the AWS benchmark', () => {
  const ofCheckov = ['CKV', 'CKV2'].flatMap((set) => numbers(500).map((n) => checkOfCheckov(`${set}_AWS_${n}`)?.key));
  const named = ofCheckov.filter((key) => key !== undefined);
  expect(named).toHaveLength(29);
  expect(named.filter((key) => !known.has(key))).toEqual([]);
  const services = ['Account', 'CloudTrail', 'Config', 'EC2', 'EFS', 'IAM', 'KMS', 'RDS', 'S3'];
  const hub = services.flatMap((service) => numbers(60).map((n) => `${service}.${n}`));
  const held = hub.map((id) => passedChecks({ id, requirements: [], outcome: 'passed' }).map(({ key }) => key));
  expect(held.filter((keys) => keys.length > 0)).toHaveLength(37);
  expect(held.flat().filter((key) => !known.has(key))).toEqual([]);
});
