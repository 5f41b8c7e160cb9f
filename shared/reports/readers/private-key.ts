/** A private key in PEM, of which a report may have the first lines only. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[\s\S]*?(?=-----END |$)/g;

/** A text without its private keys, over any number of lines. */
export const withoutPrivateKeys = (text: string): string => text.replace(PRIVATE_KEY, '-----BEGIN PRIVATE KEY **** ');
