import { expect, test } from 'vitest';
import { changeSettings } from '#shared/organizations/change-settings.ts';
import { approvalRequests } from '#shared/people/approval-request.ts';
import { users } from '#shared/people/user.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

const world = consoleWorld();

test('a second person approves what waits, with a second press, or refuses it with a reason', async () => {
  const { ownerPage, problems, system, organizationId } = world.current();
  const page = await ownerPage();
  const { dynamo } = system.connections;
  const table = openTable(dynamo, organizationId, { kind: 'user', id: 'first', name: 'Ana Lima' });
  await changeSettings(table, { irreversibleNeedsSecondPerson: true });
  const { data } = await table.list(users, { paginateFrom: 0, paginateSize: 10 });
  for (const { id } of data) await table.modify(users, id, () => ({ joinedAt: inSeconds(-8 * 86_400) }));
  const asked = (id: string) => ({
    operation: 'deleteRemediation',
    method: 'DELETE',
    path: `/api/v1/remediations/${id}`,
    query: {},
    body: {},
    status: 'waiting' as const,
    expiresAt: inSeconds(86_400),
    decidedBy: null,
    decidedAt: null,
    reason: null,
  });
  const requests = [];
  for (const id of ['01a20bb8-3614-798e-8000-000000ad99e2', '01a20bb8-3614-798e-8000-000000ad99e3'])
    requests.push(await table.create(approvalRequests, asked(id)));
  await page.goto(`${system.baseUrl}/administration/approvals`);
  await page.getByText('Ana Lima').first().waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.getByRole('button', { name: 'It cannot be undone: press again' }).click();
  // the request is sent as it was: the service says that the record is gone
  await page.getByText('There is no remediation').waitFor();
  await page.getByRole('button', { name: 'Refuse' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('still in use');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('The request is refused.').waitFor();
  const after = await Promise.all(requests.map(({ id }) => table.get(approvalRequests, id, true)));
  expect(after.map(({ status, reason }) => `${status} ${reason}`).sort()).toEqual([
    'refused still in use',
    'waiting null',
  ]);
  expect(problems).toEqual([]);
  await page.close();
});
