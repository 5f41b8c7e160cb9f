import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { ExposedService, Product } from './product.ts';

const amount = z.int().nonnegative();

export const ProductAggregation = objectNamed('ProductAggregation', {
  vendor: z.string().nullable(),
  product: z.string(),
  version: z.string().nullable().meta({ description: 'null: not known' }),
  cpe: z.string().nullable(),
  assets: amount,
  findings: z.record(Severity, amount).meta({ description: 'open ones' }),
});

export const ServiceAggregation = objectNamed('ServiceAggregation', {
  service: z.string().nullable().meta({ description: 'null: not known' }),
  port: z.int(),
  protocol: z.string(),
  assets: amount,
  exposedAssets: amount,
});

type Shown<T> = Omit<T, 'onAssets' | 'labels'>;

export const showProduct = ({ vendor, product, release, cpe, assets, findings }: Shown<Product>) => ({
  vendor,
  product,
  version: release,
  cpe,
  assets,
  findings,
});

export const showService = ({ service, port, protocol, assets, exposedAssets }: ExposedService) => ({
  service,
  port,
  protocol,
  assets,
  exposedAssets,
});
