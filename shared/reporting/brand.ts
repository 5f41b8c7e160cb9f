import * as z from 'zod';
import { objectNamed, trimmedText } from '#shared/platform/http/records.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ReportDocument } from './document.ts';
import { logoProblem, MAX_LOGO_BYTES } from './logo.ts';
import { CLASSIFICATIONS } from './report.ts';
import { contrast, legible } from './write/palette.ts';

const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f4e8c')
  .nullable()
  .default(null);

/** The looks of the reports of an organization. */
export const ReportBrand = objectNamed('ReportBrand', {
  logo: z
    .base64()
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4)
    .nullable()
    .default(null)
    .meta({
      description:
        'a PNG in base64: at most 150 KB, 1,600 times 800 pixels, 8 bits a colour, not interlaced; null: the name alone',
      example: null,
    }),
  colour: Colour.meta({
    description: 'of titles and links; its contrast on white is at least 4.5; null: blue',
    example: '#1f4e8c',
  }),
  accent: Colour.meta({
    description: 'of bands, bars and lines; its contrast on white is at least 3; null: as `colour`',
    example: '#b3154a',
  }),
  footer: trimmedText(200)
    .nullable()
    .default(null)
    .meta({ description: 'on each page; null: the name of the organization' }),
  classification: z.enum(CLASSIFICATIONS).nullable().default(null).meta({ description: 'of reports that name none' }),
});
export type ReportBrand = z.infer<typeof ReportBrand>;

/** Only what differs from the defaults is stored. */
export const brandRows = defineRow<Partial<ReportBrand> & { version?: number }, object>({
  name: 'report-brand',
  about: 'logo, colours and footer of the reports of an organization, where it set them',
  key: () => ['all'],
});

export const readBrand = async (table: Table): Promise<ReportBrand> =>
  ReportBrand.parse((await table.rows(brandRows).find({}, true)) ?? {});

const DEFAULT_COLOUR = '#1f4e8c';

/** The looks as a report keeps them. */
export function brandOf(organization: string, { logo, colour, accent, footer }: ReportBrand): ReportDocument['brand'] {
  const own = colour ?? DEFAULT_COLOUR;
  return { organization, logo, colour: own, accent: accent ?? own, footer };
}

const LEAST = { colour: 4.5, accent: 3 } as const;

/** @throws validation_failed for a colour that readers cannot see, or a picture that is none */
export function assertBrand(brand: Partial<Record<keyof ReportBrand, string | null>>): void {
  for (const [name, least] of Object.entries(LEAST)) {
    const colour = brand[name as keyof typeof LEAST];
    if (!colour || contrast(colour, '#ffffff') >= least) continue;
    const better = legible(colour, '#ffffff', least);
    throw invalid(name, `must have a contrast of at least ${least} on white: ${better} has it`);
  }
  const problem = brand.logo ? logoProblem(Buffer.from(brand.logo, 'base64')) : undefined;
  if (problem) throw invalid('logo', problem);
}
