import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeScan, networkScan, nmap, problems, sarif } from './reports.ts';
import { redriven, startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

/** The objects of an organization: those of tasks by their names, those of scopes and inventories as such. */
async function objects({ organizationId }: Table): Promise<string[]> {
  const { bucket } = world.connections;
  const client = await bucket.client();
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket.name }));
  const keys = Contents.flatMap(({ Key = '' }) => (Key.includes(organizationId) ? [Key] : []));
  return keys
    .map((key) => (key.endsWith('.rows') ? 'rows' : key.replace(/.*\/scopes\/.*\/reading$/, 'reading')))
    .map((key) => (/\/(scopes|inventory-seen|inventories)\//.exec(key)?.[1] ?? key.split('/').at(-1)) || key)
    .sort();
}

/** The files of an import that are asked for later: by who undoes it, by gates, and by older reports that are worked later. */
const KEPT = ['compared.json', 'proof.json', 'report', 'submission.json'];

const hostsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    address: `10.0.0.${n + 1}`,
    ports: Array.from({ length: 100 }, (_port, port) => port + 1),
  }));

describe('an import leaves in the bucket only what is asked for later', () => {
  test('of one report after another the newest sightings alone', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(3))));
    expect(await objects(table)).toEqual([...KEPT, 'reading', 'rows', 'scopes'].sort());
    await world.ingest(table, codeScan(sarif(problems(2))));
    expect(await objects(table)).toEqual([...KEPT, ...KEPT, 'closed.json', 'reading', 'rows', 'scopes'].sort());
  });

  test('of a large report with an inventory, whichever messages it took, no part of it', async () => {
    const table = world.newOrganization();
    let time = nowMs();
    setClock(() => {
      time += 5_000;
      return time;
    });
    expect((await world.ingest(table, networkScan(nmap(hostsOf(21))))).result).toMatchObject({ created: 2100 });
    const left = await objects(table);
    expect(left.filter((name) => /^(chunk|seen|rows-|tally|inventory$)/.test(name))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining([...KEPT, 'looked.json', 'told.json']));
  });

  test('of a large report that breaks off nothing but the report', async () => {
    const table = world.newOrganization();
    const { status } = await world.ingest(table, networkScan(nmap(hostsOf(23), { finished: false })));
    expect([status, await objects(table)]).toEqual(['failed', ['submission.json']]);
  });

  test('of a closing that was held back its list until it is confirmed, or a later report takes its place', async () => {
    const [confirmed, replaced] = [world.newOrganization(), world.newOrganization()];
    for (const table of [confirmed, replaced]) {
      await world.ingest(table, codeScan(sarif(problems(30))));
      const held = await world.ingest(table, codeScan(sarif(problems(5))));
      expect((await objects(table)).filter((name) => name === 'held')).toEqual(['held']);
      if (table === replaced) await world.ingest(table, codeScan(sarif(problems(30))));
      else await confirmHeld({ connections: world.connections, table }, held.id);
      await world.drain();
      const left = await objects(table);
      expect([left.includes('held'), left.filter((name) => name === 'scopes')]).toEqual([false, ['scopes']]);
    }
  });

  test('of one that is undone no notes of what it changed, and one state of its scope', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(3))));
    const { id } = await world.ingest(table, codeScan(sarif(problems(2))));
    await queueUndo({ connections: world.connections, table }, id);
    await world.drain();
    const left = await objects(table);
    expect(left.filter((name) => ['closed.json', 'reopened.json', 'held'].includes(name))).toEqual([]);
    expect(left.filter((name) => ['scopes', 'proof.json'].includes(name))).toEqual(['proof.json', 'scopes']);
  });
});

describe('the record of an import', () => {
  const recordOf = (table: Table, taskId: string) =>
    table.findUnique(importedReports, { field: 'task', value: taskId }, true);
  const together = (reports: readonly string[]): string =>
    JSON.stringify({ version: '2.1.0', runs: reports.flatMap((one) => JSON.parse(one).runs) });

  test('names each tool once, and ten at most', async () => {
    const table = world.newOrganization();
    const run = (tool: string, n: number) => sarif(problems(1, n), { tool, automation: `${tool} ${n}` });
    const twice = await world.ingest(table, codeScan(together([run('a', 0), run('b', 1), run('a', 2)])));
    expect((await recordOf(table, twice.id))?.tools).toEqual(['a', 'b']);
    const names = Array.from({ length: 12 }, (_, n) => `tool-${n}`);
    const many = await world.ingest(table, codeScan(together(names.map(run))));
    expect((await recordOf(table, many.id))?.tools).toEqual(names.slice(0, 10));
  });

  test('says why it failed for good, and how it ended once its message came again', async () => {
    const table = world.newOrganization();
    const id = await world.accept(table, codeScan(sarif(problems(3))));
    const message = world.messages[0];
    if (!message) throw new Error('no message');
    const { bucket } = world.connections;
    const { put } = bucket;
    bucket.put = async () => Promise.reject(new Error('the bucket is full'));
    while (message.received < 5) await world.deliver();
    bucket.put = put;
    world.messages.length = 0;
    const failed = { status: 'failed', error: { code: 'dead_lettered' }, counts: { created: 0 } };
    expect(await recordOf(table, id)).toMatchObject(failed);
    Object.assign(message, redriven());
    await world.deliver(message);
    await world.drain();
    expect(await recordOf(table, id)).toMatchObject({ status: 'succeeded', error: null, counts: { created: 3 } });
  });
});
