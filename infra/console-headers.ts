/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const TURNSTILE = 'https://challenges.cloudflare.com';

/**
 * The headers of every file of the console, in the stack and in the local system. The console loads nothing from other origins, runs no
 * script of a text that it shows, and stands in no frame. It sends reports to the presigned addresses of the storage, and shows evidence
 * from there in a sandboxed frame. Where Turnstile makes the bot challenges, the page of the sign-up loads its script and its frame.
 */
export const consolePolicy = (storage: string, turnstileSiteKey?: string): string =>
  [
    "default-src 'none'",
    turnstileSiteKey === undefined ? "script-src 'self'" : `script-src 'self' ${TURNSTILE}/turnstile/v0/`,
    "style-src 'self'",
    `connect-src 'self' ${storage}`,
    "img-src 'self' data:",
    turnstileSiteKey === undefined ? `frame-src ${storage}` : `frame-src ${storage} ${TURNSTILE}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** The names of hashed files have the content in them; the page names them, and so is asked for each time. */
export const cachingOf = (path: string): string =>
  path.includes('/static/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export const REFERRER_POLICY = 'no-referrer';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  xml: 'application/xml',
};

export const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
