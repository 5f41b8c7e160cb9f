import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeStack = { outputs?: Record<string, string>; template?: unknown; nested?: Record<string, unknown> };

/** CloudFormation's query protocol for stacks that stand in memory, by `<region>/<name>`, because no emulator here has it. */
export async function startCloudFormation(stacks: Record<string, FakeStack>): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const region = /Credential=[^/]+\/\d+\/([^/]+)\/cloudformation/.exec(request.headers.authorization ?? '')?.[1];
    const name = form.get('StackName') ?? '';
    const [own = '', nested] = name.split('/');
    const parent = stacks[`${region}/${own}`];
    const stack = nested === undefined ? parent : { template: parent?.nested?.[nested] };
    response.writeHead(stack ? 200 : 400, { 'content-type': 'text/xml' });
    response.end(stack ? answer(form.get('Action') ?? '', { name, ...stack }) : missing(name));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function answer(
  action: string,
  { name, outputs = {}, template = {}, nested = {} }: FakeStack & { name: string },
): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  const resources = Object.keys(nested).map(
    (id) =>
      `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${name}/${id}</PhysicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType><ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>`,
  );
  const results: Record<string, string> = {
    ListStackResources: `<StackResourceSummaries>${resources.join('')}</StackResourceSummaries>`,
    DescribeStacks: `<Stacks><member><StackName>s</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks>`,
    GetTemplate: `<TemplateBody>${escaped(JSON.stringify(template))}</TemplateBody>`,
  };
  return `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${results[action]}</${action}Result></${action}Response>`;
}

const missing = (name: string): string =>
  `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
