import { checkOfAws } from '../../readers/benchmark-aws.ts';
import { csvEntries } from '../../readers/csv-entries.ts';
import { arrayOrLineEntries, firstCharacter, readEntries } from '../../readers/entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { Targets } from '../../readers/targets.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { accountOf, draftOf } from './check.ts';
import { CSV_COLUMNS } from './columns.ts';
import { checkOfRow } from './flat.ts';
import { checkOfOcsf, isOcsf } from './ocsf.ts';

/** Prowler's results of all versions. Passed checks show which accounts were checked. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Prowler' };
  const targets = new Targets();
  const passed = new PassedChecks();
  const isJson = /[[{]/.test(await firstCharacter(open));
  const entries = isJson ? arrayOrLineEntries(open) : csvEntries(open, { columns: CSV_COLUMNS });
  yield* readEntries(
    entries,
    (entry) => {
      const check = isOcsf(entry) ? checkOfOcsf(entry) : checkOfRow(entry);
      const account = check ? accountOf(check) : null;
      if (account) targets.reached(account);
      if (check && /^pass/i.test(check.status)) passed.add(checkOfAws(check.id), account);
      return check && draftOf(check);
    },
    'the entry has no check, no title or no status',
  );
  yield* targets.events();
  yield* passed.events();
}
