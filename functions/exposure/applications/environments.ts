import {
  ApplicationEnvironment,
  applications,
  MAX_ENVIRONMENTS,
  type StoredApplication,
} from '#shared/exposure/applications/application.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { newRulesTask } from '#shared/exposure/asset-rules/apply.ts';
import { rulesChanged } from '#shared/exposure/asset-rules/mark.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, notFound } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { applicationRoutes } from './routes.ts';

function environmentIn({ environments }: StoredApplication, id: string): ApplicationEnvironment {
  const found = environments.find((one) => one.id === id);
  if (!found) throw notFound('environment', id);
  return found;
}

function assertNameFree(
  { environments }: StoredApplication,
  { id, name }: Pick<ApplicationEnvironment, 'id' | 'name'>,
) {
  const other = environments.find((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase());
  if (other)
    throw conflict(`The environment ${other.id} has this name.`, [{ path: 'name', message: 'must be another name' }]);
}

/**
 * Writes the environments of an application, unless the application changed since it was read. The workers that apply
 * rules read the environments.
 */
const keep = (table: Table, current: StoredApplication, environments: ApplicationEnvironment[]) =>
  table.update(applications, current, { environments }, (batch) => batch.write(rulesChanged(table)));

const createEnvironment = ({ table, params, body }: Call<typeof applicationRoutes.createEnvironment>) =>
  retry(async () => {
    const current = await table.get(applications, params.id, true);
    if (current.environments.length >= MAX_ENVIRONMENTS)
      throw fixedLimit('An application', MAX_ENVIRONMENTS, 'environments');
    const at = now();
    const stamps = { id: newId(), applicationId: params.id, version: 1, createdAt: at, updatedAt: at };
    const created: ApplicationEnvironment = { ...body, ...stamps, createdBy: table.actor };
    assertNameFree(current, created);
    await keep(table, current, [...current.environments, created]);
    return created;
  });

const updateEnvironment = ({ table, params, body, ifMatch }: Call<typeof applicationRoutes.updateEnvironment>) =>
  retry(async () => {
    const current = await table.get(applications, params.id, true);
    const before = environmentIn(current, params.env_id);
    const changes = mergePatch(ApplicationEnvironment, before, { patch: body, ifMatch });
    if (!changes) return before;
    const after = { ...before, ...changes, version: before.version + 1, updatedAt: now() };
    assertNameFree(current, after);
    await keep(
      table,
      current,
      current.environments.map((one) => (one.id === after.id ? after : one)),
    );
    return after;
  });

/** Removes an environment with its name in rules, in one transaction with the task that takes it from links. */
const deleteEnvironment = ({ connections, table, params }: Call<typeof applicationRoutes.deleteEnvironment>) =>
  retry(async () => {
    const { id, env_id: environmentId } = params;
    const current = await table.get(applications, id, true);
    environmentIn(current, environmentId);
    const rules = await recordsOf(table, applicationRules, { parent: { application: id } });
    const named = rules.filter((rule) => rule.environmentId === environmentId);
    const input = { ruleIds: [], conditions: [], applicationIds: [id] };
    const environments = current.environments.filter((one) => one.id !== environmentId);
    await queueNewTask({ connections, table }, newRulesTask(table, input, { type: 'application', id }), (batch) => {
      batch.update(applications, current, table.changed<StoredApplication, never>(current, { environments }));
      for (const rule of named) batch.update(applicationRules, rule, table.changed(rule, { environmentId: null }));
      batch.write(rulesChanged(table));
    });
    return { id: environmentId, deletedAt: now() };
  });

type Environments = 'listEnvironments' | 'createEnvironment' | 'updateEnvironment' | 'deleteEnvironment';

export const environmentHandlers: Pick<Handlers<typeof applicationRoutes>, Environments> = {
  listEnvironments: async ({ table, params }) => (await table.get(applications, params.id)).environments,
  createEnvironment,
  updateEnvironment,
  deleteEnvironment,
};
