import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { InventoryType, OS_FAMILIES } from '../report/report.ts';
import { type InventoryDraft, osNamed } from './inventories.ts';

const short = z.string().trim().min(1).max(300);
const said = short.nullish();
const texts = z.array(short).max(20).optional();

/** An asset of an inventory from an integrator or a script. Other fields are ignored. */
export const InventoryItem = objectNamed('InventoryItem', {
  type: InventoryType,
  value: z.string().trim().min(1).max(2048).meta({
    description: 'a permanent identifier: a host name or address, or the id of a cloud resource',
    example: 'web-01.example.com',
  }),
  name: said,
  identifiers: z
    .object({
      ips: texts,
      macs: texts,
      hostnames: texts,
      fqdns: texts,
      machineIds: texts,
      cloudResourceId: said,
      agentId: said,
      serialNumber: said,
      imageDigest: said,
    })
    .nullish(),
  cloud: z
    .object({
      provider: short,
      accountId: said,
      region: said,
      resourceId: said,
      tags: z.record(z.string().min(1).max(128), z.string().max(256)).nullish(),
    })
    .nullish(),
  internetExposed: z.boolean().nullish(),
  os: z.object({ family: z.enum(OS_FAMILIES).nullish(), name: said, version: said }).nullish(),
  services: z
    .array(
      z.object({
        port: z.int().min(0).max(65_535),
        protocol: z.string().max(20).default('tcp'),
        service: said,
        product: said,
        version: said,
        cpe: said,
      }),
    )
    .max(500)
    .nullish()
    .meta({ description: 'the complete list; omit it if unknown' }),
  software: z
    .array(z.object({ name: short, version: said, vendor: said, purl: z.string().max(1000).nullish(), cpe: said }))
    .max(20_000)
    .nullish()
    .meta({ description: 'the complete list; omit it if unknown' }),
});
export type InventoryItem = z.infer<typeof InventoryItem>;

/** An item as readers give assets. */
export function draftOf(item: InventoryItem): InventoryDraft {
  const { type, value, name, internetExposed, os, services, software } = item;
  const named = type === 'host' || type === 'domain' ? value.toLowerCase() : value;
  const family = os?.family ?? osNamed(os?.name ?? undefined)?.family;
  const cloud = item.cloud && { ...NO_CLOUD, ...given(item.cloud), provider: item.cloud.provider };
  const facts = {
    ...(name && { name }),
    ...(item.identifiers && { identifiers: given(item.identifiers) }),
    ...(cloud && { cloud }),
    ...(internetExposed != null && { internetExposed }),
  };
  return {
    asset: { type, value: named },
    ...(services && { services }),
    ...(software && { software }),
    ...(family && { os: { family, name: os?.name ?? null, version: os?.version ?? null } }),
    facts,
  };
}

const NO_CLOUD = { accountId: null, region: null, resourceId: null, tags: {} };

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that have a value. */
const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Given<T>;
