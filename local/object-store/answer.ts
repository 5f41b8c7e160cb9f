import { xmlDocument } from './xml.ts';

export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Buffer>;
};

export function xmlAnswer(name: string, value: Parameters<typeof xmlDocument>[1]): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: xmlDocument(name, value) };
}
