import * as z from 'zod';

const short = z.string().trim().min(1).max(300);

/** Most addresses or names of one kind that an asset keeps. */
export const MAX_IDENTIFIERS = 20;
const texts = z.array(short).max(MAX_IDENTIFIERS).default([]);

/** The identifiers by which tools know an asset, besides its name. */
export const AssetIdentifiers = z.object({
  ips: texts.meta({ example: ['10.0.0.7'] }),
  macs: texts.meta({ example: ['00:1a:2b:3c:4d:5e'] }),
  hostnames: texts.meta({ example: ['web-01'] }),
  fqdns: texts.meta({ example: ['web-01.example.com'] }),
  machineIds: texts.meta({
    description: 'UUIDs of the hardware and ids of the system',
    example: ['4c4c4544-0034-3010-8056-b4c04f4a3232'],
  }),
  cloudResourceId: short.nullable().default(null),
  agentId: short.nullable().default(null).meta({ description: 'of the EDR product' }),
  serialNumber: short.nullable().default(null),
  imageDigest: short.nullable().default(null),
});
export type AssetIdentifiers = z.infer<typeof AssetIdentifiers>;

/** The place of the asset in a cloud. */
export const CloudPlace = z.object({
  provider: short.meta({ example: 'aws' }),
  accountId: short.nullable().default(null),
  region: short.nullable().default(null),
  resourceId: short.nullable().default(null),
  tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
});

/** The identifiers by which people search, without those that only machines write. */
export const identifierWords = (identifiers: AssetIdentifiers | undefined): string[] =>
  identifiers ? [...identifiers.hostnames, ...identifiers.fqdns, ...identifiers.ips, ...identifiers.macs] : [];
