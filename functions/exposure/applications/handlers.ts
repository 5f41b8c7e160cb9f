import { Application, applications, type StoredApplication } from '#shared/exposure/applications/application.ts';
import { applicationFilter } from '#shared/exposure/applications/filter-fields.ts';
import { rulesChanged } from '#shared/exposure/asset-rules/mark.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { deleteApplication } from './delete-application.ts';
import { environmentHandlers } from './environments.ts';
import { assertPeople } from './people.ts';
import { restoreApplication } from './restore-application.ts';
import { assertRoom } from './room.ts';
import type { applicationRoutes } from './routes.ts';
import { cloudTags, scopeKinds } from './scopes.ts';
import { applicationViews } from './view.ts';

async function shown(table: Table, application: StoredApplication): Promise<Application> {
  const [view] = await applicationViews(table, [application]);
  if (!view) throw new Error(`no view of the application ${application.id}`);
  return view;
}

async function createApplication({ table, caller, body }: Call<typeof applicationRoutes.createApplication>) {
  await assertPeople(table, caller, body);
  await assertRoom(table);
  const [id = ''] = await table.reserve(applications, 1);
  const created = await table.create(applications, { ...body, id, environments: [] }, (batch) =>
    batch.write(rulesChanged(table), putTimer(dailyTimer('application', table))),
  );
  return shown(table, created);
}

const updateApplication = (call: Call<typeof applicationRoutes.updateApplication>) =>
  retry(async () => {
    const { table, caller, params, body, ifMatch } = call;
    const current = await table.get(applications, params.id, true);
    const changes = mergePatch(Application, await shown(table, current), { patch: body, ifMatch });
    if (!changes) return shown(table, current);
    await assertPeople(table, caller, changes);
    const { environments: _count, assets: _assets, links: _links, ...stored } = changes;
    return shown(table, await table.update<StoredApplication, never>(applications, current, stored));
  });

export const applicationHandlers: Handlers<typeof applicationRoutes> = {
  async listApplications({ table, caller, query }) {
    const asked = await withMatching({ table, caller }, applicationFilter, query);
    return showPage(table.list(applications, asked), (some) => applicationViews(table, some));
  },
  createApplication,
  listCloudTags: async ({ table, query }) => pageOfArray(await cloudTags(table), query),
  listScopeKinds: async ({ table, query }) => pageOfArray(await scopeKinds(table), query),
  getApplication: async ({ table, params }) => shown(table, await table.get(applications, params.id)),
  updateApplication,
  async deleteApplication(call) {
    await call.table.get(applications, call.params.id);
    return withSecondPerson(call, () => deleteApplication(call, call.params.id));
  },
  restoreApplication: async ({ connections, table, params }) =>
    shown(table, await restoreApplication({ connections, table }, params.id)),
  ...environmentHandlers,
};
