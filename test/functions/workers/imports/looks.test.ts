import { afterAll, afterEach, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { securityHub } from '../../../support/compliance.ts';
import { dayOf, goToDay } from './days.ts';
import { codeScan, networkScan, nmap, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

/** Each asset with the tools that have looked at it. */
async function lookedAt(table: Table): Promise<Record<string, string[]>> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
  return Object.fromEntries(data.map(({ value, looks = [] }) => [value, looks.map(({ tool }) => tool).sort()]));
}

const api = repository('api');
const scanBy = (tool: string, more: Parameters<typeof codeScan>[1] = {}) =>
  codeScan(sarif(problems(1), { tool }), more);

test('a completed scan of the default branch is a look of its tool on its day, and no other scan is one', async () => {
  const table = world.newOrganization();
  goToDay(0);
  const { id: taskId } = await world.ingest(table, scanBy('semgrep'));
  goToDay(1);
  await world.ingest(table, scanBy('gosec', { ref: 'feature' }));
  await world.ingest(table, codeScan(sarif(problems(1), { tool: 'bandit', finished: false })));
  await world.ingest(table, scanBy('brakeman', { closeMissing: false }));
  await world.ingest(table, scanBy('acme-scan'));
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
  const look = { tool: 'semgrep', day: dayOf(0).slice(0, 10), taskId };
  expect(data.map(({ value, looks }) => ({ value, looks }))).toEqual([{ value: api.value, looks: [look] }]);
});

test('an import that is undone takes its looks back, and leaves those of others', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scanBy('semgrep'));
  const { id } = await world.ingest(table, scanBy('gosec'));
  expect(await lookedAt(table)).toEqual({ [api.value]: ['gosec', 'semgrep'] });
  await queueUndo({ connections: world.connections, table }, id);
  await world.drain();
  expect(await lookedAt(table)).toEqual({ [api.value]: ['semgrep'] });
});

test.each([
  ['an import without a target', { source: 'import', target: undefined }],
  ['an import of a range', { source: 'import' }],
  ['a scanner of a range', {}],
] as const)(
  '%s looks at the hosts that it names and that are known, and makes none that merely answers',
  async (_name, more) => {
    const table = world.newOrganization();
    const hosts = [
      { address: '10.0.0.5', ports: [80] },
      { address: '10.0.0.6', ports: [] },
    ];
    await world.ingest(table, networkScan(nmap(hosts), more));
    expect(await lookedAt(table)).toEqual({ '10.0.0.5': ['nmap'] });
  },
);

test.each([
  ['an import', 'import', ['10.0.0.5', '10.0.0.7']],
  ['a scanner', 'scanner', ['10.0.0.5']],
] as const)(
  'a scan of a host by %s that finds nothing makes the host known, and none beside it',
  async (_name, source, looked) => {
    const table = world.newOrganization();
    goToDay(0);
    await world.ingest(table, networkScan(nmap([{ address: '10.0.0.7', ports: [80] }]), { scanType: 'first' }));
    const hosts = ['10.0.0.5', '10.0.0.6', '10.0.0.7'].map((address) => ({ address, ports: [] }));
    const again = { source, target: { type: 'host', value: '10.0.0.5' }, scanType: 'second' } as const;
    goToDay(8); // a look that says the same is noted after a week
    const { id } = await world.ingest(table, networkScan(nmap(hosts), again));
    const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
    expect(data.map(({ value }) => value).sort()).toEqual(['10.0.0.5', '10.0.0.7']);
    const now = data.filter(({ looks = [] }) => looks.some(({ taskId }) => taskId === id));
    expect(now.map(({ value }) => value).sort()).toEqual(looked);
  },
);

test('a report that names no targets is no look at a range', async () => {
  const table = world.newOrganization();
  const target = { type: 'cidr', value: '10.0.0.0/24' } as const;
  expect(await world.ingest(table, codeScan(sarif([], { tool: 'semgrep' }), { target }))).toMatchObject({
    status: 'succeeded',
  });
  expect(await lookedAt(table)).toEqual({});
});

test.each([
  ['its own', ['111122223333', '888888888888'], ['1.5']],
  ['the only one that is named', ['999999999999'], ['1.5']],
  ['none of several others', ['888888888888', '999999999999'], undefined],
])('an account that is the target of a scan passes the checks of %s', async (_name, accounts, checks) => {
  const table = world.newOrganization();
  const report = securityHub([
    { requirement: '1.4', status: 'FAILED' },
    ...accounts.map((account, n) => ({ requirement: `1.${5 + n}`, status: 'PASSED' as const, account })),
  ]);
  const target = { type: 'cloud_account', value: '111122223333' } as const;
  await world.ingest(table, { source: 'import', format: 'asff', report: { content: report }, target });
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
  const [account] = data.filter(({ value }) => value === target.value);
  expect(account?.looks).toMatchObject([{ tool: 'AWS Security Hub' }]);
  expect(account?.looks?.[0]?.passed?.checks).toEqual(checks);
});
