import { expect, test } from 'vitest';
import type { ReportEvent } from '#shared/reports/report/report.ts';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf } from './reading.ts';

const inventoriesOf = (events: readonly ReportEvent[]) =>
  events.flatMap((event) => (event.kind === 'inventory' ? [event.inventory] : []));
const read = async (file: string) => inventoriesOf(await eventsOf('auto', fixture(file)));

test('AWS Config: a resource is known by its ARN, with its account, region, tags and addresses; a deleted one is none', async () => {
  const [instance, bucket, ...others] = await read('aws-config/snapshot.json');
  const value = 'arn:aws:ec2:eu-west-1:000000000001:instance/i-0a1b2c3d4e5f60718';
  expect(instance).toEqual({
    asset: { type: 'cloud_resource', value },
    facts: {
      name: 'shop-1',
      identifiers: {
        ips: ['10.0.0.7', '192.0.2.7'],
        macs: ['02:00:5e:00:53:07'],
        fqdns: ['ip-10-0-0-7.eu-west-1.compute.internal'],
        cloudResourceId: value,
      },
      cloud: {
        provider: 'aws',
        accountId: '000000000001',
        region: 'eu-west-1',
        resourceId: 'i-0a1b2c3d4e5f60718',
        tags: { Name: 'shop-1', team: 'shop' },
      },
      internetExposed: true,
    },
  });
  expect(bucket).toMatchObject({ asset: { value: 'arn:aws:s3:::shop-files' }, facts: { name: 'shop-files' } });
  expect(others).toEqual([]);
});

test('AWS Config: a history has the configuration as a text, and other names', async () => {
  const item = {
    resourceType: 'AWS::EC2::Instance',
    resourceId: 'i-1',
    accountId: '1',
    awsRegion: 'eu-west-1',
    configuration: '{"privateIpAddress": "10.0.0.9"}',
  };
  const events = await eventsOf('auto', JSON.stringify({ configurationItems: [item, { resourceType: 'x' }] }));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'inventory', 'incomplete']);
  expect(inventoriesOf(events)).toMatchObject([
    {
      asset: { value: 'aws:1:eu-west-1:AWS::EC2::Instance:i-1' },
      facts: { identifiers: { ips: ['10.0.0.9'] }, cloud: { accountId: '1' } },
    },
  ]);
});

test('Azure: a resource is known by its id in lower case, a machine with its system', async () => {
  const [machine, address] = await read('azure-resource-graph/query.json');
  const group = '/subscriptions/00000000-0000-4000-8000-000000000001/resourcegroups/shop/providers';
  expect(machine).toMatchObject({
    asset: { type: 'cloud_resource', value: `${group}/microsoft.compute/virtualmachines/shop-1` },
    os: { family: 'linux', name: 'ubuntu', version: '24.04' },
    facts: {
      name: 'shop-1',
      identifiers: { hostnames: ['shop-1'] },
      cloud: { region: 'westeurope', tags: { team: 'shop' } },
    },
  });
  expect(address).toMatchObject({ facts: { identifiers: { ips: ['192.0.2.9'] } } });
  const { data } = JSON.parse(fixture('azure-resource-graph/query.json').toString());
  expect(inventoriesOf(await eventsOf('auto', JSON.stringify(data)))).toHaveLength(2);
});

test('GCP: a resource is known by its full name, with its project and what the internet reaches', async () => {
  const [machine, bucket] = await read('gcp-assets/export.jsonl');
  expect(machine).toMatchObject({
    asset: {
      type: 'cloud_resource',
      value: '//compute.googleapis.com/projects/shop-1/zones/europe-west1-b/instances/shop',
    },
    facts: {
      name: 'shop',
      identifiers: { ips: ['10.0.0.7', '192.0.2.8'] },
      cloud: {
        provider: 'gcp',
        accountId: 'shop-1',
        region: 'europe-west1-b',
        resourceId: '1234567890',
        tags: { team: 'shop' },
      },
      internetExposed: true,
    },
  });
  expect(bucket?.facts?.internetExposed).toBeUndefined();
  expect(await read('gcp-assets/list.json')).toMatchObject([{ facts: { name: 'shop' } }]);
});

test('OCSF: a device with its cards, the software of events about it, and a resource of a cloud', async () => {
  const [device, resource] = await read('ocsf-inventory/events.jsonl');
  expect(device).toEqual({
    asset: { type: 'host', value: 'laptop-7.example.test' },
    os: { family: 'windows', name: 'Windows 11', version: '10.0.26100' },
    software: [{ name: 'Example Reader', version: '24.1', vendor: 'Example', purl: null }],
    facts: {
      name: 'LAPTOP-7',
      identifiers: {
        ips: ['10.0.0.17', '10.0.1.17'],
        macs: ['00:00:5e:00:53:17', '00:00:5e:00:53:18'],
        hostnames: ['LAPTOP-7.example.test'],
        agentId: 'edr-17',
        serialNumber: 'SN17',
      },
    },
  });
  expect(resource).toMatchObject({
    asset: { type: 'cloud_resource', value: 'arn:aws:s3:::shop-files' },
    facts: { cloud: { provider: 'aws', accountId: '000000000001', region: 'eu-west-1', tags: { team: 'shop' } } },
  });
});
