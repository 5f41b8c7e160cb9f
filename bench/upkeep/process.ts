import { findings } from '#shared/findings/finding/finding.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';

/** The message to the measuring process. */
export type Upkept = { seconds: number; megabytes: number; records: number; changed: number };

/** One upkeep of all findings of an organization, in a process of its own so that its memory can be measured. */
const [work = '', organizationId = '', tableName = '', endpoint = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const table = openTable(openDynamo(tableName, { endpoint, region: 'eu-central-1', credentials }), organizationId);
const started = performance.now();
const done = await (work === 'verify' ? verified(table) : rekeyed(table));
const measured: Upkept = {
  ...done,
  seconds: (performance.now() - started) / 1000,
  megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
};
process.send?.(measured, () => process.exit());

async function verified(of: Table) {
  const { records, differences, unsettled } = await verify(of, findings);
  return { records, changed: differences.length + unsettled };
}

async function rekeyed(of: Table) {
  const total = { records: 0, changed: 0 };
  let next: number | undefined = -1;
  while (next !== undefined) {
    const step: Awaited<ReturnType<typeof rekey>> = await rekey(of, findings, { afterOrdinal: next });
    total.records += step.seen;
    total.changed += step.rewritten;
    next = step.next;
  }
  return total;
}
