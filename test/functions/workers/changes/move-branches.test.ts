import { afterAll, expect, test } from 'vitest';
import { moveBranches, returnBranches } from '#functions/workers/changes/merge/move-branches.ts';
import { type Branch, branches } from '#shared/findings/branches/branch.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { expectExact } from '../../../support/verify.ts';
import { dayOf } from '../imports/days.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Told = Partial<Pick<Branch, 'isDefault' | 'isGuessed' | 'formerNames' | 'lastScan' | 'endedAt'>>;
type Side = Record<string, Told>;

const NOTHING = { isDefault: false, isGuessed: false, formerNames: [], lastScan: null, endedAt: null };
const scanOn = (day: number) => ({ taskId: newId(), commit: null, at: dayOf(day) });

/** Two repositories, the first of which is merged into the second. */
async function repositories(from: Side, into: Side) {
  const table = world.newOrganization();
  const [assetId, intoId, taskId] = [newId(), newId(), newId()];
  const make = (asset: string, side: Side) =>
    Promise.all(
      Object.entries(side).map(([name, told]) => table.create(branches, { assetId: asset, name, ...NOTHING, ...told })),
    );
  const made = await make(assetId, from);
  const stood = await make(intoId, into);
  const ids = new Map(
    [...made, ...stood].map(({ id, assetId: of, name }) => [`${of === assetId ? 'from' : 'into'} ${name}`, id]),
  );
  const sideOf = async (asset: string) => {
    const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: 10, where: { asset } });
    return Object.fromEntries(
      data.map(({ name, isDefault, isGuessed, formerNames, lastScan, endedAt }) => [
        name,
        { isDefault, isGuessed, formerNames, lastScan, endedAt },
      ]),
    );
  };
  return {
    table,
    idOf: (name: string) => ids.get(name) ?? '',
    make: (name: string, told: Told) => make(assetId, { [name]: told }),
    move: () => moveBranches({ table, task: { id: taskId } as TaskRow }, { assetId, intoId }),
    giveBack: () => returnBranches(table, taskId),
    /** The branches of both repositories. */
    async have() {
      await expectExact(table, [branches]);
      return { from: await sideOf(assetId), into: await sideOf(intoId) };
    },
  };
}

const whole = (side: Side) =>
  Object.fromEntries(Object.entries(side).map(([name, told]) => [name, { ...NOTHING, ...told }]));
const both = (from: Side, into: Side) => ({ from: whole(from), into: whole(into) });

const isEnding = async (table: Table, id: string) => {
  const { shard } = placedTimer({ kind: 'branch', at: 0, organizationId: table.organizationId, id });
  const rows = await openTable(world.connections.dynamo, GLOBAL_SCOPE).rows(timers).query(String(shard));
  return rows.some((timer) => timer.kind === 'branch' && timer.id === id);
};

const main = { isDefault: true, isGuessed: true, formerNames: ['master'] };

/** Each merge, and what the repositories have then. */
const merges: [string, Side, Side, Side][] = [
  [
    'a repository without branches gets them as they are',
    { main, next: { lastScan: scanOn(1) } },
    {},
    { main, next: { lastScan: scanOn(1) } },
  ],
  [
    'a repository with another default branch keeps it, and finds by it what stood on the other',
    { main },
    { trunk: { isDefault: true, formerNames: ['old'] } },
    { main: { formerNames: ['master'] }, trunk: { isDefault: true, formerNames: ['old', 'main', 'master'] } },
  ],
  [
    'a branch that both have and that is the default one of both has the names of both',
    { main: { ...main, lastScan: scanOn(1) } },
    { main: { isDefault: true, formerNames: ['old', 'master'], lastScan: scanOn(2) } },
    { main: { isDefault: true, formerNames: ['old', 'master'], lastScan: scanOn(2) } },
  ],
  [
    'a branch that both have was scanned last by the later scan, and ended as that says',
    { next: { lastScan: scanOn(2), endedAt: dayOf(3) } },
    { next: { lastScan: scanOn(1) } },
    { next: { lastScan: scanOn(2), endedAt: dayOf(3) } },
  ],
  [
    'a branch that both have, and that only the merged one had scanned, was scanned then',
    { next: { lastScan: scanOn(2) } },
    { next: {} },
    { next: { lastScan: scanOn(2) } },
  ],
  [
    'a branch that both have becomes the default one where only the merged repository knew which that is',
    { main },
    { main: { formerNames: ['old'] } },
    { main: { isDefault: true, isGuessed: true, formerNames: ['old', 'master'] } },
  ],
  [
    'a default branch that is another one there stays another one',
    { main },
    { main: {}, trunk: { isDefault: true } },
    { main: {}, trunk: { isDefault: true, formerNames: ['main', 'master'] } },
  ],
];

const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/"taskId":"[^"]*"/g, '"taskId":""'));

test.each(merges)('%s, and gives them back when the merge is undone', async (_name, from, into, then) => {
  const { table, idOf, move, giveBack, have } = await repositories(from, into);
  for (let n = 0; n < 2; n++) await move();
  expect(plain(await have())).toEqual(plain(both({}, then)));
  for (let n = 0; n < 2; n++) await giveBack();
  expect(plain(await have())).toEqual(plain(both(from, into)));
  for (const name of Object.keys(from)) {
    const back = await table.get(branches, idOf(`from ${name}`), true);
    // it went and came, or was deleted and made anew
    expect([name, back.version, await isEnding(table, back.id)]).toEqual([name, 3, name in into]);
  }
});

test('what happened to a branch since the merge stays when it is undone', async () => {
  const stood = { isDefault: true, formerNames: ['old'], lastScan: scanOn(1) };
  const { table, idOf, move, giveBack, have } = await repositories(
    { main: { ...main, lastScan: scanOn(2) } },
    { main: stood },
  );
  await move();
  const lastScan = scanOn(3);
  await table.modify(branches, idOf('into main'), () => ({ lastScan }));
  await giveBack();
  expect((await have()).into).toEqual(whole({ main: { ...stood, lastScan } }));
});

test('branches that were removed since the merge do not come back', async () => {
  const { table, idOf, move, giveBack, have } = await repositories({ main }, { trunk: { isDefault: true } });
  await move();
  for (const name of ['from main', 'into trunk'])
    await table.delete(branches, await table.get(branches, idOf(name), true));
  await giveBack();
  expect(await have()).toEqual(both({}, {}));
});

test('a branch that was scanned again since the merge becomes one with the returning branch', async () => {
  const { make, move, giveBack, have } = await repositories(
    { next: { lastScan: scanOn(1) }, main },
    { main: { isDefault: true }, trunk: {} },
  );
  await move();
  const lastScan = scanOn(4);
  for (const name of ['next', 'main']) await make(name, { lastScan });
  for (let n = 0; n < 2; n++) await giveBack();
  const anew = { next: { lastScan }, main: { isDefault: true, isGuessed: true, formerNames: ['master'], lastScan } };
  expect(await have()).toEqual(both(anew, { main: { isDefault: true }, trunk: {} }));
});

test('a branch comes back beside another default one that was made meanwhile', async () => {
  const { make, move, giveBack, have } = await repositories({ main }, { main: { isDefault: true } });
  await move();
  await make('trunk', { isDefault: true });
  await giveBack();
  const trunk = { isDefault: true, formerNames: ['main', 'master'] };
  expect((await have()).from).toEqual(whole({ main: { formerNames: ['master'] }, trunk }));
});
