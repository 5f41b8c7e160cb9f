import * as z from 'zod';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Actor, Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

const name = z.string().trim().min(1).max(120);
const Person = z.string().min(1).max(120);
const description = z.string().max(2000).nullable().default(null);

/** The most environments of an application; its record holds them. */
export const MAX_ENVIRONMENTS = 50;

/** A stage at which an application runs. */
export const ApplicationEnvironment = objectNamed('ApplicationEnvironment', {
  id: readOnly(Id),
  applicationId: readOnly(Id),
  name: name.meta({ example: 'production' }),
  description,
  kind: z.enum(['production', 'staging', 'test', 'development', 'other']).default('other'),
  version: readOnly(z.int().positive()),
  createdAt: readOnly(Timestamp),
  updatedAt: readOnly(Timestamp),
  createdBy: readOnly(Actor),
});
export type ApplicationEnvironment = z.infer<typeof ApplicationEnvironment>;

/** Software that assets run together, with its people and its weight. */
export const Application = objectNamed('Application', {
  ...recordFields,
  name: name.meta({ example: 'Web shop' }),
  description,
  criticality: z.enum(CRITICALITIES).default('medium'),
  ownerId: Person.nullable()
    .default(null)
    .meta({ description: 'the id of a service account or your own id', example: null }),
  memberIds: z.array(Person).max(50).default([]).meta({ example: [] }),
  tags: z.array(name).max(50).default([]),
  internetExposed: z.boolean().nullable().default(null),
  dataClassification: z.string().trim().min(1).max(120).nullable().default(null).meta({ example: 'confidential' }),
  assets: live(z.int().nonnegative().meta({ description: 'linked assets that are not retired' })),
  environments: live(z.int().nonnegative()),
  links: live(figureLinks.links),
});
export type Application = z.infer<typeof Application>;

export const StoredApplication = z.object({
  ...Application.omit({ assets: true, environments: true, links: true }).shape,
  environments: z.array(ApplicationEnvironment),
});
export type StoredApplication = z.infer<typeof StoredApplication>;

export const applications = defineEntity(StoredApplication, {
  name: 'application',
  inPart: { applicationIds: 'self', teamIds: 'owner' },
  feedFields: ['name', 'criticality', 'ownerId', 'memberIds', 'tags', 'internetExposed', 'dataClassification'],
  search: ({ name, tags }) => [name, ...tags],
  indexed: ({ id, criticality, ownerId, memberIds, tags, internetExposed, dataClassification }) => ({
    self: id,
    criticality,
    owner: ownerId,
    member: memberIds,
    tag: tags.map(caseless),
    exposed: internetExposed == null ? null : String(internetExposed),
    data: dataClassification == null ? null : caseless(dataClassification),
  }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});
