import { localCredentials, localRegion } from '#local/credentials.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { aFinding } from './dashboards-model.ts';
import { fillRows, recordsOn } from './fill-rows.ts';
import { finished, type System, startImport } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import { settled } from './settled.ts';
import { chance } from './store-model.ts';

/** Findings of one repository. */
const PER_REPOSITORY = 100_000;
/** The written findings that pages show: the newest ones, and the first of each order among them. */
const SHOWN = 5_000;

export async function importFindings(system: System, count: number): Promise<void> {
  const started = performance.now();
  for (let from = 0; from < count; from += PER_REPOSITORY) {
    const report = benchReport(Math.min(PER_REPOSITORY, count - from), 0.3, `${from}-`);
    await finished(system, (await startImport(system, report, { name: `bench-${from}` })).id);
  }
  await settled(system, started);
}

/**
 * Writes findings of two years into the index and the figures of an organization without findings, as `fillRows` does for the bench of
 * the store, and the records that pages show.
 */
export async function writeFindings({ settings, organizationId }: System, size: number): Promise<void> {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = settings;
  const options = { endpoint: DYNAMODB_ENDPOINT, region: localRegion, credentials: localCredentials };
  const table = openTable(openDynamo(TABLE_NAME, options), organizationId);
  const itemAt = (n: number) => aFinding(n, chance(n + 1), `scope-${n % 20}-of-the-bench`);
  const filled = { size, itemAt, indexAlone: true };
  await fillRows(table, findings, filled);
  const shown = Math.min(SHOWN, size);
  await recordsOn(table, findings, { filled, ordinals: Array.from({ length: shown }, (_, n) => size - shown + n) });
}
