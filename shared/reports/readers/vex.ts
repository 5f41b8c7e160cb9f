import {
  LIMITS,
  ReportError,
  type ReportEvent,
  type StatedDocument,
  type StatedProduct,
  type Statement,
} from '../report/report.ts';
import { bounded, oneLine } from './text.ts';

/** Bytes of a reason: a finding has room for no more. */
export const REASON = 250;

/** Products and components of all statements of a document together. The largest that vendors publish have some ten thousand. */
const MAX_PRODUCTS = 50_000;

/** How many more products the statements of a document may name. */
export type StatedBudget = { products: number };
export const newStatedBudget = (): StatedBudget => ({ products: MAX_PRODUCTS });

/** @throws too_large */
export function spendProducts(budget: StatedBudget, products: number): void {
  budget.products -= products;
  if (budget.products < 0)
    throw new ReportError('too_large', `The statements name more than ${MAX_PRODUCTS} products: split the document.`);
}

/** The document of the statements that follow. */
export const documentEvent = ({ author, id, ...document }: StatedDocument): ReportEvent => ({
  kind: 'document',
  document: { ...document, id: said(id, LIMITS.location), author: said(author, LIMITS.tag) || 'an unnamed author' },
});

/** A document that only states proves nothing gone: a finding that it does not name may be there. */
export const PROVES_NOTHING: ReportEvent = { kind: 'incomplete', code: 'no_scan' };

/** A statement within the limits; one without a product is about the subject of the document. @throws too_large once the document has too many products */
export function statementEvent(budget: StatedBudget, statement: Statement): ReportEvent {
  const { vulnerabilities, reason, at } = statement;
  const products: readonly StatedProduct[] = statement.products.length > 0 ? statement.products : [{ isSubject: true }];
  for (const { parts = [] } of products) spendProducts(budget, 1 + parts.length);
  return {
    kind: 'statement',
    statement: {
      ...statement,
      vulnerabilities: [...new Set(vulnerabilities.slice(0, LIMITS.identifiers).map((id) => said(id, LIMITS.tag)))],
      products: products.map(({ parts = [], ...product }) => ({
        ...productOf(product),
        ...(parts.length > 0 && { parts: parts.map(productOf) }),
      })),
      reason: said(reason, REASON),
      ...(at && { at }),
    },
  };
}

const productOf = ({ name, version, purl, isSubject }: StatedProduct): StatedProduct => ({
  ...(isSubject && { isSubject }),
  ...(name !== undefined && { name: said(name, LIMITS.location) }),
  ...(version !== undefined && { version: said(version, LIMITS.tag) }),
  ...(purl !== undefined && { purl: said(purl, LIMITS.location) }),
});

const said = (text: string, limit: number): string => bounded(oneLine(text), limit);

/** A time in UTC; undefined for a text that is no time. */
export function timeOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
