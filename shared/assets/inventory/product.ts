import * as z from 'zod';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Severity } from '#shared/reports/report/report.ts';

const stored = { id: z.string(), version: z.number(), createdAt: z.string(), updatedAt: z.string() };

/** Values with their counts (shared/platform/views/bag.ts). */
const Bag = z.array(z.tuple([z.string(), z.number()]));

const counts = z.record(Severity, z.int().nonnegative());

/** A product in one version, as assets and findings name it. */
const Product = z.object({
  ...stored,
  key: z.string(),
  vendor: z.string().nullable(),
  product: z.string(),
  release: z.string().nullable(),
  cpe: z.string().nullable(),
  assets: z.int().nonnegative(),
  /** Open findings. */
  findings: counts,
  /** The assets with the product, and the names that these assets and their findings use. */
  onAssets: Bag,
  labels: Bag,
});
export type Product = z.infer<typeof Product>;

export const products = defineEntity(Product, {
  name: 'product',
  search: ({ product, vendor, release, cpe }) => [product, vendor, release, cpe],
  ordered: ({ assets }) => ({ assets: mostFirst(assets) }),
  journal: true,
  unique: ({ key }) => ({ key }),
  detail: ['onAssets', 'labels'],
});

/** A kind of service on a port, on assets. */
const ExposedService = z.object({
  ...stored,
  key: z.string(),
  service: z.string().nullable(),
  port: z.int(),
  protocol: z.string(),
  assets: z.int().nonnegative(),
  exposedAssets: z.int().nonnegative(),
});
export type ExposedService = z.infer<typeof ExposedService>;

export const exposedServices = defineEntity(ExposedService, {
  name: 'service',
  facets: ({ exposedAssets }) => ({ exposed: exposedAssets > 0 ? 1 : 0 }),
  search: ({ service, port, protocol }) => [service, String(port), protocol],
  indexed: ({ exposedAssets }) => ({ exposed: exposedAssets > 0 ? 'true' : undefined }),
  ordered: ({ assets }) => ({ assets: mostFirst(assets) }),
  journal: true,
  unique: ({ key }) => ({ key }),
});

/**
 * A text that sorts larger numbers first. Large numbers with the same first three bits share a text, so that it changes
 * seldom.
 */
export function mostFirst(amount: number): string {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, amount))) - 3);
  return String(10 ** 9 - Math.floor(amount / unit) * unit).padStart(10, '0');
}
