import { listAt, textAt, textsAt } from '../../readers/json.ts';
import type { StatedProduct } from '../../report/report.ts';

/** The products of a document by the ids that its vulnerabilities use. */
export type ProductTree = {
  /** The products of an id; an unknown id names nothing here. */
  productsOf: (id: string) => StatedProduct[];
  idsOfGroup: (id: string) => string[];
};

export function productsIn(tree: unknown): ProductTree {
  const products = new Map<string, StatedProduct[]>();
  for (const product of [...listAt(tree, 'full_product_names'), ...inBranches(tree)]) add(products, product);
  for (const relationship of listAt(tree, 'relationships')) relate(products, relationship);
  const groups = new Map(
    listAt(tree, 'product_groups').map((group) => [textAt(group, 'group_id'), textsAt(group, 'product_ids')]),
  );
  return {
    productsOf: (id) => products.get(id) ?? [{ name: id }],
    idsOfGroup: (id) => groups.get(id) ?? [],
  };
}

/** The products of all branches, however deep. */
function inBranches(tree: unknown): unknown[] {
  const found: unknown[] = [];
  const left = [...listAt(tree, 'branches')];
  for (let branch = left.pop(); branch !== undefined; branch = left.pop()) {
    const { product } = Object(branch);
    if (product !== undefined) found.push(product);
    left.push(...listAt(branch, 'branches'));
  }
  return found;
}

function add(products: Map<string, StatedProduct[]>, product: unknown): void {
  const [id, name] = [textAt(product, 'product_id'), textAt(product, 'name')];
  if (id === undefined) return;
  const purls = ['purl', 'purls'].flatMap((member) => textsAt(product, 'product_identification_helper', member));
  const named = purls.slice(0, MAX_NAMES).map((purl) => ({ name: name ?? id, purl }));
  products.set(id, named.length > 0 ? named : [{ name: name ?? id }]);
}

/** Package URLs of one product. */
const MAX_NAMES = 10;

/**
 * A component of a product. The packages of a distribution are products of their own: operating systems have no package
 * URL, and no asset has their names.
 */
function relate(products: Map<string, StatedProduct[]>, relationship: unknown): void {
  const id = textAt(relationship, 'full_product_name', 'product_id');
  const parts = products.get(textAt(relationship, 'product_reference') ?? '')?.map(alone);
  const whole = products.get(textAt(relationship, 'relates_to_product_reference') ?? '')?.map(alone);
  if (id === undefined || !parts || !whole) return;
  const isOfSystem = whole.every(({ purl }) => purl === undefined) && parts.every(isPackage);
  products.set(id, isOfSystem ? parts : whole.map((one) => ({ ...one, parts })));
}

const alone = ({ name, purl }: StatedProduct): StatedProduct => ({ name, purl });
const isPackage = ({ purl = '' }: StatedProduct): boolean => /^pkg:(?:rpm|deb|apk|alpm)\//.test(purl);
