import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const json = fixture('cyclonedx/vex.json').toString();
const read = async (text: string | Buffer) => findingsOf(await eventsOf('cyclonedx', text));
const bomWith = (vulnerability: object) =>
  JSON.stringify({
    ...JSON.parse(json),
    vulnerabilities: [{ id: 'CVE-2023-1', affects: [{ ref: 'c2' }], ...vulnerability }],
  });

const quickform = {
  title: 'CVE-2023-10001 in org.example:quickform 2.1.0',
  description: 'The session cookie of quickform can be forged.',
  severity: 'high',
  toolSeverity: 'high',
  ruleId: 'CVE-2023-10001',
  cves: ['CVE-2023-10001'],
  cwes: ['CWE-347'],
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvssScore: 7.5,
  asset: { type: 'container_image', value: 'registry.example.test/shop:1.2' },
  location: { path: 'srv/app.jar' },
  component: {
    name: 'org.example:quickform',
    version: '2.1.0',
    purl: 'pkg:maven/org.example/quickform@2.1.0',
    fixedVersions: [],
  },
  evidence: [{ kind: 'text', content: 'exploitable: The shop signs sessions.' }],
  references: [
    'https://example.test/ghsa',
    'https://example.test/advisory',
    'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  ],
  remediation: 'Upgrade quickform to version 2.1.4',
  tags: ['GHSA-aaaa-bbbb-cccc', 'exploitable'],
  identity: ['CVE-2023-10001', 'org.example:quickform', 'srv/app.jar'],
};

test('a vulnerability is on its component at any depth, with the rating of its own source, in JSON and in XML', async () => {
  const [first, elsewhere, ...others] = await read(json);
  expect(first).toEqual(quickform);
  // A VEX names components of another document.
  expect(elsewhere).toMatchObject({ severity: 'medium', component: { name: '@scope/left', version: '1.0.0' } });
  expect(others).toEqual([]);
  expect(await read(fixture('cyclonedx/vex.xml'))).toEqual([quickform]);
  expect((await eventsOf('cyclonedx', json))[0]).toEqual({ kind: 'tool', name: 'trivy', version: '0.60.0' });
});

test('the extension for older versions gives vulnerabilities inside of their component', async () => {
  expect(await read(fixture('cyclonedx/extension.xml'))).toMatchObject([
    {
      severity: 'high',
      cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cwes: ['CWE-347'],
      component: { name: 'quickform', version: '2.1.0', purl: 'pkg:npm/quickform@2.1.0' },
      references: ['https://example.test/nvd', 'https://example.test/advisory'],
      remediation: 'Upgrade',
    },
  ]);
});

test.each(['not_affected', 'false_positive', 'resolved', 'resolved_with_pedigree'])(
  'what was analysed as %s is no finding',
  async (state) => expect(await read(bomWith({ analysis: { state } }))).toEqual([]),
);

test('what is still analysed is a finding, unless its versions are not affected', async () => {
  expect(await read(bomWith({ analysis: { state: 'in_triage' } }))).toHaveLength(1);
  const affects = [{ ref: 'c2', versions: [{ version: '2.1.0', status: 'unaffected' }] }];
  expect(await read(bomWith({ affects }))).toEqual([]);
});

test('a vulnerability without a component has its description', async () => {
  const [alone] = await read(
    bomWith({ affects: undefined, description: '[CVE-2023-1] Django before 2.2 has a leak. More.' }),
  );
  expect(alone).toMatchObject({ title: 'CVE-2023-1: Django before 2.2 has a leak', identity: ['CVE-2023-1'] });
});

test('a list without vulnerabilities is a clean scan, an inventory without the list closes nothing', async () => {
  const { vulnerabilities: _, ...inventory } = JSON.parse(json);
  const kinds = async (bom: object) => (await eventsOf('auto', JSON.stringify(bom))).map(({ kind }) => kind);
  expect(await kinds({ ...inventory, vulnerabilities: [] })).toEqual(['tool', 'inventory', 'covered']);
  expect(await kinds(inventory)).toEqual(['tool', 'inventory', 'covered', 'incomplete']);
  const xml = (inside: string) => `<bom xmlns="http://cyclonedx.org/schema/bom/1.5">${inside}</bom>`;
  expect(await eventsOf('auto', xml('<vulnerabilities/>'))).toHaveLength(1);
  expect(await eventsOf('auto', xml('<components/>'))).toHaveLength(2);
  expect(await codeOf(eventsOf('cyclonedx', '<bom xmlns="https://example.test"/>'))).toBe('unsupported_format');
});

const service = {
  'bom-ref': 's1',
  name: 'payment-api',
  version: '3.1',
  services: [{ 'bom-ref': 's2', name: 'ledger' }],
};

test('a vulnerability of a service names the service, in JSON and in XML', async () => {
  const affects = [{ ref: 's1' }, { ref: 's2' }];
  const bom = { bomFormat: 'CycloneDX', services: [service], vulnerabilities: [{ id: 'CVE-2024-10001', affects }] };
  const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><services><service bom-ref="s1"><name>payment-api</name>
    <version>3.1</version><services><service bom-ref="s2"><name>ledger</name></service></services></service></services>
    <vulnerabilities><vulnerability><id>CVE-2024-10001</id><affects><target><ref>s1</ref></target><target><ref>s2</ref>
    </target></affects></vulnerability></vulnerabilities></bom>`;
  for (const document of [JSON.stringify(bom), xml])
    expect((await read(document)).map(({ component }) => [component?.name, component?.version])).toEqual([
      ['payment-api', '3.1'],
      ['ledger', undefined],
    ]);
});

test.each<[string, object[], string[] | undefined]>([
  ['an unaffected range', [{ range: 'vers:npm/>=2.1.4', status: 'unaffected' }], ['2.1.4']],
  [
    'the branches of a range',
    [
      { version: '2.1.0', status: 'affected' },
      { range: 'vers:maven/>=1.9.9|<2|>=2.1.4%2Bb', status: 'unaffected' },
    ],
    ['1.9.9', '2.1.4+b'],
  ],
  ['an unaffected version', [{ version: '2.1.4', status: 'unaffected' }], ['2.1.4']],
  ['the end of an affected range', [{ range: 'vers:npm/>=1.0|<2.1.4' }], ['2.1.4']],
  ['the last affected version', [{ range: 'vers:npm/<=2.1.3' }], []],
  [
    'the version itself as unaffected',
    [{ version: '2.1.0', status: 'unaffected' }, { range: 'vers:npm/<2' }],
    undefined,
  ],
  ['all versions as unaffected', [{ range: 'vers:npm/*', status: 'unaffected' }], undefined],
])('%s names the fixed versions', async (_name, versions, fixed) => {
  const [found] = await read(bomWith({ affects: [{ ref: 'c2', versions }] }));
  expect(found?.component?.fixedVersions).toEqual(fixed);
});

test('Inspector names the fix of each component in a property', async () => {
  const name = 'amazon:inspector:sbom_scanner:fixed_version:';
  const properties = [
    { name: `${name}c2`, value: '2.1.4' },
    { name: `${name}c1`, value: '9.9' },
  ];
  expect(await read(bomWith({ properties }))).toMatchObject([
    { component: { fixedVersions: ['2.1.4'] }, remediation: 'Update org.example:quickform to 2.1.4.' },
  ]);
});

test('a document that begins with its components is recognised', async () => {
  const components = Array.from({ length: 300 }, (_, n) => ({
    type: 'library',
    'bom-ref': `c${n}`,
    name: 'x'.repeat(60),
  }));
  const document = JSON.stringify({ components, vulnerabilities: [], bomFormat: 'CycloneDX' });
  expect(await codeOf(eventsOf('auto', document))).toBe('none');
});

test('a document without a finding, of which all vulnerabilities are stated no problem, proves none gone', async () => {
  const kindsOf = async (more: object) => (await eventsOf('cyclonedx', bomWith(more))).map(({ kind }) => kind);
  expect(await kindsOf({ analysis: { state: 'not_affected' } })).toEqual(
    expect.arrayContaining(['document', 'statement', 'incomplete']),
  );
  expect(await kindsOf({ analysis: { state: 'in_triage' } })).not.toContain('incomplete');
  expect(await kindsOf({})).not.toContain('statement');
});
