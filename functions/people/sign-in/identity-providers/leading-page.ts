import type { RawAnswer } from '#shared/platform/http/route.ts';

/** A page that leads the browser on by itself, without a script. `url`: an address of this service. */
export const pageLeadingTo = (url: string, contentType: string): RawAnswer => ({
  contentType,
  body:
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}">` +
    `<title>Signing in</title></head><body><p><a href="${url}">Go on with the sign-in</a></p></body></html>`,
  headers: {
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
});
