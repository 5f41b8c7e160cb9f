import type { Filter } from '#shared/platform/filter/filter.ts';
import type { Client } from './client.ts';
import type { TestOrganization } from './system.ts';
import { finished } from './wait.ts';

export const named = (value: string): Filter => ({ field: 'hostname', operator: 'matches', value });

/** An analyst's work on applications; each step waits until its task has ended. */
function applicationWork(analyst: Client) {
  const ended = async ({ taskId }: { taskId: string }) => {
    const task = await finished(analyst, taskId);
    if (task.status !== 'succeeded') throw new Error(`the task ${JSON.stringify(task)}`);
    return task;
  };
  const newest = async () => {
    const { data } = await analyst.ok('listTasks', { query: { operation: 'apply_asset_rules', limit: 1 } });
    return ended({ taskId: data[0]?.id ?? '' });
  };
  return {
    ended,
    newest,
    host: async (value: string, more: object = {}) =>
      (await analyst.ok('createAsset', { body: { type: 'host', value, ...more } })).id,
    application: async (name: string, more: object = {}) =>
      (await analyst.ok('createApplication', { body: { name, ...more } })).id,
    link: (id: string, assetId: string, more: object = {}) =>
      analyst.ok('createAssetMapping', { params: { id }, body: { assetId, ...more } }),
    async rule(id: string, condition: Filter, more: object = {}) {
      const body = { name: 'a rule', condition, ...more };
      const rule = await analyst.ok('createAssetRule', { params: { id }, body });
      await ended(rule);
      return rule.id;
    },
    /** The names of the linked assets with the origin of each link. */
    linked: async (id: string) =>
      (await analyst.ok('listAssetMappings', { params: { id } }))
        .map(({ asset, origin }) => `${asset.name} ${origin}`)
        .sort(),
  };
}

/** The same of a new organization, with the refusal that an answer is. */
export async function startWork(organization: TestOrganization) {
  const analyst = await organization.withRole('analyst');
  const refused = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return [status, Object(body).code, Object(body).details?.[0]?.path];
  };
  return { organization, analyst, refused, ...applicationWork(analyst) };
}
