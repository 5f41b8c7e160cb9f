import { expect, test } from 'vitest';
import { pipAudit } from '#shared/reports/formats/pip-audit/format.ts';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const read = async (text: string | Buffer) => findingsOf(await eventsOf('pip-audit', text));

test('an advisory keeps its ids and the versions with the fix; a package that pip-audit skips is none', async () => {
  expect(await read(fixture('pip-audit/new.json'))).toEqual([
    {
      title: 'PYSEC-2023-9001 in quickform 2.1.0',
      description: 'The session cookie of quickform can be forged.',
      severity: 'medium',
      ruleId: 'PYSEC-2023-9001',
      cves: ['CVE-2023-10001'],
      cwes: [],
      asset: null,
      location: {},
      component: {
        name: 'quickform',
        version: '2.1.0',
        purl: 'pkg:pypi/quickform@2.1.0',
        fixedVersions: ['1.9.7', '2.1.4'],
      },
      evidence: [],
      references: ['https://osv.dev/vulnerability/PYSEC-2023-9001'],
      remediation: 'Update quickform to 1.9.7 or 2.1.4.',
      tags: ['CVE-2023-10001', 'GHSA-aaaa-bbbb-cccc'],
      identity: ['PYSEC-2023-9001', 'quickform', ''],
    },
  ]);
});

test('the older report, a list alone, gives the same finding, also after an update to another vulnerable version', async () => {
  const [first] = await read(fixture('pip-audit/new.json'));
  const [second] = await read(fixture('pip-audit/old.json').toString().replace('2.1.0', '2.1.3'));
  expect(second?.identity).toEqual(first?.identity);
});

test('a report without dependencies is clean', async () => {
  for (const clean of ['{"dependencies": []}', '{"dependencies": [], "fixes": []}'])
    expect(await eventsOf('auto', clean)).toEqual([{ kind: 'tool', name: 'pip-audit' }]);
});

test('a package that pip-audit skipped keeps its findings open', async () => {
  const dependencies = [
    { name: 'flask', version: '1.0', vulns: [] },
    { name: 'own', skip_reason: 'Dependency not found on PyPI: own (1.0)' },
  ];
  expect(await eventsOf('auto', JSON.stringify({ dependencies, fixes: [] }))).toEqual([
    { kind: 'tool', name: 'pip-audit' },
    {
      kind: 'incomplete',
      code: 'not_judged',
      count: 1,
      of: 2,
      thing: 'package',
      partly: true,
      first: 'Dependency not found on PyPI: own (1.0)',
      rules: ['own'],
    },
  ]);
  const isLookedFor = (title: string) =>
    pipAudit.wasLookedFor?.({ unjudged: ['own'] }, { location: '', ruleId: 'PYSEC-1', title });
  expect(['PYSEC-1 in own 1.0', 'PYSEC-1 in own', 'PYSEC-1 in owner 1.0'].map(isLookedFor)).toEqual([
    false,
    false,
    true,
  ]);
});
