/** Of version 8; a scan that found nothing writes the header alone. */
export const CSV_COLUMNS = ['RuleID', 'Commit', 'File', 'Secret', 'Fingerprint'];
