import { fieldAt, indexAt, isObject, listAt, textAt } from '../../readers/json.ts';
import type { ReportEvidence } from '../../report/report.ts';
import { messageText } from './message.ts';
import { placeOf } from './place.ts';
import { entryOf, type Run } from './run.ts';

/** The way of the data from source to sink, one step a line, and the request and response of a web scanner. */
export function evidenceOf(run: Run, result: unknown): ReportEvidence[] {
  const flow = listAt(result, 'codeFlows', 0, 'threadFlows', 0, 'locations').slice(0, MAX_STEPS);
  const steps = flow.map((step) => fieldAt(step, 'location') ?? run.flowSteps[indexAt(step, 'index') ?? -1]);
  return [
    { kind: 'text', content: steps.map((step) => stepOf(run, step)).join('\n') },
    { kind: 'http', content: requestOf(entryOf(run.webRequests, fieldAt(result, 'webRequest'))) },
    { kind: 'http', content: responseOf(entryOf(run.webResponses, fieldAt(result, 'webResponse'))) },
  ];
}

const MAX_STEPS = 50;

function stepOf(run: Run, location: unknown): string {
  const { path, url, line } = placeOf(run, location);
  const where = `${path ?? url ?? 'somewhere'}${line === undefined ? '' : `:${line}`}`;
  const message = messageText(fieldAt(location, 'message'), []);
  return message ? `${where} ${message}` : where;
}

function requestOf(request: unknown): string {
  const line = [textAt(request, 'method'), textAt(request, 'target'), protocolOf(request)];
  return httpOf(line, request);
}

function responseOf(response: unknown): string {
  const line = [protocolOf(response), indexAt(response, 'statusCode'), textAt(response, 'reasonPhrase')];
  return httpOf(line, response);
}

const protocolOf = (message: unknown): string =>
  [textAt(message, 'protocol'), textAt(message, 'version')].filter((part) => part).join('/');

function httpOf(line: (string | number | undefined)[], message: unknown): string {
  const headers = fieldAt(message, 'headers');
  const lines = isObject(headers) ? Object.entries(headers).map(([name, value]) => `${name}: ${value}`) : [];
  const head = [line.filter((part) => part).join(' '), ...lines].filter((part) => part).join('\n');
  return [head, textAt(message, 'body', 'text')].filter((part) => part).join('\n\n');
}
