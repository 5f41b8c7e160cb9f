/** The formats of a report. `csv` has a file for each table; `sbom` (CycloneDX) and `vex` (OpenVEX) are of the kind `sbom_vex`. */
export const REPORT_FORMATS = {
  pdf: { ending: 'pdf', mediaType: 'application/pdf' },
  html: { ending: 'html', mediaType: 'text/html; charset=utf-8' },
  xlsx: { ending: 'xlsx', mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { ending: 'csv', mediaType: 'text/csv; charset=utf-8' },
  sbom: { ending: 'cdx.json', mediaType: 'application/vnd.cyclonedx+json; version=1.6' },
  vex: { ending: 'openvex.json', mediaType: 'application/json' },
  json: { ending: 'json', mediaType: 'application/json' },
} as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;

/** The name of a file in the folder of a report. */
export const fileName = (format: ReportFormat, table?: string): string =>
  table === undefined ? `report.${REPORT_FORMATS[format].ending}` : `tables/${table}.csv`;

/** The facts, once they are gathered. */
export const FACTS_FILE = 'facts.json';
