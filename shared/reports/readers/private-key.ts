/** A private key in PEM; a report may have only its first lines. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[\s\S]*?(?=-----END |$)/g;

/** A text without its private keys, over any number of lines. */
export const withoutPrivateKeys = (text: string): string => text.replace(PRIVATE_KEY, '-----BEGIN PRIVATE KEY **** ');
