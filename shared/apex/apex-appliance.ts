import * as z from 'zod';
import { clampedNumber, truncatedText } from '#shared/platform/http/bounded-field.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity, type Tally } from '#shared/platform/table/entity.ts';
import { linkFields, machineFeedFields, machineSettings, machineState } from '#shared/scanning/machines/machine.ts';
import { APEX_TASK_TYPES, type ApexTaskType } from './apex-task.ts';

const TaskTypes = z.array(z.string().max(60)).max(50);
const work = {
  taskTypes: TaskTypes.default([]),
  capacity: z
    .int()
    .min(0)
    .max(50)
    .nullable()
    .default(null)
    .meta({ description: 'maximum number of tasks at once; null: as many as the appliance asks for' }),
};

const ReportedTask = z.object({
  taskId: Id,
  progress: clampedNumber(0, 1).default(0),
  step: truncatedText(120).optional(),
  message: truncatedText(500).optional(),
});
export type ReportedTask = z.infer<typeof ReportedTask>;
export const RunningTasks = z.array(ReportedTask).max(200);

/** The body that an Apex appliance sends to link and to poll. */
export const ApexDataSource = objectNamed('ApexDataSource', {
  ...linkFields,
  taskTypes: TaskTypes.optional().meta({ description: 'task types that the appliance supports; none: all' }),
  capacity: work.capacity.optional().meta({
    description: 'when linking: tasks at once; when polling: the number of further tasks that the appliance takes now',
    example: 1,
  }),
  running: RunningTasks.optional(),
});
export type ApexDataSource = z.infer<typeof ApexDataSource>;

/** An appliance that carries out campaigns. */
export const ApexAppliance = objectNamed('ApexAppliance', {
  ...recordFields,
  ...machineSettings,
  ...machineState,
  public: readOnly(z.boolean().default(false)).meta({
    description: 'the appliance takes tasks of every organization, as a public appliance',
    readOnly: true,
  }),
  taskTypes: readOnly(work.taskTypes).meta({
    description: 'task types that the appliance supports; none: all',
    readOnly: true,
  }),
  capacity: work.capacity,
  maintenanceUntil: Timestamp.nullable().default(null),
  notes: z.string().max(2000).nullable().default(null),
  runningTasks: live(z.int().nonnegative().optional()),
  session: live(
    z
      .object({
        id: Id,
        state: z.enum(['starting', 'idle', 'busy', 'stopping', 'error']),
        updatedAt: Timestamp,
        resources: z.record(z.string(), z.number()),
      })
      .nullish(),
  ),
});
export type ApexAppliance = z.infer<typeof ApexAppliance>;

/** The provider's staff's view of an appliance. */
export const PublicApexAppliance = ApexAppliance.extend({
  public: z.boolean().default(false).meta({
    description: 'true: the appliance takes only tasks of campaigns with `usePublicApex`, of every organization',
  }),
}).meta({ id: 'PublicApexAppliance' });

/** The types in an appliance's list that this release knows. An empty list means all types. */
export const knownApexTypes = (named: readonly string[]): ApexTaskType[] =>
  named.length === 0 ? [...APEX_TASK_TYPES] : APEX_TASK_TYPES.filter((type) => named.includes(type));

export const apexAppliances = defineEntity<ApexAppliance>(ApexAppliance, {
  name: 'apex-appliance',
  feedFields: [...machineFeedFields, 'capacity', 'public', 'maintenanceUntil'],
  facets: ({ status }) => count({ status }),
  indexed: ({ status }) => ({ status }),
  tallies: (appliance) => [{ facet: 'zone', value: appliance.zone }, ...fitTallies(appliance)],
  search: ({ name, hostname, zone, tags }) => [name, hostname, zone, ...tags],
  unique: ({ instanceId }) => ({ instanceId }),
});

/** The tally value of public appliances. */
export const PUBLIC_FIT = '*public';

/**
 * Counts enabled appliances by type, and by type while online (`on:`). The value '' counts all appliances, `=zone` the
 * appliances of a zone. Public appliances have a value of their own, and count only there.
 */
function fitTallies({ enabled, status, zone, taskTypes, public: isPublic }: ApexAppliance): Tally[] {
  if (!enabled) return [];
  const names = ['any', ...knownApexTypes(taskTypes)].flatMap((type) =>
    status === 'online' ? [type, `on:${type}`] : [type],
  );
  const add = Object.fromEntries(names.map((name) => [name, 1]));
  const places = ['', ...(zone === null ? [] : [`=${zone}`])];
  return (isPublic ? [PUBLIC_FIT] : places).map((value) => ({ facet: 'fit', value, add }));
}
