import * as z from 'zod';
import { objectNamed, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** Imports compare each address with the blocks of all zones. */
export const MAX_ZONES = 200;

const Block = z.string().trim().min(1).max(50);

/** A part of the network in which an address means one host. Assets, scanners and targets name it by its name. */
export const Zone = objectNamed('Zone', {
  ...recordFields,
  name: readOnly(z.string()),
  description: z.string().max(1000).nullable().default(null),
  cidrs: z
    .array(Block)
    .max(100)
    .default([])
    .meta({
      description: 'blocks of addresses; if several blocks hold an address, the longest prefix decides',
      example: ['10.1.0.0/16'],
    }),
});
export type Zone = z.infer<typeof Zone>;

export const zones = defineEntity(Zone, {
  name: 'zone',
  feedFields: ['name', 'description', 'cidrs'],
  search: ({ name, description }) => [name, description],
  unique: ({ name, cidrs }) => ({ name, cidr: cidrs }),
});
