import { isDeepStrictEqual } from 'node:util';
import { type AssetPlaces, commonIn, learnPlaces, orAbsent } from '#shared/assets/asset/asset-places.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isGrouped } from '#shared/platform/table/layout/grouped.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { rekeyRecords } from '#shared/platform/table/upkeep/rekey.ts';
import { alerts, assetsOf, type StoredAlert } from '../alerts/alert.ts';
import { commonOf } from '../alerts/alert-place.ts';
import { incidents, type StoredIncident } from './incident.ts';
import { responseActions, type StoredResponseAction } from './response-action.ts';

/** Brings alerts to where their assets are, and counts new ones there. It may be repeated. @returns how many moved */
export const settleAlerts = (table: Table, ordinals: readonly number[]): Promise<number> =>
  retry(async () => {
    const found = await recordsAt<StoredAlert, 'description'>(table, alerts, ordinals);
    const places: AssetPlaces = new Map();
    const named = found.flatMap(({ entities }) => assetsOf(entities));
    await learnPlaces(table, named, places);
    const moved: { alert: (typeof found)[number]; common: StoredAlert['common'] }[] = [];
    const uncounted: number[] = [];
    for (const alert of found) {
      const { common } = commonOf(alert.entities, places);
      if (!isDeepStrictEqual(common, alert.common)) moved.push({ alert, common });
      else if (common && !isGrouped(alert)) uncounted.push(ordinalOf(alert.id));
    }
    if (uncounted.length > 0) await rekeyRecords(table, alerts, uncounted);
    if (moved.length === 0) return 0;
    await commitMany(
      () => table.batch(true),
      moved,
      (batch, { alert, common }) =>
        batch.update<StoredAlert, 'description'>(
          alerts,
          alert,
          table.changed<StoredAlert, 'description'>(alert, { common }),
        ),
    );
    await table.workJournal(alerts);
    return moved.length;
  });

/** Brings response actions to where their targets are. It may be repeated. */
export const settleActions = (table: Table, ordinals: readonly number[]): Promise<void> =>
  retry(async () => {
    const found = await recordsAt<StoredResponseAction, never>(table, responseActions, ordinals);
    const places: AssetPlaces = new Map();
    await learnPlaces(
      table,
      found.flatMap(({ assetId }) => assetId ?? []),
      places,
    );
    for (const action of found) {
      const common = commonIn([places.get(action.assetId ?? '') ?? {}]);
      if (isDeepStrictEqual(common, action.common)) continue;
      await table.update<StoredResponseAction, never>(responseActions, action, { common });
    }
  });

/** Brings an incident to where its alerts are. It may be repeated. */
export const settleIncident = (table: Table, id: string): Promise<void> =>
  retry(async () => {
    const incident = await table.find(incidents, id, true);
    if (!incident) return;
    const common = await commonOfIncident(table, id);
    if (!isDeepStrictEqual(common, incident.common)) await table.update(incidents, incident, { common });
  });

/** The values of one alert that all alerts have: the index counts them, however many alerts there are. */
async function commonOfIncident(table: Table, incident: string): Promise<StoredIncident['common']> {
  const of = (more: Record<string, string>) => ordinalsOf(table, alerts, { where: { incident, ...more } });
  const all = await of({});
  const [one] = await recordsAt<StoredAlert, 'description'>(table, alerts, all.slice(0, 1));
  if (!one?.common) return undefined;
  const ofAll = async (name: string, values: readonly string[]) => {
    const counts = await Promise.all(values.map(async (value) => (await of({ [name]: value })).length));
    return values.filter((_value, n) => counts[n] === all.length);
  };
  const { zone, applicationIds = [], assetOwnerId } = one.common;
  const [[sharedZone], shared, [owner]] = await Promise.all([
    ofAll('zone', zone === undefined ? [] : [zone]),
    ofAll('application', applicationIds),
    ofAll('assetOwner', assetOwnerId === undefined ? [] : [assetOwnerId]),
  ]);
  return orAbsent(
    given({ zone: sharedZone, applicationIds: shared.length > 0 ? shared : undefined, assetOwnerId: owner }),
  );
}
