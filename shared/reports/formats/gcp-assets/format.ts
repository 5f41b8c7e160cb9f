import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

const PLACES = ['', '[].', 'assets.[].'];

export const gcpAssets = defineFormat({
  id: 'gcp-assets',
  label: 'GCP Cloud Asset Inventory (gcloud asset export or list, JSON or JSON lines)',
  begins: '[{',
  recognise: (head) =>
    /"name"\s*:\s*"\/\/[a-z]{1,60}\.googleapis\.com\//.test(head) &&
    hasShape(head, ...PLACES.flatMap((place) => [`${place}assetType`, `${place}asset_type`])),
  read: () => import('./read.ts'),
});
