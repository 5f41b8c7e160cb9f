import { optionalEntries } from '../../readers/entries.ts';
import { listAt, textAt, textsAt } from '../../readers/json.ts';
import { rootMembers } from '../../readers/root-members.ts';
import {
  documentEvent,
  newStatedBudget,
  PROVES_NOTHING,
  REASON,
  type StatedBudget,
  spendProducts,
  statementEvent,
  timeOf,
} from '../../readers/vex.ts';
import { type OpenReport, ReportError, type ReportEvent, type StatedStatus } from '../../report/report.ts';
import { type ProductTree, productsIn } from './product-tree.ts';

/**
 * https://docs.oasis-open.org/csaf/csaf/v2.0/os/csaf-v2.0-os.html
 *
 * An informational advisory has no vulnerabilities (profile 3 of section 4): a document without statements.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open, 'document', 'product_tree');
  const { document } = root;
  if (textAt(document, 'csaf_version') === undefined)
    throw new ReportError('unsupported_format', 'The report is no CSAF document: it has no document.csaf_version.');
  const at = timeOf(textAt(document, 'tracking', 'current_release_date'));
  const namespace = textAt(document, 'publisher', 'namespace') ?? '';
  yield { kind: 'tool', name: 'CSAF' };
  yield documentEvent({
    id: `${namespace} ${textAt(document, 'tracking', 'id') ?? ''}`.trim(),
    author: textAt(document, 'publisher', 'name') ?? namespace,
    at,
    version: textAt(document, 'tracking', 'version'),
  });
  const tree = productsIn(root.product_tree);
  const budget = newStatedBudget();
  for await (const { value, where } of optionalEntries(open, [['vulnerabilities']])) {
    const vulnerabilities = [...textsAt(value, 'cve'), ...listAt(value, 'ids').flatMap((one) => textsAt(one, 'text'))];
    if (vulnerabilities.length === 0)
      yield { kind: 'rejected', reason: 'the vulnerability has neither cve nor ids', where };
    else yield* statementsOf({ value, vulnerabilities, at }, { tree, budget });
  }
  yield PROVES_NOTHING;
}

/** The lists of `product_status` (3.2.3.9), each with the status that it says. */
const STATUSES = {
  known_not_affected: 'not_affected',
  fixed: 'fixed',
  first_fixed: 'fixed',
  known_affected: 'affected',
  first_affected: 'affected',
  last_affected: 'affected',
  under_investigation: 'under_investigation',
} as const satisfies Record<string, StatedStatus>;

type Vulnerability = { value: unknown; vulnerabilities: string[]; at: string | undefined };
type Within = { tree: ProductTree; budget: StatedBudget };

/** A statement for each status and reason: a flag gives the reason of some products. */
function* statementsOf(
  { value, vulnerabilities, at }: Vulnerability,
  { tree, budget }: Within,
): Generator<ReportEvent> {
  const reasons = reasonsOf(value, tree);
  for (const [list, status] of Object.entries(STATUSES)) {
    const ids = textsAt(value, 'product_status', list);
    const reasonOf = (id: string) => (status === 'not_affected' ? (reasons.get(id) ?? '') : '');
    spendProducts(budget, ids.length);
    for (const [reason, some] of Map.groupBy(ids, reasonOf)) {
      const products = some.flatMap(tree.productsOf);
      yield statementEvent(budget, { vulnerabilities, status, products, reason, at });
    }
  }
}

/** The justifications (`flags`) and the impact statements (`threats`) of products by their ids. */
function reasonsOf(value: unknown, tree: ProductTree): Map<string, string> {
  const reasons = new Map<string, string>();
  const add = (about: unknown, text: string) => {
    const ids = [...textsAt(about, 'product_ids'), ...textsAt(about, 'group_ids').flatMap(tree.idsOfGroup)];
    for (const id of ids) {
      const known = reasons.get(id);
      if (known === undefined || known.length < REASON) reasons.set(id, known ? `${known}: ${text}` : text);
    }
  };
  for (const flag of listAt(value, 'flags')) for (const label of textsAt(flag, 'label')) add(flag, label);
  for (const threat of listAt(value, 'threats'))
    if (textAt(threat, 'category') === 'impact') for (const text of textsAt(threat, 'details')) add(threat, text);
  return reasons;
}
