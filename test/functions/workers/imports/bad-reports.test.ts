import { gzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { acceptReport } from '#shared/ingest/accept.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { bigAsText, injectFaults } from '../../../support/faults.ts';
import { contents } from './expectations.ts';
import { codeScan, networkScan, nmap, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const good = sarif(problems(3));

/** Keys of all rows of an organization. */
async function keys({ dynamo, tenant }: Table): Promise<string[]> {
  const { Items = [] } = await dynamo.client.send(
    new ScanCommand({ TableName: dynamo.tableName, ConsistentRead: true }),
  );
  return Items.map(({ pk, sk }) => `${pk} ${sk}`).filter((key) => key.startsWith(tenant));
}

describe('a problem that shows at once is refused, and nothing is kept', () => {
  const cases: [string, Partial<Submission>, string][] = [
    ['an unknown format', { format: 'word' }, 'unsupported_format'],
    ['a text that shows no format', { format: 'auto', report: { content: 'hello' } }, 'unsupported_format'],
    ['what is not base64', { report: { content: '!!!', encoding: 'base64' } }, 'validation_failed'],
    ['what is not gzip', { report: { content: 'aGVsbG8=', encoding: 'gzip+base64' } }, 'validation_failed'],
    [
      'a gzip bomb',
      { report: { content: gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64'), encoding: 'gzip+base64' } },
      'payload_too_large',
    ],
    ['an upload that does not exist', { report: { uploadId: '01900000-0000-7000-8000-000000000000' } }, 'not_found'],
  ];
  test.each(cases)('%s', async (_name, more, code) => {
    const table = world.newOrganization();
    await expect(acceptReport({ connections: world.connections, table }, codeScan(good, more))).rejects.toMatchObject({
      code,
    });
    expect(await keys(table)).toEqual([]);
    expect(world.messages).toEqual([]);
  });

  test.each(['', ' \n '])('an empty report (%j), and how a tool that found nothing says so', async (content) => {
    const submission = codeScan(content, { format: 'nuclei' });
    await expect(
      acceptReport({ connections: world.connections, table: world.newOrganization() }, submission),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('for Nuclei send [] or use -json-export'),
    });
  });
});

describe('a problem that shows only in reading fails the task, says why, and changes nothing', () => {
  const entity = `<?xml version="1.0"?><!DOCTYPE nmaprun [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><nmaprun>&b;</nmaprun>`;
  const external = `<?xml version="1.0"?><!DOCTYPE nmaprun [<!ENTITY a SYSTEM "file:///etc/passwd">]><nmaprun>&a;</nmaprun>`;
  const host = [{ address: '10.0.0.5', ports: [80] }];
  const invalid = JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'x' } }, results: [1, 'two', null] }],
  });
  const cases: [string, Submission, string][] = [
    ['a truncated SARIF', codeScan(good.slice(0, -30)), 'truncated_report'],
    ['a report of another format', codeScan(nmap(host)), 'unsupported_format'],
    ['a report whose every entry is invalid', codeScan(invalid), 'invalid_report'],
    ['an XML that expands entities', networkScan(entity), 'unsafe_xml'],
    ['an XML that reads files', networkScan(external), 'unsafe_xml'],
    ['an Nmap report that was stopped', networkScan(nmap(host, { finished: false })), 'truncated_report'],
    ['a large report that breaks off at its end', codeScan(sarif(problems(1200)).slice(0, -3)), 'truncated_report'],
  ];
  test.each(cases)('%s', async (_name, submission, code) => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(good));
    const before = await contents({ connections: world.connections, table });
    const task = await world.ingest(table, submission);
    expect(task).toMatchObject({ status: 'failed', error: { code } });
    expect(task.result).toBeUndefined();
    expect(await contents({ connections: world.connections, table })).toEqual(before);
  });

  test('the next report of the scope is worked as if the bad one had never come', async () => {
    const table = world.newOrganization();
    await world.accept(table, codeScan(good.slice(0, -30)));
    const task = await world.ingest(table, codeScan(good));
    expect(task.result).toMatchObject({ created: 3 });
  });
});

test('a report with a finding that no record can hold fails at once with the reason, and holds up no other', async () => {
  const table = world.newOrganization();
  const { dynamo } = world.connections;
  const tooLarge = Object.assign(new Error('Item size has exceeded the maximum allowed size'), {
    name: 'ValidationException',
  });
  const end = injectFaults(dynamo, {
    random: () => 1,
    before: (command, input) => {
      if (command.startsWith('Transact') && JSON.stringify(input, bigAsText).includes('#finding#u#')) throw tooLarge;
    },
  });
  const id = await world.accept(table, codeScan(sarif(problems(1))));
  expect(await world.deliver()).toBe(true);
  end();
  expect(await world.task(table, id)).toMatchObject({ status: 'failed', error: { code: 'payload_too_large' } });
  expect((await world.ingest(table, codeScan(sarif(problems(2))))).status).toBe('succeeded');
});
