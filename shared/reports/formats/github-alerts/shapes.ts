/** The places where an alert of code scanning describes its finding: in a list, or in pages in an array. */
export const CODE_SCANNING = ['[].most_recent_instance', '[].[].most_recent_instance'];

/** The places where an alert on a secret has its kind. */
export const SECRET_SCANNING = ['[].secret_type', '[].[].secret_type'];
