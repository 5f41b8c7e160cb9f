import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const bucket = {
  title: 'Buckets block public access: shop-images',
  description: expect.stringContaining('Bucket shop-images is public.\n\nChecks for public buckets.'),
  severity: 'high',
  ruleId: 's3_bucket_public_access',
  cves: [],
  cwes: [],
  asset: { type: 'cloud_account', value: '000000000001' },
  location: { path: 'arn:aws:s3:::shop-images' },
  evidence: [],
  references: ['https://docs.example.test/s3', 'https://docs.example.test/block'],
  remediation: 'Block public access.',
  tags: ['eu-west-1', 'aws', 's3', 'AwsS3Bucket'],
  identity: ['s3_bucket_public_access', 'eu-west-1', 'arn:aws:s3:::shop-images'],
};

test.each([
  ['v4.csv', 'high'],
  ['v3.json', 'high'],
  ['v4.ocsf.json', 'High'],
  ['v3.ocsf.json', 'High'],
])(
  '%s: a failed check is one finding, the same in each, also a muted one; passed and manual ones are none',
  async (file, toolSeverity) => {
    const events = await eventsOf('auto', fixture(`prowler/${file}`));
    const found = findingsOf(events);
    expect(found.filter(({ muted }) => !muted)).toEqual([{ ...bucket, toolSeverity }]);
    expect(found.filter(({ muted }) => muted)).toHaveLength(found.length - 1);
    expect(events.at(-1)).toMatchObject({ kind: 'covered', target: bucket.asset, outcome: 'reached' });
  },
);

test('version 2 names the resource, or has it in its text alone beside days that change', async () => {
  const [ann] = findingsOf(await eventsOf('auto', fixture('prowler/v2.jsonl')));
  expect(ann).toMatchObject({
    title: 'Ensure MFA is enabled: ann',
    ruleId: 'check12',
    identity: ['check12', 'us-east-1', 'ann'],
  });
  const identities = async (csv: string) => findingsOf(await eventsOf('auto', csv)).map(({ identity }) => identity);
  const csv = fixture('prowler/v2.csv').toString();
  const users = await identities(csv);
  expect(new Set(users.map(String)).size).toBe(2);
  expect(await identities(csv.replace('since 12 days', 'since 13 days'))).toEqual(users);
});

test('an account in which every check passes is named, so that its findings end', async () => {
  const passed = fixture('prowler/v3.json').toString().replace('"FAIL"', '"PASS"');
  expect((await eventsOf('auto', passed)).map(({ kind }) => kind)).toEqual(['tool', 'covered']);
});

test('an entry without a check is rejected', async () => {
  const events = await eventsOf('prowler', '[{"Status":"FAIL"},{"finding_info":{},"status_code":"FAIL"}]');
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'rejected']);
});

test('what Prowler copies from its checks into the report names no other tool', async () => {
  const report = JSON.parse(fixture('prowler/v4.ocsf.json').toString());
  report[0].unmapped.check_type = 'Software and Configuration Checks';
  const found = findingsOf(await eventsOf('auto', JSON.stringify(report)));
  expect(found.filter(({ muted }) => !muted)).toHaveLength(1);
});

test('an entry of an unknown status is rejected, so that the report closes nothing', async () => {
  const entry = { CheckID: 'c', CheckTitle: 't' };
  const sent = ['PASS', 'MANUAL', 'MUTED', 'INFO', 'New'].map((Status) => ({ ...entry, Status }));
  const events = await eventsOf('prowler', JSON.stringify(sent));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected']);
});
