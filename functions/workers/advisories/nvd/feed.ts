import { type AdvisoryRecord, advisoryRows, readAdvisories } from '#shared/advisories/records.ts';
import { putRows } from '#shared/platform/table/io/put-rows.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { RecordFiles } from '../record-files.ts';
import { recordsIn } from './entries.ts';
import { dueFiles, keptFile } from './files.ts';

export const nvd: RecordFiles<AdvisoryRecord> = {
  feed: 'nvd',
  due: dueFiles,
  read: recordsIn,
  current: ({ dynamo }, ids) => readAdvisories(dynamo, ids),
  says: (record) => [record?.cvss ?? {}, record?.fixed ?? []],
  names: ({ id }) => [id],
  write: ({ dynamo }, newer) =>
    putRows(
      openTable(dynamo, GLOBAL_SCOPE),
      advisoryRows,
      newer.map(({ record }) => record),
    ),
  kept: keptFile,
};
