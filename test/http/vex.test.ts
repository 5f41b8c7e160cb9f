import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };
const AUTHOR = 'Example Vendor PSIRT';
const SHOP = 'https://git.example.com/acme/shop';
const WEB = 'https://git.example.com/acme/web';
const IMAGE = { type: 'container_image', value: 'registry.example/acme/shop:1.2' };
const LODASH = 'CVE-2021-23337';

type Target = string | { type: string; value: string };
type Found = { id: string; purl: string };

/** A scan that finds vulnerabilities in packages. */
const scanOf = (found: readonly Found[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { tools: [{ name: 'scan' }] },
  components: found.map(({ purl }) => ({
    'bom-ref': purl,
    type: 'library',
    name: purl.slice(8, purl.lastIndexOf('@')),
    version: purl.slice(purl.lastIndexOf('@') + 1),
    purl,
  })),
  vulnerabilities: found.map(({ id, purl }) => ({ id, affects: [{ ref: purl }] })),
});

const lodash = { id: LODASH, purl: 'pkg:npm/lodash@4.17.20' };

const openVex = (statements: object[], more: object = {}) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://vendor.example/vex/1',
  author: AUTHOR,
  timestamp: '2026-05-04T09:00:00Z',
  version: 1,
  statements,
  ...more,
});

const about = (name: string, ids: readonly (string | object)[], more: object = {}) => ({
  vulnerability: { name },
  products: ids.map((id) => (typeof id === 'string' ? { '@id': id } : id)),
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  ...more,
});

async function send(client: Client, document: object, target?: Target) {
  const body = { format: 'auto', content: JSON.stringify(document), ...(target && { target }) };
  const answer = await client.ok('importFindings', { query: soon, body: body as never });
  expect(answer.task).toMatchObject({ status: 'succeeded' });
  return {
    taskId: answer.taskId,
    warnings: answer.warnings ?? [],
    result: answer.task?.result as Record<string, unknown>,
  };
}

async function shopWith(found: readonly Found[], target: Target = SHOP) {
  const { admin, ...organization } = await system.newOrganization();
  await send(admin, scanOf(found), target);
  return { admin, ...organization };
}

/** The statuses of all findings with their assets and vulnerabilities, in the order of these. */
async function statuses(client: Client): Promise<string[]> {
  const { data } = await client.ok('listFindings', { query: { paginateSize: 100 } });
  return data.map(({ asset, cves, status }) => `${asset.name.split('/').at(-1)} ${cves[0]} ${status}`).sort();
}

const countOf = async (client: Client, query: object): Promise<number> =>
  (await client.ok('listVulnerabilities', { query })).totalCount ?? 0;

test('a document settles what it names everywhere, its author decides, and its import can be undone', async () => {
  const { admin } = await shopWith([lodash, { id: 'CVE-2022-0155', purl: 'pkg:npm/follow-redirects@1.14.0' }]);
  await send(admin, scanOf([lodash]), WEB);
  const { taskId, result, warnings } = await send(admin, openVex([about(LODASH, ['pkg:npm/lodash@4.17.20'])]));
  expect(result).toMatchObject({
    created: 0,
    closed: 0,
    settled: 2,
    vex: { author: AUTHOR, version: '1', statements: 1, named: 2, released: 0, kept: 0, unproven: 0, outdated: false },
  });
  expect(warnings).toEqual([]);
  expect(await statuses(admin)).toEqual([
    `shop ${LODASH} false_positive`,
    'shop CVE-2022-0155 open',
    `web ${LODASH} false_positive`,
  ]);
  const { data } = await admin.ok('listFindings', { query: { status: 'false_positive' } });
  const finding = await admin.ok('getFinding', { params: { id: data[0]?.id ?? '' } });
  const reason = `${AUTHOR}: vulnerable_code_not_in_execute_path`;
  expect(finding).toMatchObject({ statusReason: reason, suppressedBy: { name: AUTHOR } });
  const decided = { status: 'false_positive' as const };
  await expect.poll(() => countOf(admin, decided), { timeout: 20_000 }).toBe(2);
  const held = await admin.ok('listFindings', { query: { suppressedBy: finding.suppressedBy?.id ?? '' } });
  expect(held.totalCount).toBe(2);
  const history = await admin.ok('listFindingHistory', { params: { id: finding.id } });
  expect(history[0]).toMatchObject({
    by: { name: 'administrator' },
    reason,
    changes: { status: { to: 'false_positive' } },
  });
  await send(admin, scanOf([lodash]), WEB);
  expect(await statuses(admin)).toContain(`web ${LODASH} false_positive`);
  const { task } = await admin.ok('undoImport', { params: { taskId }, query: soon });
  expect(task?.result).toMatchObject({ released: 2, deleted: 0 });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} open`, 'shop CVE-2022-0155 open', `web ${LODASH} open`]);
});

test('a document that names nothing here answers a warning', async () => {
  const { admin } = await shopWith([lodash]);
  const others = openVex([
    about('CVE-2020-1001', ['pkg:npm/lodash@4.17.20']),
    about(LODASH, ['pkg:npm/lodash@4.17.19', 'pkg:npm/lodash-es@4.17.20', 'pkg:oci/shop', 'https://vendor.example/x']),
  ]);
  const { warnings, result } = await send(admin, others);
  expect(warnings).toEqual([expect.stringMatching(/^None of the 2 statements .* names a finding here/)]);
  expect(result).toMatchObject({ settled: 0, vex: { named: 0 } });
  expect((await send(admin, others, 'https://git.example.com/acme/unknown')).warnings).toHaveLength(1);
  expect(await statuses(admin)).toEqual([`shop ${LODASH} open`]);
});

test('with a target a document decides there alone, on the components of the product and on the product as a whole', async () => {
  const { admin } = await shopWith([lodash], IMAGE);
  await send(admin, scanOf([lodash]), WEB);
  const product = {
    '@id': 'pkg:oci/shop@sha256%3Aabc?repository_url=registry.example/acme',
    subcomponents: [{ '@id': 'pkg:npm/lodash' }],
  };
  const version = openVex([about(LODASH, [product])]);
  expect((await send(admin, version)).result).toMatchObject({ vex: { named: 0 } });
  expect((await send(admin, version, IMAGE)).result).toMatchObject({ settled: 1 });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`, `web ${LODASH} open`]);
  const repository = openVex([about(LODASH, [{ '@id': WEB, subcomponents: [{ '@id': 'pkg:npm/lodash' }] }])]);
  expect((await send(admin, repository)).result).toMatchObject({ settled: 1, vex: { named: 1 } });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`, `web ${LODASH} false_positive`]);
});

test('of a document about two images only the statements about the target count there', async () => {
  const { admin } = await shopWith([lodash], IMAGE);
  const inside = (name: string) => ({
    '@id': `pkg:oci/${name}@sha256%3Aabc?repository_url=mirror.example`,
    subcomponents: [{ '@id': 'pkg:npm/lodash' }],
  });
  const statements = [
    about(LODASH, [inside('shop')]),
    about(LODASH, [inside('web')], { status: 'under_investigation' }),
  ];
  expect((await send(admin, openVex(statements), IMAGE)).result).toMatchObject({ settled: 1 });
});

test('an asset is named as the OpenVEX export names it: an image by its package URL, another one by its id', async () => {
  const { admin } = await shopWith([lodash], IMAGE);
  await send(admin, scanOf([lodash]), WEB);
  const { data } = await admin.ok('listFindings', {});
  const other = data.find(({ asset }) => asset.type !== 'container_image')?.asset.id;
  const image = {
    '@id': 'pkg:oci/shop?repository_url=registry.example/acme/shop',
    subcomponents: [{ '@id': lodash.purl }],
  };
  const web = { '@id': `urn:uuid:${other}`, subcomponents: [{ '@id': lodash.purl }] };
  expect((await send(admin, openVex([about(LODASH, [image, web])]))).result).toMatchObject({ settled: 2 });
});

test('an image without a version, a package without a version and any alias of the vulnerability name a finding', async () => {
  const { admin } = await shopWith([lodash], IMAGE);
  const stated = (ids: string[], more: object) =>
    send(
      admin,
      openVex([about('GHSA-35jh-r3h4-6jhm', ids, { vulnerability: { name: 'x', aliases: [LODASH] } })], more),
    );
  const image = 'pkg:oci/shop?repository_url=registry.example/acme/shop';
  const first = await stated([image], { '@id': 'https://vendor.example/vex/image' });
  expect(first.result).toMatchObject({ settled: 1 });
  await admin.ok('undoImport', { params: { taskId: first.taskId }, query: soon });
  expect((await stated(['pkg:npm/lodash'], { '@id': 'https://vendor.example/vex/p' })).result).toMatchObject({
    settled: 1,
  });
});

test('a later version replaces the former one, also the decisions that it no longer makes; an older one changes nothing', async () => {
  const minimist = { id: 'CVE-2021-44906', purl: 'pkg:npm/minimist@1.2.5' };
  const { admin } = await shopWith([lodash, minimist]);
  const both = [about(LODASH, ['pkg:npm/lodash']), about(minimist.id, ['pkg:npm/minimist'])];
  const first = await send(admin, openVex(both));
  const investigated = [both[0] ?? {}, { ...both[1], status: 'under_investigation' }];
  const later = openVex(investigated, { timestamp: '2026-06-01T00:00:00Z', version: 2 });
  const second = await send(admin, later);
  expect(second.result).toMatchObject({ settled: 1, vex: { named: 2, released: 1, version: '2' } });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`, 'shop CVE-2021-44906 open']);
  const again = await send(admin, openVex(both));
  expect(again.result).toMatchObject({ settled: 0, vex: { outdated: true } });
  expect(again.warnings).toEqual([expect.stringMatching(/^A later version of this VEX document/)]);
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`, 'shop CVE-2021-44906 open']);
  await admin.ok('undoImport', { params: { taskId: first.taskId }, query: soon });
  expect(await statuses(admin)).toContain(`shop ${LODASH} false_positive`);
  await admin.ok('undoImport', { params: { taskId: second.taskId }, query: soon });
  expect(await statuses(admin)).toContain(`shop ${LODASH} open`);
});

test('a decision of a person or a rule stays, and a person decides against a document', async () => {
  const ids = ['CVE-2021-1001', 'CVE-2021-1002', 'CVE-2021-1003'];
  const { admin } = await shopWith(ids.map((id) => ({ ...lodash, id })));
  const byCve = async (cve: string) => (await admin.ok('listFindings', { query: { cve } })).data[0]?.id ?? '';
  const accepted = { status: 'risk_accepted' as const, statusReason: 'planned' };
  await admin.ok('updateFinding', { params: { id: await byCve('CVE-2021-1001') }, body: accepted });
  const rule = { name: 'Old', conditions: { cve: 'CVE-2021-1002' }, status: 'out_of_scope' as const, reason: 'old' };
  await admin.ok('createFindingRule', { body: rule });
  await expect.poll(() => statuses(admin), { timeout: 10_000 }).toContain('shop CVE-2021-1002 out_of_scope');
  const document = openVex(ids.map((id) => about(id, ['pkg:npm/lodash'])));
  expect((await send(admin, document)).result).toMatchObject({ settled: 1, vex: { named: 3, kept: 2 } });
  const decided = { status: 'in_progress' as const };
  await admin.ok('updateFinding', { params: { id: await byCve('CVE-2021-1003') }, body: decided });
  const again = await send(admin, { ...document, timestamp: '2026-06-01T00:00:00Z' });
  expect(again.result).toMatchObject({ settled: 0, vex: { named: 3, kept: 3 } });
  expect(await statuses(admin)).toEqual([
    'shop CVE-2021-1001 risk_accepted',
    'shop CVE-2021-1002 out_of_scope',
    'shop CVE-2021-1003 in_progress',
  ]);
});

test('a rule that is made later leaves what a document settled', async () => {
  const { admin } = await shopWith([lodash, { ...lodash, id: 'CVE-2021-1002' }]);
  await send(admin, openVex([about(LODASH, ['pkg:npm/lodash'])]));
  const rule = { name: 'Old', conditions: { tool: 'scan' }, status: 'out_of_scope' as const, reason: 'old' };
  await admin.ok('createFindingRule', { body: rule });
  await expect
    .poll(() => statuses(admin), { timeout: 10_000 })
    .toEqual(['shop CVE-2021-1002 out_of_scope', `shop ${LODASH} false_positive`]);
});

test('fixed settles the very version that was found, because a scanner compares numbers and knows no backport', async () => {
  const { admin } = await shopWith([lodash]);
  const fixed = (id: string) => about(LODASH, [id], { status: 'fixed', justification: undefined });
  const elsewhere = await send(admin, openVex([fixed('pkg:npm/lodash')]));
  expect(elsewhere.result).toMatchObject({ settled: 0, vex: { named: 1, unproven: 1 } });
  expect(elsewhere.warnings).toEqual([expect.stringMatching(/^1 findings stay open/)]);
  const here = openVex([fixed('pkg:npm/lodash@4.17.20')], { version: 2 });
  expect((await send(admin, here)).result).toMatchObject({ settled: 1 });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`]);
});

test('CycloneDX and CSAF documents settle as OpenVEX does', async () => {
  const { admin } = await shopWith([lodash, { id: 'CVE-2021-1002', purl: 'pkg:npm/minimist@1.2.5' }]);
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { authors: [{ name: AUTHOR }], component: { 'bom-ref': 'app', type: 'application', name: 'shop' } },
    vulnerabilities: [
      { id: LODASH, analysis: { state: 'not_affected', detail: 'unused' }, affects: [{ ref: lodash.purl }] },
    ],
  };
  expect((await send(admin, bom)).result).toMatchObject({ created: 0, settled: 1, vex: { author: AUTHOR } });
  const subject = [{ id: 'CVE-2021-1002', analysis: { state: 'false_positive' }, affects: [{ ref: 'app' }] }];
  expect((await send(admin, { ...bom, vulnerabilities: subject }, SHOP)).result).toMatchObject({
    closed: 0,
    settled: 1,
  });
  const csaf = {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      publisher: { name: 'CERT' },
      tracking: { id: '1', version: '1' },
    },
    product_tree: {
      full_product_names: [{ product_id: 'L', name: 'l', product_identification_helper: { purl: 'pkg:npm/lodash' } }],
    },
    vulnerabilities: [{ cve: LODASH, product_status: { known_not_affected: ['L'] } }],
  };
  expect((await send(admin, csaf)).result).toMatchObject({ settled: 0, vex: { author: 'CERT', kept: 1 } });
  expect(await statuses(admin)).toEqual(['shop CVE-2021-1002 false_positive', `shop ${LODASH} false_positive`]);
});

test('a finding that comes later is settled by the documents that name it, also by one about a target', async () => {
  const { admin } = await system.newOrganization();
  const everywhere = await send(admin, openVex([about(LODASH, [lodash.purl])]));
  expect(everywhere.warnings).toHaveLength(1);
  const minimist = { id: 'CVE-2021-44906', purl: 'pkg:npm/minimist@1.2.5' };
  const subject = { ...about(minimist.id, []), products: undefined };
  await send(admin, openVex([subject]), WEB);
  for (const target of [SHOP, WEB]) await send(admin, scanOf([lodash, minimist]), target);
  expect(await statuses(admin)).toEqual([
    `shop ${LODASH} false_positive`,
    'shop CVE-2021-44906 open',
    `web ${LODASH} false_positive`,
    'web CVE-2021-44906 false_positive',
  ]);
  const { task } = await admin.ok('undoImport', { params: { taskId: everywhere.taskId }, query: soon });
  expect(task?.result).toMatchObject({ released: 2 });
  expect((await statuses(admin)).filter((one) => one.includes('open'))).toHaveLength(3);
});

test('an upgrade to a version that no statement names opens the finding again, one to a named version does not', async () => {
  const at = (version: string) => ({ id: LODASH, purl: `pkg:npm/lodash@${version}` });
  const { admin } = await shopWith([at('4.17.19')]);
  await send(admin, openVex([about(LODASH, [at('4.17.19').purl, at('4.17.20').purl])]));
  expect((await send(admin, scanOf([at('4.17.20')]), SHOP)).result).toMatchObject({ created: 0, updated: 1 });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`]);
  expect((await send(admin, scanOf([at('4.17.18')]), SHOP)).result).toMatchObject({ created: 0, reopened: 1 });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} open`]);
});

test.each(['old-lodash', LODASH])(
  'a finding of the rule %s about several vulnerabilities is settled only where all of them are',
  async (ruleId) => {
    const { admin } = await system.newOrganization();
    const finding = { title: 'Two', severity: 'high', ruleId, cves: [LODASH, 'CVE-2020-8203'] };
    const report = { tool: 'scan', findings: [{ ...finding, component: { name: 'lodash', version: '4.17.15' } }] };
    await send(admin, report, SHOP);
    const one = [about(LODASH, ['pkg:npm/lodash'])];
    expect((await send(admin, openVex(one))).result).toMatchObject({ settled: 0, vex: { named: 1, unproven: 1 } });
    const both = openVex([...one, about('CVE-2020-8203', ['pkg:npm/lodash'])], { version: 2 });
    expect((await send(admin, both)).result).toMatchObject({ settled: 1 });
  },
);

test('an API key that may write findings decides by a document as by a request; one that reads them does not', async () => {
  const { admin, apiKey } = await shopWith([lodash]);
  const document = openVex([about(LODASH, ['pkg:npm/lodash'])]);
  const body = { format: 'openvex', content: JSON.stringify(document) };
  const reader = await apiKey(['findings:read']);
  expect(await reader.call('importFindings', { body })).toMatchObject({ body: { code: 'insufficient_scope' } });
  expect((await send(await apiKey(['findings:read', 'findings:write']), document)).result).toMatchObject({
    settled: 1,
  });
  expect(await statuses(admin)).toEqual([`shop ${LODASH} false_positive`]);
});
