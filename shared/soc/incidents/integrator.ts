import * as z from 'zod';
import { Id, objectNamed, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { linkFields, machineSettings, machineState, plainMachine } from '#shared/scanning/machines/machine.ts';

/** The body of an integrator's link request, of its polls and of its results. */
export const IntegratorDataSource = objectNamed('IntegratorDataSource', {
  ...linkFields,
  capabilities: z
    .array(z.object({ action: z.string().max(60), targetTypes: z.array(z.string().max(60)).max(20).optional() }))
    .max(50)
    .optional()
    .meta({
      description: 'response actions that the integrator offers; no `targetTypes`: for targets of any type',
      example: [{ action: 'isolate_host', targetTypes: ['host'] }],
    }),
  capacity: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .meta({ description: 'the number of further actions that the integrator takes now', example: 1 }),
  running: z
    .array(z.object({ taskId: Id }))
    .max(100)
    .optional(),
  results: z.array(z.unknown()).max(100).optional().meta({ description: '`ResponseOutcome` each' }),
});
export type IntegratorDataSource = z.infer<typeof IntegratorDataSource>;

/** A machine that connects the service with the systems of a customer. */
export const Integrator = z.object({ ...recordFields, ...machineSettings, ...machineState }).meta({ id: 'Integrator' });
export type Integrator = z.infer<typeof Integrator>;

export const integrators = defineEntity<Integrator>(Integrator, {
  name: 'integrator',
  together: true,
  ...plainMachine,
});
