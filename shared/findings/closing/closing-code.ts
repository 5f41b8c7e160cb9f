/**
 * The rows of docs/closing.md, by the ids in its tables: each row is a reason why a finding stays open after a scan.
 * The sentence is for the person who asks for the reason.
 */
export const CLOSING_REASONS = {
  still_reported: 'The last scan of the scan scope still reports the finding.',
  not_in_scope: 'No later scan has the same target, zone, format, scan type, part and branch.',
  other_tool: 'Another tool, or another category of the tool, wrote the report.',
  no_target: 'The import names no target: send target or repository.',
  scan_partial: 'The sender calls the report partial or the scan unfinished.',
  report_incomplete: 'The report is incomplete: it breaks off, has a rejected entry, or its tool reports an error.',
  not_reached: 'The scan did not reach the target or the asset of the finding.',
  not_looked_for:
    'The scan did not look for the finding: it tried other ports, ran no scripts, or skipped the control or package.',
  not_newer: 'The finding was seen or opened again after the scan came in.',
  held: 'The scan would close unusually many findings, or a whole folder: somebody must confirm that.',
  scan_unfinished: 'Other reports of the same scan are not applied yet, or could not be read.',
  decided: 'A person had decided when the scan came in: the next scan of its scope decides again.',
  written_by_hand: 'A person wrote the finding: only a person closes it.',
  of_appliance: 'An Apex appliance found it: only a person closes it.',
} as const;

export type ClosingCode = keyof typeof CLOSING_REASONS;

export const CLOSING_CODES = Object.keys(CLOSING_REASONS) as [ClosingCode, ...ClosingCode[]];
