import { createHash } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { DAY_MS, inSeconds, now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { uploadKey, uploadRows } from '#shared/platform/uploads/upload.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const page = { paginateFrom: 0, paginateSize: 100 };

/** Imports a report, and counts how often its file is opened. */
async function ingest(table: Table, submission: Submission) {
  const client = await world.connections.bucket.client();
  const name = newId();
  let readings = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'GetObjectCommand' && /\/report$/.test(Object(args.input).Key)) readings += 1;
        return next(args);
      },
    { step: 'initialize', name },
  );
  const { status, result, error } = await world.ingest(table, submission);
  client.middlewareStack.remove(name);
  return { status, ...result, error, isRead: readings > 0 };
}

async function change(table: Table, changesOf: (finding: StoredFinding) => Partial<StoredFinding>): Promise<void> {
  const [row] = (await table.list(findings, page)).data;
  const finding = await table.get(findings, row?.id ?? '', true);
  const batch = table.batch();
  changeFinding({ table, batch, entity: findings }, finding, { changes: changesOf(finding), at: now() });
  await batch.commit();
}

test('a report that comes again is not read again, also after a person decided on its findings', async () => {
  const table = world.newOrganization();
  const submission = codeScan(sarif(problems(4)));
  expect(await ingest(table, submission)).toMatchObject({ created: 4, isRead: true });
  expect(await ingest(table, submission)).toMatchObject({ unchanged: 4, isRead: false });
  await change(table, (finding) => moveStatus(finding, { to: 'false_positive', at: now(), reason: 'no risk' }));
  expect(await ingest(table, { ...submission, commit: 'c0ffee' })).toMatchObject({ unchanged: 4, isRead: true });
  expect(await ingest(table, { ...submission, commit: 'decaf' })).toMatchObject({ unchanged: 4, isRead: false });
  const all = await allFindings({ connections: world.connections, table });
  expect(all.map(({ occurrences, status }) => [occurrences, status]).toSorted()).toEqual([
    [4, 'false_positive'],
    [4, 'open'],
    [4, 'open'],
    [4, 'open'],
  ]);
  await expectSound(table);
});

test('a report that comes again is read where a finding of it is fixed or deleted, and where another report came between', async () => {
  const table = world.newOrganization();
  const submission = codeScan(sarif(problems(4)));
  await ingest(table, submission);
  await change(table, (finding) => moveStatus(finding, { to: 'fixed', at: now() }));
  expect(await ingest(table, submission)).toMatchObject({ reopened: 1, unchanged: 3, isRead: true });
  expect(await ingest(table, submission)).toMatchObject({ unchanged: 4, isRead: false });
  expect(await ingest(table, codeScan(sarif(problems(3))))).toMatchObject({ closed: 1, unchanged: 3, isRead: true });
  expect(await ingest(table, submission)).toMatchObject({ reopened: 1, unchanged: 3, isRead: true });
  await expectSound(table);
});

test('a report that comes again names the assets as they are called now', async () => {
  const table = world.newOrganization();
  const found = sarif(problems(2));
  await ingest(table, codeScan(found, { target: repository('web') }));
  await ingest(table, codeScan(sarif(problems(1, 9))));
  const { data } = await table.list(assets, page);
  const idOf = (name: string) => data.find(({ value }) => value.endsWith(name))?.id ?? '';
  await queueMerge({ connections: world.connections, table }, { assetId: idOf('web'), intoId: idOf('api') });
  await world.drain();
  expect(await ingest(table, codeScan(found, { target: repository('web') }))).toMatchObject({
    created: 0,
    isRead: true,
  });
  const all = await allFindings({ connections: world.connections, table });
  expect(new Set(all.map(({ asset }) => asset.id))).toEqual(new Set([idOf('api')]));
  await expectSound(table);
});

test('a large report with an inventory that comes again is taken as it was read, in any number of messages', async () => {
  const table = world.newOrganization();
  const hosts = Array.from({ length: 21 }, (_, n) => ({
    address: `10.0.0.${n + 1}`,
    ports: Array.from({ length: 100 }, (_port, port) => port + 1),
  }));
  const submission = networkScan(nmap(hosts));
  expect(await ingest(table, submission)).toMatchObject({ created: 2100, isRead: true });
  const before = await allFindings({ connections: world.connections, table });
  let time = nowMs();
  setClock(() => {
    time += 13_000;
    return time;
  });
  expect(await ingest(table, submission)).toMatchObject({ created: 0, unchanged: 2100, isRead: false });
  const after = await allFindings({ connections: world.connections, table });
  expect(after.map(({ occurrences }) => occurrences)).toEqual(before.map(() => 2));
  const services = async () => {
    const { data } = await table.list(assets, page);
    const all = await Promise.all(data.map(({ id }) => table.get(assets, id, true)));
    return all.map((asset) => asset.services?.length).toSorted();
  };
  const one = nmap([{ address: '10.0.0.1', ports: [1] }]);
  await world.ingest(table, networkScan(one, { target: { type: 'host', value: '10.0.0.1' } }));
  expect(await services()).toEqual([1, ...hosts.slice(1).map(() => 100)]);
  expect(await ingest(table, submission)).toMatchObject({ unchanged: 2100, isRead: false });
  expect(await services()).toEqual(hosts.map(() => 100));
  await expectSound(table);
});

test('a report that comes again shows that its assets are still there', async () => {
  const table = world.newOrganization();
  const submission = codeScan(sarif(problems(2)));
  await ingest(table, submission);
  const later = nowMs() + 3 * DAY_MS;
  setClock(() => later);
  expect(await ingest(table, submission)).toMatchObject({ unchanged: 2, isRead: false });
  const [asset] = (await table.list(assets, page)).data;
  expect(asset?.lastSeenAt).toBe(new Date(later).toISOString());
});

test('a report that comes again from another sender has the findings that this sender may report', async () => {
  const table = world.newOrganization();
  const hosts = ['10.0.0.1', '10.9.0.1'].map((address) => ({ address, ports: [80] }));
  const submission = networkScan(nmap(hosts));
  expect(await ingest(table, submission)).toMatchObject({ created: 1, rejectedCount: 1 });
  expect(await ingest(table, { ...submission, source: 'import' })).toMatchObject({ created: 1, isRead: true });
});

test('a report on a branch that comes again is compared with the default branch as it is known now', async () => {
  const table = world.newOrganization();
  const submission = codeScan(sarif(problems(3)), { ref: 'feature' });
  const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  expect(await ingest(table, submission)).toMatchObject({ created: 3, defaultUnknown: true });
  await ingest(table, codeScan(sarif(problems(3))));
  expect(await ingest(table, submission)).toMatchObject({ comparison: { baseRef: 'main', new: none } });
  await expectSound(table);
});

test('an upload with other bytes than declared is refused, also where the last report had the declared bytes', async () => {
  const table = world.newOrganization();
  const report = Buffer.from(sarif(problems(2100)));
  const other = Buffer.from(report.toString().replaceAll('file-', 'code-'));
  const upload = async (bytes: Buffer, declared: Buffer) => {
    const id = newId();
    const checksum = createHash('sha256').update(declared).digest('base64');
    const key = uploadKey(table.organizationId, id);
    const times = { createdAt: now(), expiresAt: inSeconds(3_600) };
    await table.rows(uploadRows).put({ id, owner: table.actor.id, size: declared.length, checksum, key, ...times });
    await world.connections.bucket.put(key, bytes);
    return codeScan('', { report: { uploadId: id } });
  };
  expect(await ingest(table, await upload(report, report))).toMatchObject({ created: 2100 });
  expect(await ingest(table, await upload(other, report))).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_report' },
  });
  expect(await ingest(table, await upload(report, report))).toMatchObject({ unchanged: 2100 });
});
