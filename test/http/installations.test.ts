import { expect, test } from 'vitest';
import { repositories } from '#shared/code/repositories/repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { tellerOf } from '../support/code-hosts/tell.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

/** An account in which an app of GitHub is installed; the app is installed in another account, too. */
async function installedApp() {
  const { admin, table } = await system.newOrganization();
  const account = `octo-${newId().slice(-12)}`;
  const hub = await admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'Hub', account } });
  const tell = tellerOf(admin, hub);
  const installation = (login = account) => ({ installation: { id: 5, account: { login } } });
  const of = (id: number, login = account) => ({ id, name: `r${id}`, full_name: `${login}/r${id}`, private: true });
  const statuses = async () =>
    Object.fromEntries(
      (await table.list(repositories, { paginateFrom: 0, paginateSize: 50 })).data.map((one) => [
        `${one.fullName === `others/${one.name}` ? 'others/' : ''}${one.name}`,
        one.status,
      ]),
    );
  return { table, tell, installation, of, statuses };
}

test('the repositories of an installation are in reach while it exists and shares them', async () => {
  const { table, tell, installation, of, statuses } = await installedApp();
  const [active, inaccessible] = ['active', 'inaccessible'];
  await tell('installation', { action: 'created', ...installation(), repositories: [of(1), of(2)] });
  await tell('installation', { action: 'created', ...installation('others'), repositories: [of(3, 'others')] });
  expect(await statuses()).toEqual({ r1: active, r2: active, 'others/r3': active });
  await tell('installation_repositories', {
    action: 'added',
    ...installation(),
    repositories_added: [of(4)],
    repositories_removed: [],
  });
  await tell('installation_repositories', {
    action: 'removed',
    ...installation(),
    repositories_added: [],
    repositories_removed: [of(1)],
  });
  expect(await statuses()).toEqual({ r1: inaccessible, r2: active, r4: active, 'others/r3': active });
  await tell('installation_repositories', { action: 'added', ...installation(), repositories_added: [of(1)] });
  // GitHub names no repository when an installation is suspended
  expect(await tell('installation', { action: 'suspend', ...installation() })).toEqual(['repositories_removed']);
  expect(await statuses()).toEqual({ r1: inaccessible, r2: inaccessible, r4: inaccessible, 'others/r3': active });
  expect(await tell('installation', { action: 'unsuspend', ...installation() })).toEqual(['repositories_added']);
  expect(await statuses()).toEqual({ r1: active, r2: active, r4: active, 'others/r3': active });
  await tell('installation', { action: 'deleted', ...installation(), repositories: [of(1), of(2), of(4)] });
  expect(await statuses()).toEqual({ r1: inaccessible, r2: inaccessible, r4: inaccessible, 'others/r3': active });
  await expectExact(table, [repositories]);
});
