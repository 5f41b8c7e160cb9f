import * as z from 'zod';
import { Severity } from '#shared/reports/report/report.ts';
import type { ExposedService, Product } from './product.ts';

const amount = z.int().nonnegative();

export const ProductAggregation = z
  .object({
    vendor: z.string().nullable(),
    product: z.string(),
    version: z.string().nullable().meta({ description: 'null: not known' }),
    cpe: z.string().nullable(),
    assets: amount,
    findings: z.record(Severity, amount).meta({ description: 'open ones' }),
  })
  .meta({ id: 'ProductAggregation' });

export const ServiceAggregation = z
  .object({
    service: z.string().nullable().meta({ description: 'null: not known' }),
    port: z.int(),
    protocol: z.string(),
    assets: amount,
    exposedAssets: amount,
  })
  .meta({ id: 'ServiceAggregation' });

type Shown<T> = Omit<T, 'onAssets' | 'labels'>;

export const showProduct = ({ vendor, product, release, cpe, assets, findings }: Shown<Product>) => ({
  ...{ vendor, product, version: release, cpe, assets, findings },
});

export const showService = ({ service, port, protocol, assets, exposedAssets }: ExposedService) => ({
  ...{ service, port, protocol, assets, exposedAssets },
});
