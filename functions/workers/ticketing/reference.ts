/*
 * Jira shows all comments of this service under the account of its token. So each comment names its author, and a
 * reference that identifies it.
 */

const SERVICE = 'exposure management';

/** Identifies a comment of this service, at its end. */
export const markOf = (reference: string): string => `(ref ${reference})`;

/** A comment that somebody wrote here. */
export const forwardedText = (text: string, author: string, reference: string): string =>
  `${text}\n\n${author}, in the ${SERVICE} ${markOf(reference)}`;

/** A comment about a change of the subject. */
export const noticeOf = (saying: string, reason: string | undefined, reference: string): string =>
  `${reason ? `${saying} ${reason}` : saying}\n\nSent by the ${SERVICE} ${markOf(reference)}`;

/** The reference at the end of a comment that this service wrote; of any other undefined. */
export const referenceIn = (text: string): string | undefined =>
  /\(ref ([0-9a-f-]{36}(?:#\d{1,9})?)\)$/.exec(text.trimEnd())?.[1];
