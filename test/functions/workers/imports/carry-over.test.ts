import { afterAll, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { allSeen, packState, unpackState } from '#shared/findings/view/scan-state.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, type Problem, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const reversed = (text: string) => Buffer.from(text, 'base64url').reverse().toString('base64url');

const aged = <T extends Pick<StoredFinding, 'fingerprint' | 'contentHash'>>(one: T): T => ({
  ...one,
  fingerprint: reversed(one.fingerprint),
  contentHash: reversed(one.contentHash),
});

/** Gives the findings and the states of an organization the identities that another release would have computed. */
async function age(table: Table, before: (finding: StoredFinding) => Partial<StoredFinding>): Promise<void> {
  const { bucket } = world.connections;
  const scopes = new Set<string>();
  for (const { id } of await allFindings({ connections: world.connections, table })) {
    const one = await table.get(findings, id, true);
    scopes.add(one.scope);
    const batch = table.batch();
    batch.update(findings, one, table.changed(one, aged({ ...one, ...before(one) })));
    await batch.commit();
  }
  for (const id of scopes) {
    const { stateKey = '' } = await readScope(table, id);
    const seen = [...allSeen(unpackState(await bucket.get(stateKey)))];
    await bucket.put(stateKey, packState(seen.map(aged), 1));
  }
}

const onBuildMachine = ({ locationDetail }: StoredFinding): Partial<StoredFinding> => ({
  locationDetail: { ...locationDetail, path: `/home/runner/work/shop/shop/${locationDetail?.path}` },
});

const byFile = async (table: Table) => {
  const all = await allFindings({ connections: world.connections, table });
  return Object.fromEntries(all.map(({ id, status, locationDetail }) => [locationDetail?.path, { id, status }]));
};

const report = (...found: Problem[]) => codeScan(sarif(found));
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ rule: 'r', file: `src/${name}.ts` })) as [
  Problem,
  Problem,
  Problem,
  Problem,
];

test('findings whose identity another release computed keep their ids and decisions', async () => {
  const table = world.newOrganization();
  await world.ingest(table, report(a, b, c));
  const before = await byFile(table);
  await age(table, (one) => ({
    ...onBuildMachine(one),
    ...(one.id === before['src/a.ts']?.id && { status: 'false_positive' }),
  }));
  const { result } = await world.ingest(table, report(a, b, d));
  expect(result).toMatchObject({ created: 1, closed: 1 });
  expect(await byFile(table)).toEqual({
    'src/a.ts': { id: before['src/a.ts']?.id, status: 'false_positive' },
    'src/b.ts': { id: before['src/b.ts']?.id, status: 'open' },
    '/home/runner/work/shop/shop/src/c.ts': { id: before['src/c.ts']?.id, status: 'fixed' },
    'src/d.ts': { id: expect.any(String), status: 'open' },
  });
  expect((await world.ingest(table, report(a, b, d))).result).toMatchObject({ created: 0, closed: 0, unchanged: 3 });
  await expectSound(table);
});

test('of several findings of a rule in a file those on the same line are continued', async () => {
  const on = (line: number): Problem => ({ ...a, line, file: 'src/a.ts', text: `line ${line}` });
  const table = world.newOrganization();
  await world.ingest(table, report(on(3), on(5), on(9)));
  const idsByLine = async () => {
    const all = await allFindings({ connections: world.connections, table });
    return Object.fromEntries(all.map(({ id, locationDetail }) => [locationDetail?.line, id]));
  };
  const before = await idsByLine();
  await age(table, onBuildMachine);
  await world.ingest(table, report(on(3), on(5), on(10)));
  expect(await idsByLine()).toEqual({ 3: before[3], 5: before[5], 10: before[9] });
  await expectSound(table);
});

test('a scan scope of this release pairs nothing', async () => {
  const table = world.newOrganization();
  await world.ingest(table, report({ ...a, text: 'one' }));
  const moved = { ...a, file: '/home/runner/work/shop/shop/src/a.ts', rule: 'other' };
  expect((await world.ingest(table, report(moved))).result).toMatchObject({ created: 1, closed: 1 });
});
