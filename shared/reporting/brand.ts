import type { ReportDocument } from './document.ts';

/** The looks of reports of an organization that has set none. */
export const brandOf = (organization: string): ReportDocument['brand'] => ({
  organization,
  logo: null,
  colour: '#1f4e8c',
  footer: null,
});
