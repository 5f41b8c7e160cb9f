import { expect, test } from 'vitest';
import { findingRuleHandlers } from '#functions/findings/finding-rules/handlers.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;

test('an organization has 200 suppression rules, and not one more', async () => {
  const table = newOrganization(store.dynamo);
  const { connections } = fakeConnections(store.dynamo);
  const body = {
    name: 'Lab',
    enabled: true,
    conditions: { tool: 'zap' },
    status: 'out_of_scope' as const,
    reason: 'a laboratory',
    expiresAt: null,
    order: 100,
  };
  const ids = await table.reserve(suppressionRules, 199);
  const approver = { id: 'ann', name: 'Ann' };
  const made = ids.map((id) => table.stamp<SuppressionRule>({ ...body, id, approver, taskId: id }));
  await commitMany(table.batch, made, (batch, rule) => batch.create(suppressionRules, rule));
  const create = async () => findingRuleHandlers.createFindingRule({ connections, table, caller, body } as never);
  const count = async () => (await table.list(suppressionRules, { paginateFrom: 0, paginateSize: 1 })).totalCount;
  expect(await create()).toMatchObject({ name: 'Lab', approver });
  expect(await count()).toBe(200);
  await expect(create()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('at most 200') });
  expect(await count()).toBe(200);
});
