import { type AssetPlaces, learnPlaces } from '#shared/assets/asset/asset-places.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Alert, alerts, assetsOf, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { commonOf } from '#shared/soc/alerts/alert-place.ts';
import { alertRecord } from '#shared/soc/alerts/alert-view.ts';
import { changeAlert, decideAlert } from '#shared/soc/alerts/change-alert.ts';
import { resolveEntities } from '#shared/soc/alerts/resolve-entities.ts';
import { checkedChanges } from './checked.ts';
import type { socAlertRoutes } from './routes.ts';

/** Repeats the change on the alert as it then is when further events came between. */
export const updateAlert = ({ params, body, ...call }: Call<typeof socAlertRoutes.updateAlert>): Promise<StoredAlert> =>
  changeOne({ ...call, id: params.id, patch: body });

type Change = {
  table: Table;
  caller: Caller;
  id: string;
  patch: Partial<Record<string, unknown>> & { reason?: string | null };
  ifMatch?: string | undefined;
};

export const changeOne = (change: Change): Promise<StoredAlert> => retry(() => attempt(change));

async function attempt({ table, caller, id, patch, ifMatch }: Change): Promise<StoredAlert> {
  const current = await table.get(alerts, id, true);
  const wanted = mergePatch(Alert, alertRecord(current), { patch, ifMatch });
  if (!wanted) return current;
  const assignee = await checkedChanges({ table, caller }, wanted);
  const named = wanted.entities && (await placedEntities(table, wanted.entities));
  const at = now();
  const around = { at, assignee, namesStatus: patch.status !== undefined };
  const changes = decideAlert(current, { ...wanted, ...named }, around);
  const batch = table.batch(true);
  changeAlert({ table, batch }, current, { changes, at, reason: patch.reason ?? undefined });
  await batch.commit();
  await table.workJournal(alerts);
  return table.get(alerts, id, true);
}

/** Entities with the assets that the caller sees, and what these have in common. */
async function placedEntities(
  table: Table,
  wanted: Alert['entities'],
): Promise<Pick<StoredAlert, 'entities' | 'common'>> {
  const entities = await resolveEntities({ table, zone: null }, wanted);
  const places: AssetPlaces = new Map();
  await learnPlaces(table, assetsOf(entities), places);
  return { entities, ...commonOf(entities, places) };
}
