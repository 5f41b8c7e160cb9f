import { afterAll, expect, test } from 'vitest';
import type { Table } from '#shared/platform/table/table.ts';
import { eachWrite } from '../../../support/tier.ts';
import { makeVictim } from './crash.ts';
import { contents, expectSound } from './expectations.ts';
import { codeScan, type Problem, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
const victim = await makeVictim(world.connections);

const [a, b, c, d]: Problem[] = ['a', 'b', 'c', 'd'].map((name) => ({ rule: `rule-${name}`, file: `src/${name}.ts` }));
const report = (...found: (Problem | undefined)[]) => codeScan(sarif(found.flatMap((one) => one ?? [])));

/** Changes one finding, opens one again, makes one, closes one, and another report of the scope waits behind it. */
async function scenario(kill?: { write: number; when: 'before' | 'after' }): Promise<{ table: Table; died: boolean }> {
  const table = world.newOrganization();
  await world.ingest(table, report(a, b, c));
  await world.ingest(table, report(a, b));
  const changed = a && { ...a, text: 'Now it says more' };
  const id = await world.accept(table, report(changed, c, d));
  const next = await world.accept(table, report(changed, d));
  if (kill) victim.killAt(kill.write, kill.when);
  const message = world.messages[0];
  await world.deliver();
  const died = victim.isDead();
  victim.restart();
  if (died && message && !world.messages.includes(message)) world.messages.unshift(message);
  await world.drain();
  for (const task of [await world.task(table, id), await world.task(table, next)])
    expect(task.status).toBe('succeeded');
  return { table, died };
}

const uninterrupted = await scenario();
const expected = await contents({ connections: world.connections, table: uninterrupted.table });

test('the scenario changes, opens, makes and closes findings', () => {
  expect(expected.findings.map(({ status, title }) => `${title.slice(0, 40)} ${status}`).sort()).toMatchInlineSnapshot(`
    [
      "Now it says more open",
      "Problem in src/b.ts fixed",
      "Problem in src/c.ts fixed",
      "Problem in src/d.ts open",
    ]
  `);
});

test.each(['before', 'after'] as const)(
  'a worker killed %s any of its writes leaves, once its message comes again, what an undisturbed one leaves',
  async (when) => {
    for (let write = 1; ; write += eachWrite(5)) {
      const { table, died } = await scenario({ write, when });
      expect({ write, ...(await contents({ connections: world.connections, table })) }).toEqual({ write, ...expected });
      await expectSound(table);
      if (!died) {
        expect(write).toBeGreaterThan(8);
        return;
      }
    }
  },
);
