import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import * as z from 'zod';

type StackPlace = { name: string; region?: string };

/** A template, in the parts that a deployment is compared by. `Metadata` names the file of a nested template. */
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Metadata: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});
export type Template = z.infer<typeof Template>;

export const parseTemplate = (template: unknown): Template => Template.parse(template);

/** The templates of a stack's nested stacks, by the name of the nested stack in the template of the stack. */
export type NestedTemplates = Map<string, Template>;

export const NESTED_STACK = 'AWS::CloudFormation::Stack';

/**
 * The outputs of a running stack, or undefined while it does not exist. The region is the credentials' region unless
 * given.
 */
export const findOutputs = (place: StackPlace): Promise<Record<string, string> | undefined> =>
  unlessMissing(place, async (client) => {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: place.name }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  });

/** The template with which a stack was last deployed, or undefined while there is none. */
export const findTemplate = (place: StackPlace): Promise<Template | undefined> =>
  unlessMissing(place, (client) => readTemplate(client, place.name));

/** The templates with which the nested stacks of a running stack were last deployed. */
export const findNestedTemplates = async (place: StackPlace): Promise<NestedTemplates> =>
  (await unlessMissing(place, async (client) => {
    const found: NestedTemplates = new Map();
    for await (const page of paginateListStackResources({ client }, { StackName: place.name }))
      for (const {
        ResourceType,
        LogicalResourceId = '',
        PhysicalResourceId,
        ResourceStatus,
      } of page.StackResourceSummaries ?? []) {
        if (ResourceType !== NESTED_STACK || !PhysicalResourceId || ResourceStatus === 'DELETE_COMPLETE') continue;
        const template = await readTemplate(client, PhysicalResourceId);
        if (template) found.set(LogicalResourceId, template);
      }
    return found;
  })) ?? new Map();

async function readTemplate(client: CloudFormationClient, name: string): Promise<Template | undefined> {
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: name }));
  return TemplateBody ? parseTemplate(JSON.parse(TemplateBody)) : undefined;
}

async function unlessMissing<T>({ region }: StackPlace, ask: (client: CloudFormationClient) => Promise<T>) {
  const client = new CloudFormationClient({ region });
  try {
    return await ask(client);
  } catch (error) {
    // CloudFormation answers this code for many mistakes; only the message distinguishes them.
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist'))
      return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}
