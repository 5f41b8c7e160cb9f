import { afterAll, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Next = (args: unknown) => Promise<unknown>;
type Stack = {
  add(middleware: (next: Next, context: { commandName?: string }) => Next, options: object): void;
  remove(name: string): boolean;
};

/** Lets someone change each finding between the worker's next look at them and what it writes. */
function changeAfterLook(table: Table): void {
  const stack = world.connections.dynamo.client.middlewareStack as unknown as Stack;
  const middleware =
    (next: Next, { commandName = '' }: { commandName?: string }) =>
    async (args: unknown) => {
      const answer = await next(args);
      if (!commandName.startsWith('BatchGet') || !stack.remove('change')) return answer;
      for (const { id } of await allFindings({ connections: world.connections, table }))
        await table.modify(findings, id, () => ({ tags: ['looked at'] }));
      return answer;
    };
  stack.add(middleware, { step: 'initialize', name: 'change', priority: 'high' });
}

const expectClosed = async (table: Table, count: number) => {
  const all = await allFindings({ connections: world.connections, table });
  expect(all.filter(({ status, tags }) => status === 'fixed' && tags[0] === 'looked at')).toHaveLength(count);
  await expectSound(table);
};

test('a person who changes a finding at the moment in which a scan closes it does not stop the report', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(3))));
  const id = await world.accept(table, codeScan(sarif([])));
  changeAfterLook(table);
  expect(await world.deliver()).toBe(true);
  expect(await world.task(table, id)).toMatchObject({ status: 'succeeded', result: { closed: 3 } });
  await expectClosed(table, 3);
});

test('a person who changes a finding while a confirmed closing is worked does not stop the closing', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(25))));
  const held = await world.ingest(table, codeScan(sarif([])));
  const { taskId } = await confirmHeld({ connections: world.connections, table }, held.id);
  changeAfterLook(table);
  expect(await world.deliver()).toBe(true);
  expect(await world.task(table, taskId)).toMatchObject({ status: 'succeeded', result: { closed: 25 } });
  await expectClosed(table, 25);
});
