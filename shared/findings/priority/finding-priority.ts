import * as z from 'zod';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { objectNamed } from '#shared/platform/http/records.ts';

export const FACTORS = ['severity', 'epss', 'kev', 'exposure', 'criticality', 'age'] as const;

/** A part of a priority: its source, its points and its highest possible points. */
export const PriorityFactor = objectNamed('PriorityFactor', {
  name: z.enum(FACTORS),
  value: z.string().meta({ example: 'critical, 9.8' }),
  points: z.number().min(0),
  most: z.int().positive(),
  lowerBy: z.string().nullable().meta({ description: 'what people can do to remove the points; null: nothing' }),
});
export type PriorityFactor = z.infer<typeof PriorityFactor>;

/** An asset's part in the danger, unless it has criticality medium and no known exposure. */
export const Stakes = z.object({
  criticality: z.enum(CRITICALITIES).exclude(['medium']).optional(),
  exposed: z.literal(true).optional(),
});
export type Stakes = z.infer<typeof Stakes>;

/** Least urgent first. */
const SSVC_DECISIONS = ['track', 'track_star', 'attend', 'act'] as const;

/** CISA's decision with its answers. */
export const Ssvc = z
  .object({
    decision: z.enum(SSVC_DECISIONS),
    exploitation: z.enum(['none', 'poc', 'active']),
    automatable: z.boolean(),
    technicalImpact: z.enum(['partial', 'total']),
    missionAndWellBeing: z.enum(['low', 'medium', 'high']),
  })
  .meta({ id: 'Ssvc', description: 'docs/priority.md says where the answers come from' });
export type Ssvc = z.infer<typeof Ssvc>;

/** Texts are read from the least: 100 becomes `000`. */
export const mostFirst = (priority: number): string => String(100 - priority).padStart(3, '0');

/** The place of a chance of exploitation, in hundredths: 0.25 and chances that round down to it share one place. */
export const placeOfEpss = (epss: number): string => mostFirst(Math.floor(epss * 100 + 1e-9));
