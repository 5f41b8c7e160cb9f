import { jsonEntries } from '../../readers/entries.ts';
import { isObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { rootMembers } from '../../readers/root-members.ts';
import { documentEvent, newStatedBudget, PROVES_NOTHING, statementEvent, timeOf } from '../../readers/vex.ts';
import type { OpenReport, ReportEvent, StatedProduct, StatedStatus, Statement } from '../../report/report.ts';

/** OpenVEX 0.2.0 (https://github.com/openvex/spec), and the texts that earlier versions have in place of objects. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open);
  const [budget, at] = [newStatedBudget(), timeIn(root)];
  yield { kind: 'tool', name: 'OpenVEX' };
  yield documentEvent({
    id: textAt(root, '@id') ?? '',
    author: textAt(root, 'author') ?? '',
    at,
    version: textAt(root, 'version') ?? (typeof root.version === 'number' ? String(root.version) : undefined),
  });
  for await (const { value, where } of jsonEntries(open, 'statements')) {
    const statement = statementOf(value, at);
    if (statement) yield statementEvent(budget, statement);
    else yield { kind: 'rejected', reason: 'the statement has no vulnerability or no status of OpenVEX', where };
  }
  yield PROVES_NOTHING;
}

const timeIn = (said: unknown): string | undefined => timeOf(textAt(said, 'last_updated') ?? textAt(said, 'timestamp'));

const STATUSES: readonly StatedStatus[] = ['not_affected', 'affected', 'fixed', 'under_investigation'];

/** @param at the time of the document, which counts for a statement without a time */
function statementOf(value: unknown, at: string | undefined): Statement | undefined {
  const vulnerabilities = [
    ...textsAt(value, 'vulnerability'),
    ...['name', '@id', 'aliases'].flatMap((member) => textsAt(value, 'vulnerability', member)),
  ];
  const status = STATUSES.find((one) => one === textAt(value, 'status'));
  if (!status || vulnerabilities.length === 0) return undefined;
  const reasons = ['justification', 'impact_statement', 'status_notes'].flatMap((member) => textsAt(value, member));
  const products = listAt(value, 'products').flatMap(productOf);
  return { vulnerabilities, status, products, reason: reasons.join(': '), at: timeIn(value) ?? at };
}

function productOf(product: unknown): StatedProduct[] {
  if (typeof product !== 'string' && !isObject(product)) return [];
  const parts = listAt(product, 'subcomponents').map(named);
  return [{ ...named(product), ...(parts.length > 0 && { parts }) }];
}

function named(product: unknown): StatedProduct {
  const id = textAt(product, '@id') ?? textAt(product) ?? '';
  const purl = textAt(product, 'identifiers', 'purl');
  if (purl !== undefined) return { name: id, purl };
  return id.startsWith('pkg:') ? { purl: id } : { name: id };
}
