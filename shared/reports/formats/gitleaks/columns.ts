/** Of version 8; a scan without findings writes only the header. */
export const CSV_COLUMNS = ['RuleID', 'Commit', 'File', 'Secret', 'Fingerprint'];
