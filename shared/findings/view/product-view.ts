import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { digestOf } from '#shared/assets/inventory/part.ts';
import { type Product, products } from '#shared/assets/inventory/product.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { changeBag } from '#shared/platform/views/bag.ts';
import { type Change, sourceOf, type View, viewOf } from '#shared/platform/views/view.ts';
import { fuller } from '#shared/reports/readers/inventories.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';

type Label = { vendor: string | null; product: string; version: string | null; cpe: string | null };
type Facts = { asset: string; label: Label; severity?: Severity };

/** Tools spell a product in upper and lower case; they agree on its version or have none. */
const keyOf = ({ product, version }: Label): string => digestOf(JSON.stringify([product.toLowerCase(), version]));

const placeOf = (assetId: string): string => ordinalOf(assetId).toString(36);

/** A product counts once on an asset, however many services run it. */
function onAsset({ id, products: named = [], retiredAt }: Asset) {
  if (retiredAt) return [];
  const byKey = new Map(named.map((label) => [keyOf(label), label]));
  return [...byKey].map(([key, label]) => ({ key, facts: { asset: placeOf(id), label } }));
}

/** An open finding names the component that has the problem. */
function inFinding({ component, status, severity, asset }: StoredFinding) {
  if (!component || !isOpen(status)) return [];
  const label = { vendor: null, product: component.name, version: component.version ?? null, cpe: null };
  return [{ key: keyOf(label), facts: { asset: placeOf(asset.id), label, severity } }];
}

function apply(current: Product | undefined, { key, added, removed }: Change<Facts>) {
  const bagOf = (name: 'onAssets' | 'labels', textOf: (facts: Facts) => string): [string, number][] =>
    changeBag(current?.[name] ?? [], { added: added.map(textOf), removed: removed.map(textOf) }).map(
      ([value, times]): [string, number] => [value, times],
    );
  const onAssets = bagOf('onAssets', ({ asset }) => asset);
  const labels = bagOf('labels', ({ label }) => JSON.stringify(label));
  if (onAssets.length === 0) return undefined;
  const named = labels.map(([text]): Label => JSON.parse(text));
  const { product, version: release, ...label } = named.reduce(fuller, named[0] as Label);
  const countOf = (facts: readonly Facts[], severity: Severity) =>
    facts.filter((one) => one.severity === severity).length;
  const counted = Severity.options.map((severity): [Severity, number] => {
    const before = current?.findings[severity] ?? 0;
    return [severity, before + countOf(added, severity) - countOf(removed, severity)];
  });
  const findings = Object.fromEntries(counted) as Product['findings'];
  return { key, ...label, product, release, assets: onAssets.length, findings, onAssets, labels };
}

/** Products, from their assets and from the open findings that name them. */
export const productView: View = viewOf({
  name: 'products',
  sources: [sourceOf(assets, onAsset), sourceOf(findings, inFinding)],
  target: products,
  field: 'key',
  apply,
});
