/** Where an alert of code scanning says what it found: of a list, or of pages in an array. */
export const CODE_SCANNING = ['[].most_recent_instance', '[].[].most_recent_instance'];

/** Where an alert on a secret says its kind. */
export const SECRET_SCANNING = ['[].secret_type', '[].[].secret_type'];
