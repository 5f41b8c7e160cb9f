import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const yarn1 = fixture('yarn-audit/yarn1.jsonl').toString();
const advisory = {
  severity: 'high',
  ruleId: 'GHSA-aaaa-bbbb-cccc',
  component: { name: 'quickform', version: '2.1.0' },
};

test('Yarn 1: the ways to one package are one finding with its version', async () => {
  const findings = findingsOf(await eventsOf('yarn-audit', yarn1));
  expect(findings).toMatchObject([advisory, { component: { version: '2.1.0' } }]);
  expect(findings[0]?.identity).toEqual(findings[1]?.identity);
  expect(findings[0]?.evidence[0]?.content).toBe('Comes in by:\nweb-shop>quickform\nweb-admin>quickform');
});

test('Yarn 4: each version of a package in the tree is a finding, and so is a deprecated package', async () => {
  const findings = findingsOf(await eventsOf('yarn-audit', fixture('yarn-audit/yarn4.jsonl')));
  expect(findings).toMatchObject([
    { component: { version: '1.9.0' }, identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', ''] },
    { ...advisory, identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', '', '#2'] },
    { severity: 'medium', ruleId: 'npm-leftover (deprecation)' },
  ]);
});

test('a report of Yarn 1 without its summary, or with an error, closes nothing', async () => {
  const [summary] = yarn1.trimEnd().split('\n').slice(-1);
  const reasons = async (text: string) =>
    (await eventsOf('yarn-audit', text)).flatMap((event) => (event.kind === 'incomplete' ? [event.code] : []));
  expect(await reasons(yarn1.replace(`${summary}\n`, ''))).toEqual(['not_finished']);
  expect(await reasons(`{"type":"error","data":"timeout"}\n${yarn1}`)).toEqual(['tool_error']);
  expect(await reasons(yarn1)).toEqual([]);
});

test('Yarn 4.0: the advisories of a package are its findings, and an empty object is clean', async () => {
  const found = {
    id: 1,
    title: 't',
    severity: 'high',
    vulnerable_versions: '<2',
    url: 'https://x.test/GHSA-aaaa-bbbb-cccc',
  };
  const report = JSON.stringify({ quickform: [found], '@scope/left': [{ ...found, cvss: { score: 9.8 } }] });
  expect(findingsOf(await eventsOf('auto', report))).toMatchObject([
    { severity: 'high', component: { name: 'quickform' }, identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', ''] },
    { cvssScore: 9.8, component: { purl: 'pkg:npm/%40scope/left' } },
  ]);
  expect(await eventsOf('yarn-audit', '{}\n')).toEqual([{ kind: 'tool', name: 'yarn audit' }]);
});
