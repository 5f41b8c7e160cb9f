import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Statement } from '#shared/reports/report/report.ts';
import { keysOf, keysOfSubject, type Named, namedBy, names, type Subject, subjectOf } from './names.ts';

/** `products`: by their keys. */
type Prepared = Omit<Statement, 'products'> & { products: ReadonlyMap<string, readonly Named[]> };

/** The statements of a document by the names of vulnerabilities, in upper case. */
export type Statements = ReadonlyMap<string, readonly Prepared[]>;

export function prepared(statements: readonly Statement[]): Statements {
  const byName = new Map<string, Prepared[]>();
  for (const statement of statements) {
    const one = { ...statement, products: byKey(statement.products.map(namedBy)) };
    for (const name of new Set(statement.vulnerabilities.map((id) => id.toUpperCase()))) {
      const others = byName.get(name);
      if (others) others.push(one);
      else byName.set(name, [one]);
    }
  }
  return byName;
}

function byKey(products: readonly Named[]): Map<string, Named[]> {
  const found = new Map<string, Named[]>();
  for (const product of products)
    for (const key of keysOf(product)) {
      const others = found.get(key);
      if (others) others.push(product);
      else found.set(key, [product]);
    }
  return found;
}

/**
 * The verdict of a document on a finding. `settle`: each vulnerability is no problem. `unproven`: it is fixed elsewhere, or
 * only some of several vulnerabilities are no problem. `open`: it is a problem, or under investigation.
 */
export type Verdict = { kind: 'settle'; reason: string } | { kind: 'unproven' } | { kind: 'open' };

type Judged = Pick<StoredFinding, 'asset' | 'component' | 'cves' | 'ruleId'> &
  Partial<Pick<StoredFinding, 'identifiers'>>;

/**
 * The verdict of a document on a finding; undefined where no statement names it. A finding about several vulnerabilities
 * is no problem only where none of them is.
 */
export function verdictOn(statements: Statements, finding: Judged, isTarget: boolean): Verdict | undefined {
  const cves = finding.identifiers?.cves ?? finding.cves;
  const subject = subjectOf(finding);
  const isRule = !cves.includes(finding.ruleId);
  const own = isRule ? newestAbout(statements, subject, { name: finding.ruleId, isTarget }) : undefined;
  const said = cves.map((name) => own ?? newestAbout(statements, subject, { name, isTarget }));
  const all = said.length > 0 ? said : [own];
  const verdicts = all.flatMap((one) => one ?? []).map(verdictOf);
  const open = verdicts.find(({ kind }) => kind === 'open');
  if (open || verdicts.length < all.length)
    return open ?? (verdicts.some(({ kind }) => kind === 'settle') ? { kind: 'unproven' } : verdicts[0]);
  return verdicts.find(({ kind }) => kind === 'unproven') ?? verdicts[0];
}

type About = { statement: Prepared; isExact: boolean };

/** The newest statement about one vulnerability of a finding; of two from one time the later one in the document. */
function newestAbout(
  statements: Statements,
  subject: Subject,
  { name, isTarget }: { name: string; isTarget: boolean },
): About | undefined {
  let newest: About | undefined;
  for (const statement of statements.get(name.toUpperCase()) ?? []) {
    if ((statement.at ?? '') < (newest?.statement.at ?? '')) continue;
    const match = bestMatch(statement, subject, isTarget);
    if (match) newest = { statement, isExact: match === 'exact' };
  }
  return newest;
}

function bestMatch({ products }: Prepared, subject: Subject, isTarget: boolean): 'exact' | 'any' | undefined {
  let best: 'any' | undefined;
  for (const key of keysOfSubject(subject))
    for (const product of products.get(key) ?? []) {
      const match = names(product, subject, isTarget);
      if (match === 'exact') return match;
      best ??= match;
    }
  return best;
}

/** The author of a fix vouches for one version. Another version has the problem until a scan no longer finds it. */
function verdictOf({ statement: { status, reason }, isExact }: About): Verdict {
  if (status === 'not_affected') return { kind: 'settle', reason: reason || status };
  if (status === 'fixed')
    return isExact ? { kind: 'settle', reason: reason || 'fixed in this version' } : { kind: 'unproven' };
  return { kind: 'open' };
}
