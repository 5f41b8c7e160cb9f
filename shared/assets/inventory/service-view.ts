import { type Change, sourceOf, type View, viewOf } from '#shared/platform/views/view.ts';
import { type Asset, assets } from '../asset/asset.ts';
import { digestOf } from './part.ts';
import { type ExposedService, exposedServices } from './product.ts';

type Facts = Pick<ExposedService, 'service' | 'port' | 'protocol'> & { exposed: boolean };

const onAsset = ({ services = [], internetExposed, retiredAt }: Asset) =>
  (retiredAt ? [] : services).map(({ service, port, protocol }) => ({
    key: digestOf(JSON.stringify([service, port, protocol])),
    facts: { service, port, protocol, exposed: internetExposed === true },
  }));

function apply(current: ExposedService | undefined, { key, added, removed }: Change<Facts>) {
  const [first] = [...added, ...removed];
  const count = (before = 0, counts: (facts: Facts) => boolean = () => true) =>
    before + added.filter(counts).length - removed.filter(counts).length;
  const assets = count(current?.assets);
  if (!first || assets === 0) return undefined;
  const { exposed: _exposed, ...place } = first;
  return { key, ...place, assets, exposedAssets: count(current?.exposedAssets, ({ exposed }) => exposed) };
}

/** Kinds of services, from the assets on which they answer. */
export const serviceView: View = viewOf({
  name: 'services',
  sources: [sourceOf(assets, onAsset)],
  target: exposedServices,
  field: 'key',
  apply,
});
