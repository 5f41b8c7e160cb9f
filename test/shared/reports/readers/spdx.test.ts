import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const json = fixture('spdx/inventory.json').toString();
const quickform = {
  title: 'CVE-2023-10001 in quickform 2.1.0',
  description: 'The session cookie can be forged.',
  severity: 'medium',
  ruleId: 'CVE-2023-10001',
  cves: ['CVE-2023-10001'],
  cwes: [],
  asset: null,
  location: {},
  component: { name: 'quickform', version: '2.1.0', purl: 'pkg:pypi/quickform@2.1.0', fixedVersions: [] },
  evidence: [],
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2023-10001'],
  tags: [],
  identity: ['CVE-2023-10001', 'quickform', ''],
};

test('an advisory that an inventory names for a package is a finding, in JSON as in tag-value', async () => {
  expect(findingsOf(await eventsOf('spdx', json))).toEqual([quickform]);
  expect(findingsOf(await eventsOf('spdx', fixture('spdx/inventory.spdx')))).toEqual([quickform]);
});

test('version 3 names its packages among other elements', async () => {
  const graph = [
    {
      type: 'software_Package',
      name: 'quickform',
      software_packageVersion: '2.1.0',
      externalRef: [
        {
          type: 'ExternalRef',
          externalRefType: 'securityAdvisory',
          locator: ['https://example.test/GHSA-aaaa-bbbb-cccc'],
        },
      ],
    },
    { type: 'Relationship', from: 'a', to: ['b'] },
  ];
  const document = { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': graph };
  expect(findingsOf(await eventsOf('auto', JSON.stringify(document)))).toMatchObject([
    { ruleId: 'GHSA-aaaa-bbbb-cccc', component: { name: 'quickform', version: '2.1.0' } },
  ]);
});

test('an inventory closes nothing, and an empty one is read', async () => {
  const clean = { ...JSON.parse(json), packages: [] };
  for (const text of [json, JSON.stringify(clean), 'SPDXVersion: SPDX-2.2\n'])
    expect((await eventsOf('auto', text)).map(({ kind }) => kind)).toContain('incomplete');
  expect(await codeOf(eventsOf('spdx', '# a text\nSomething: else'))).toBe('unsupported_format');
});

const bare = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  packages: [{ name: 'lodash', versionInfo: '4.17.20' }],
};
const software = async (document: object) =>
  (await eventsOf('auto', JSON.stringify(document))).flatMap((event) =>
    event.kind === 'inventory' ? (event.inventory.software ?? []).map(({ name }) => name) : [],
  );

test("the answer of GitHub's interface is read", async () => {
  expect(await software({ sbom: bare })).toEqual(['lodash']);
  const relationships = Array.from({ length: 300 }, (_, n) => ({
    spdxElementId: `SPDXRef-${n}`,
    comment: 'x'.repeat(60),
  }));
  expect(await software({ sbom: { relationships, ...bare } })).toEqual(['lodash']);
});

test.each([
  ['files', { SPDXID: 'SPDXRef-File', fileName: './lib.dll' }],
  ['relationships', { spdxElementId: 'SPDXRef-A', relatedSpdxElement: 'SPDXRef-B' }],
  ['packages', { SPDXID: 'SPDXRef-Package', name: 'lodash', comment: 'x'.repeat(200) }],
])('a document that begins with thousands of %s is recognised', async (list, element) => {
  const { packages, ...head } = bare;
  const document = {
    [list]: Array.from({ length: 2_000 }, () => element),
    ...(list !== 'packages' && { packages }),
    ...head,
  };
  expect(await software(document)).toEqual(['lodash']);
});
