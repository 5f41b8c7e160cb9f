/**
 * The rows of docs/closing.md, by the ids in its tables: each row is a reason why a finding stays open after a scan.
 * The sentence is for the person who asks for the reason.
 */
export const CLOSING_REASONS = {
  still_reported: 'The last scan of the scan scope still reports the finding.',
  not_in_scope:
    'No later scan of the same target, zone, format, scan type and branch has come in: a scan that differs in one of these proves nothing.',
  other_tool: 'The report is of another tool, or of another category of the tool, than the one that found it.',
  no_target: 'The import names no target: send target or repository.',
  scan_partial: 'The sender says that the report is partial or that the scan did not complete.',
  report_incomplete:
    'The report is not whole: it breaks off, an entry was rejected, or the tool reports an error of its own.',
  not_reached: 'The scan did not reach the target or the asset of the finding.',
  not_looked_for: 'The scan did not look for the finding: it tried other ports, or ran no scripts.',
  not_newer: 'The finding was seen or opened again after the scan came in.',
  held: 'The scan would close unusually many findings: somebody must confirm that they are gone.',
  scan_unfinished: 'Other reports of the same scan are not applied yet, or could not be read.',
  decided: 'A decision of a person applied when the scan came in: the next scan of the scan scope decides again.',
  written_by_hand: 'A person wrote the finding: only a person closes it.',
  of_appliance: 'An Apex appliance found it: appliances never say what is gone, so only a person closes it.',
} as const;

export type ClosingCode = keyof typeof CLOSING_REASONS;

export const CLOSING_CODES = Object.keys(CLOSING_REASONS) as [ClosingCode, ...ClosingCode[]];
