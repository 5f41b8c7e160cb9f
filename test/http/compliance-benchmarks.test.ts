import { expect, test } from 'vitest';
import {
  checkov,
  imported,
  kubeBench,
  kubescape,
  prowler,
  SHOP,
  securityHub,
  statusesOf,
} from '../support/compliance.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('a benchmark shows passed and failed checks, and no manual ones', async () => {
  const { admin } = await system.newOrganization();
  const cluster = { target: { type: 'application', value: 'cluster-1' } };
  await imported(admin, kubeBench({ '1.2.1': 'PASS', '1.2.2': 'FAIL', '1.2.3': 'WARN' }), cluster);
  const ids = ['1.2.1', '1.2.2', '1.2.3', '1.2.4'].map((number) => `cis-kubernetes-1.8:${number}`);
  expect(await statusesOf(admin, ids)).toEqual(['passed', 'failed', 'notAssessed', 'notAssessed']);
  expect(await statusesOf(admin, ['cis-kubernetes-1.10:1.2.2'])).toEqual(['notAssessed']);
  const evidence = await admin.ok('getControl', { params: { controlId: 'cis-kubernetes-1.8:1.2.2' } });
  expect(evidence).toMatchObject({
    findingsCount: 1,
    findings: [{ ruleId: '1.2.2' }],
    looks: [{ asset: { name: 'cluster-1' } }],
  });
  await imported(admin, kubeBench({ '1.2.1': 'FAIL', '1.2.2': 'PASS', '1.2.3': 'PASS' }), cluster);
  expect(await statusesOf(admin, ids)).toEqual(['failed', 'passed', 'passed', 'notAssessed']);
});

test('the checks of Prowler count for its accounts, each control by all of its checks', async () => {
  const { admin } = await system.newOrganization();
  const block = ['s3_bucket_level_public_access_block', 's3_account_level_public_access_blocks'] as const;
  const first = { check: block[0], status: 'PASS' } as const;
  await imported(admin, prowler([first, { check: 'iam_no_root_access_key', status: 'FAIL' }]), {});
  const ids = ['2.1.4', '1.4', '5.3'].map((number) => `cis-aws-3.0.0:${number}`);
  expect(await statusesOf(admin, ids)).toEqual(['notAssessed', 'failed', 'notAssessed']);
  await imported(admin, prowler([first, { check: block[1], status: 'PASS' }]), {});
  expect(await statusesOf(admin, ids)).toEqual(['passed', 'failed', 'notAssessed']);
  const [account] = (await admin.ok('listAssets', {})).data;
  expect(account?.looks).toMatchObject([
    { tool: 'Prowler', passed: { benchmark: 'aws-3.0', checks: ['2.1.4a', '2.1.4b'] } },
  ]);
});

test('a check that Prowler was told to be silent about is accepted and not passed, until Prowler shows it again', async () => {
  const { admin } = await system.newOrganization();
  const check = (muted: boolean) => prowler([{ check: 'iam_no_root_access_key', status: 'FAIL', muted }]);
  const theOnly = async () => {
    const { data } = await admin.ok('listFindings', {});
    expect(data).toHaveLength(1);
    return { id: data[0]?.id ?? '' };
  };
  for (const [muted, status, statusReason] of [
    [true, 'risk_accepted', 'Muted in Prowler.'],
    [false, 'open', 'No longer muted in Prowler.'],
    [true, 'risk_accepted', 'Muted in Prowler.'],
  ] as const) {
    await imported(admin, check(muted), {});
    expect(await admin.ok('getFinding', { params: await theOnly() })).toMatchObject({ status, statusReason });
    expect(await statusesOf(admin, ['cis-aws-3.0.0:1.4'])).toEqual(['failed']);
  }
  const params = await theOnly();
  await admin.ok('updateFinding', {
    params,
    body: { status: 'risk_accepted', statusReason: 'The board agrees.' } as never,
  });
  await imported(admin, check(false), {});
  expect(await admin.ok('getFinding', { params })).toMatchObject({ status: 'risk_accepted' });
});

test('controls of Security Hub count for the benchmark of AWS, not where there was no resource to look at', async () => {
  const { admin } = await system.newOrganization();
  const target = { type: 'cloud_account', value: '111122223333' };
  const hub = securityHub([
    { requirement: '1.5', status: 'PASSED' },
    { requirement: '1.12', status: 'PASSED', isConsolidated: false },
    { requirement: '1.4', status: 'FAILED' },
    { requirement: '1.6', status: 'FAILED', isConsolidated: false },
    { requirement: '2.1.4', status: 'PASSED' },
    { requirement: '2.3.3', status: 'PASSED', reason: 'CONFIG_EVALUATIONS_EMPTY' },
    { requirement: '3.1', status: 'PASSED', account: '999999999999' },
  ]);
  await imported(admin, hub, { target });
  const ids = ['1.5', '1.12', '1.4', '1.6', '2.1.4', '2.3.3', '3.1'].map((number) => `cis-aws-3.0.0:${number}`);
  expect(await statusesOf(admin, ids)).toEqual([
    ...['passed', 'passed', 'failed', 'failed', 'notAssessed', 'notAssessed', 'notAssessed'],
  ]);
});

test('the controls of Kubescape count for the benchmark like the controls of kube-bench', async () => {
  const { admin } = await system.newOrganization();
  const cluster = { target: { type: 'application', value: 'cluster-1' } };
  await imported(admin, kubescape({ 'C-0193': 'passed', 'C-0041': 'failed', 'C-0057': 'passed' }), cluster);
  const ids = ['5.2.2', '5.2.5', '5.2.1'].map((number) => `cis-kubernetes-1.10:${number}`);
  expect(await statusesOf(admin, ids)).toEqual(['passed', 'failed', 'notAssessed']);
});

test('code of infrastructure is assessed where code is asked for, and proves nothing of the accounts that run', async () => {
  const { admin } = await system.newOrganization();
  await imported(admin, prowler([{ check: 'cloudtrail_multi_region_enabled', status: 'PASS' }]), {});
  const code = checkov({ passed: ['CKV_AWS_79', 'CKV_AWS_67'], failed: ['CKV_AWS_17', 'CKV_AWS_1'] });
  await imported(admin, code, SHOP);
  const ids = ['5.6', '3.1', '2.3.3'].map((number) => `cis-aws-3.0.0:${number}`);
  expect(await statusesOf(admin, ids)).toEqual(['notAssessed', 'passed', 'failed']);
  expect(await statusesOf(admin, ids, { assetType: 'repository' })).toEqual(['passed', 'passed', 'failed']);
  expect(await statusesOf(admin, ids, { assetType: 'cloud_account' })).toEqual([
    'notAssessed',
    'passed',
    'notAssessed',
  ]);
  const read = (controlId: string) => admin.ok('getControl', { params: { controlId } });
  expect(await read('cis-aws-3.0.0:5.6')).toMatchObject({
    criteria: [{ kind: 'check', name: '5.6', passedOn: 0, passedInCode: 1 }],
    looks: [{ asset: { type: 'repository' }, looks: [{ tool: 'checkov', passed: { checks: ['5.6', '3.1'] } }] }, {}],
  });
  expect(await read('cis-aws-3.0.0:2.3.3')).toMatchObject({ findings: [{ ruleId: 'CKV_AWS_17' }], findingsCount: 1 });
  const listed = await admin.ok('listFindings', { query: { check: 'aws-3.0:2.3.3,aws-3.0:2.3.1' } as never });
  expect(listed.data.map(({ ruleId }) => ruleId)).toEqual(['CKV_AWS_17']);
  expect(await admin.call('listFindings', { query: { check: '2.3.3' } as never })).toMatchObject({ status: 400 });
  const hardening = await admin.ok('listFindings', { query: { weakness: 'code_hardening' } });
  expect(hardening.totalCount).toBe(2);
});

test('controls of Security Hub in OCSF count for the account that the import names', async () => {
  const { admin } = await system.newOrganization();
  const account = '111122223333';
  const control = (id: string, status: 'Pass' | 'Fail') => ({
    class_uid: 2003,
    activity_id: 1,
    severity_id: 4,
    finding_info: { uid: id, title: id },
    metadata: { product: { name: 'Security Hub', vendor_name: 'AWS' } },
    cloud: { account: { uid: account } },
    compliance: { control: id, status, standards: ['standards/aws-foundational-security-best-practices/v/1.0.0'] },
  });
  const report = JSON.stringify([control('EC2.8', 'Pass'), control('IAM.4', 'Fail'), control('S3.8', 'Pass')]);
  await imported(admin, report, { target: { type: 'cloud_account', value: account } });
  const ids = ['5.6', '1.4', '2.1.4'].map((number) => `cis-aws-3.0.0:${number}`);
  expect(await statusesOf(admin, ids)).toEqual(['passed', 'failed', 'notAssessed']);
});
