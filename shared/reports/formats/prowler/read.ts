import { csvEntries } from '../../csv-entries.ts';
import { arrayOrLineEntries, firstCharacter, readEntries } from '../../entries.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { Targets } from '../../targets.ts';
import { accountOf, draftOf } from './check.ts';
import { CSV_COLUMNS } from './columns.ts';
import { checkOfRow } from './flat.ts';
import { checkOfOcsf, isOcsf } from './ocsf.ts';

/** Prowler's results of all versions. Checks that passed tell which accounts were looked at. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Prowler' };
  const targets = new Targets();
  const isJson = /[[{]/.test(await firstCharacter(open));
  const entries = isJson ? arrayOrLineEntries(open) : csvEntries(open, { columns: CSV_COLUMNS });
  yield* readEntries(
    entries,
    (entry) => {
      const check = isOcsf(entry) ? checkOfOcsf(entry) : checkOfRow(entry);
      const account = check && accountOf(check);
      if (account) targets.reached(account);
      return check && draftOf(check);
    },
    'the entry has no check, no title or no status',
  );
  yield* targets.events();
}
