import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf } from './reading.ts';

const statedIn = async (format: string, content: string | Buffer) =>
  (await eventsOf(format, content)).flatMap((event): object[] => {
    if (event.kind === 'document') return [event.document];
    return event.kind === 'statement' ? [event.statement] : [];
  });

const AUTHOR = 'Example Vendor PSIRT';
const NAMES = ['CVE-2021-23337', 'GHSA-35jh-r3h4-6jhm'];
const REASON = 'vulnerable_code_not_in_execute_path: template() is not used';

test('OpenVEX: products with their components, and the newest time of a statement or of the document', async () => {
  const digest = '1'.repeat(64);
  const at = '2026-05-05T07:00:00.000Z';
  expect(await statedIn('openvex', fixture('openvex/vex.json'))).toEqual([
    { id: 'https://vendor.example/vex/2026-7', author: AUTHOR, at, version: '2' },
    {
      vulnerabilities: NAMES,
      status: 'not_affected',
      products: [
        {
          purl: `pkg:oci/shop@sha256%3A${digest}?repository_url=registry.example`,
          parts: [{ purl: 'pkg:npm/lodash@4.17.20' }],
        },
        { name: 'https://vendor.example/products/shop', purl: 'pkg:github/acme/shop' },
      ],
      reason: REASON,
      at,
    },
    {
      vulnerabilities: ['CVE-2021-44906'],
      status: 'fixed',
      products: [{ purl: 'pkg:npm/minimist@1.2.5' }],
      reason: '',
      at: '2026-05-03T09:00:00.000Z',
    },
    {
      vulnerabilities: ['CVE-2022-0155'],
      status: 'under_investigation',
      products: [{ purl: 'pkg:npm/follow-redirects@1.14.0' }],
      reason: '',
      at,
    },
  ]);
  expect(await statedIn('auto', fixture('openvex/first-version.json'))).toMatchObject([
    { version: '1' },
    {
      vulnerabilities: ['CVE-2023-1255'],
      status: 'affected',
      products: [{ purl: 'pkg:apk/alpine/libcrypto3@3.0.8-r3?arch=x86_64' }],
    },
  ]);
});

test('CSAF: statuses by product, flags of groups, components of a product and packages of an operating system', async () => {
  const openssl = { name: 'openssl', purl: 'pkg:rpm/example/openssl@3.0.7-1.el9?arch=x86_64' };
  const shop = { name: 'Shop 1.2', purl: 'pkg:oci/shop?repository_url=registry.example&tag=1.2' };
  const lodash = { name: 'lodash 4.17.20', purl: 'pkg:npm/lodash@4.17.20' };
  const at = '2026-05-04T09:00:00.000Z';
  expect(await statedIn('csaf', fixture('csaf/vex.json'))).toEqual([
    { id: 'https://vendor.example EXAMPLE-2026-7', author: AUTHOR, at, version: '2' },
    { vulnerabilities: NAMES, status: 'not_affected', products: [{ ...shop, parts: [lodash] }], reason: REASON, at },
    { vulnerabilities: NAMES, status: 'under_investigation', products: [openssl], reason: '', at },
    { vulnerabilities: ['CVE-2022-0778'], status: 'fixed', products: [openssl], reason: '', at },
    { vulnerabilities: ['CVE-2022-0778'], status: 'affected', products: [shop], reason: '', at },
  ]);
});

test('CSAF: an informational advisory without vulnerabilities is a document that states nothing', async () => {
  const document = { csaf_version: '2.0', category: 'csaf_informational_advisory', tracking: { id: 'EXAMPLE-2026-8' } };
  expect(await statedIn('auto', JSON.stringify({ document }))).toMatchObject([{ id: 'EXAMPLE-2026-8' }]);
});

test('CycloneDX: an analysis is a statement, about the versions that it names, and the subject is the target', async () => {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    version: 3,
    metadata: {
      timestamp: '2026-05-04T09:00:00Z',
      authors: [{ name: AUTHOR }],
      component: { 'bom-ref': 'app', type: 'application', name: 'shop' },
    },
    vulnerabilities: [
      {
        id: NAMES[0],
        references: [{ id: NAMES[1] }],
        analysis: { state: 'not_affected', justification: 'code_not_reachable', detail: 'template() is not used' },
        affects: [
          { ref: 'app' },
          {
            ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#pkg:npm/lodash',
            versions: [
              { version: '4.17.20', status: 'unaffected' },
              { version: '4.17.19', status: 'affected' },
            ],
          },
        ],
      },
      { id: 'CVE-2022-0155', analysis: { state: 'in_triage' } },
    ],
  };
  const stated = await statedIn('auto', JSON.stringify(document));
  expect(stated).toMatchObject([
    { id: 'shop', author: AUTHOR, at: '2026-05-04T09:00:00.000Z', version: '3' },
    {
      vulnerabilities: NAMES,
      status: 'not_affected',
      products: [
        { name: 'shop', isSubject: true },
        { name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash' },
      ],
      reason: 'code_not_reachable: template() is not used',
    },
    { vulnerabilities: ['CVE-2022-0155'], status: 'under_investigation', products: [{ isSubject: true }] },
  ]);
});

test('CycloneDX in XML states as in JSON; without an author the tool decides', async () => {
  const analysis = '<analysis><state>false_positive</state><detail>unused</detail></analysis>';
  const versions = '<versions><version><version>4.17.20</version><status>unaffected</status></version></versions>';
  const bom = (metadata: string) =>
    `<bom xmlns="http://cyclonedx.org/schema/bom/1.6" serialNumber="urn:uuid:1" version="3"><metadata>${metadata}</metadata>
    <vulnerabilities><vulnerability><id>CVE-2021-23337</id>${analysis}
    <affects><target><ref>pkg:npm/lodash</ref>${versions}</target></affects></vulnerability></vulnerabilities></bom>`;
  const tools = '<tools><tool><name>maker</name></tool></tools>';
  const author = `<timestamp>2026-05-04T09:00:00Z</timestamp><authors><author><name>${AUTHOR}</name></author></authors>`;
  const statement = {
    vulnerabilities: ['CVE-2021-23337'],
    status: 'not_affected',
    products: [{ name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash' }],
    reason: 'false_positive: unused',
  };
  const at = '2026-05-04T09:00:00.000Z';
  expect(await statedIn('auto', bom(author + tools))).toEqual([
    { id: 'urn:uuid:1', author: AUTHOR, at, version: '3' },
    { ...statement, at },
  ]);
  expect(await statedIn('auto', bom(tools))).toEqual([
    { id: 'urn:uuid:1', author: 'maker', isTool: true, version: '3' },
    statement,
  ]);
});

test('a document with more products than vendors publish is refused, also where a few ids stand for many', async () => {
  const products = Array.from({ length: 50_001 }, (_, n) => `pkg:npm/p${n}`);
  const openvex = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [{ vulnerability: 'CVE-2021-23337', products, status: 'affected' }],
  };
  expect(await codeOf(eventsOf('openvex', JSON.stringify(openvex)))).toBe('too_large');
  const purls = Array.from({ length: 500 }, (_, n) => `pkg:npm/p${n}`);
  const named = (id: string) => ({ name: id, product_id: id, product_identification_helper: { purls } });
  const relationships = Array.from({ length: 50 }, (_, n) => ({
    full_product_name: { product_id: `r${n}` },
    product_reference: n === 0 ? 'a' : `r${n - 1}`,
    relates_to_product_reference: n === 0 ? 'b' : `r${n - 1}`,
  }));
  const csaf = {
    document: { csaf_version: '2.0' },
    product_tree: { full_product_names: [named('a'), named('b')], relationships },
    vulnerabilities: [
      { cve: 'CVE-2021-23337', product_status: { known_affected: Array.from({ length: 45_000 }, () => 'r49') } },
    ],
  };
  expect(await codeOf(eventsOf('csaf', JSON.stringify(csaf)))).toBe('too_large');
});
