import { afterAll, expect, test } from 'vitest';
import { takeReports } from '#shared/ingest/take-reports.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { allFindings } from './expectations.ts';
import { codeScan, networkScan, nmap, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

test.each([
  ['content and an upload', { content: sarif(problems(2)), uploadId: newId() }],
  ['neither content nor an upload', {}],
  ['an unknown format', { content: 'x', format: 'word' }],
])('a report of a machine with %s is refused, and those before it count', async (_name, wrong) => {
  const table = world.newOrganization();
  const { connections } = world;
  const ids = [newId(), newId(), newId()];
  const told = { format: 'sarif', encoding: 'utf8' } as const;
  const good = { ...told, content: sarif(problems(1)) };
  const { report: _report, format: _format, ...scan } = codeScan('');
  const taken = await takeReports(
    { connections, table, owner: table },
    { reports: [good, { ...told, ...wrong }, good], scanOf: () => scan, idOf: (n) => ids[n] ?? '' },
  );
  expect(taken).toMatchObject({ ingestTaskIds: ids.slice(0, 1), refusal: { message: expect.any(String) } });
  await world.drain();
  expect(await allFindings({ connections, table })).toHaveLength(1);
});

test('a report that tells of services alone counts, although its findings lie outside the target of the scan', async () => {
  const table = world.newOrganization();
  const outside = networkScan(nmap([{ address: '192.0.2.1', ports: [80] }]));
  expect(await world.ingest(table, outside)).toMatchObject({
    status: 'succeeded',
    result: { created: 0, rejectedCount: 1 },
  });
});
