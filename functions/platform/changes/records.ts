import { assets } from '#shared/assets/asset/asset.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { listFindings } from '#shared/findings/view/listed.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { alertListItem } from '#shared/soc/alerts/alert-view.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/record.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import type { WITH_RECORDS } from './with-records.ts';

type Shown = { id: string };
type Entity = (typeof WITH_RECORDS)[number];

/** The current records of an entity with these ids, as their list shows them. */
const READ: Record<Entity, (context: Context, ids: string[]) => Promise<Shown[]>> = {
  finding: async (context, ids) =>
    (await listFindings(context, { ids, paginateFrom: 0, paginateSize: ids.length })).data,
  vulnerability: async ({ table }, ids) => (await table.findMany(vulnerabilities, ids)).map(vulnerabilityListItem),
  asset: async ({ table }, ids) => assetViews(table, await table.findMany(assets, ids)),
  'exposed-credential': async ({ table }, ids) => (await table.findMany(exposedCredentials, ids)).map(credentialRecord),
  alert: async ({ table }, ids) => (await table.findMany(alerts, ids)).map(alertListItem),
};

type Change = { entity: string; id: string };

/** The changes with the current records that they are about. */
export async function withRecords<C extends Change>(context: Context, changes: readonly C[]) {
  const current = new Map<string, Map<string, Shown>>();
  const read = async ([entity, show]: [string, (typeof READ)[Entity]]) => {
    const ids = changes.filter((change) => change.entity === entity).map(({ id }) => id);
    const records = ids.length > 0 ? await show(context, ids) : [];
    current.set(entity, new Map(records.map((record) => [record.id, record])));
  };
  await Promise.all(Object.entries(READ).map(read));
  return changes.map((change) => {
    const records = current.get(change.entity);
    return { ...change, ...(records && { record: records.get(change.id) ?? null }) };
  });
}
