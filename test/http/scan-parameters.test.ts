import { describe, expect, test } from 'vitest';
import { scan } from '../support/engagements.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const path = '/api/v1/validation-operations/engagements';

async function request(parameters: unknown, more: object = {}) {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  const answer = await analyst.send('POST', path, { body: { ...scan, parameters, ...more } });
  return { ...organization, analyst, answer };
}

const refusal = (at: string) => ({ status: 400, body: { code: 'validation_failed', details: [{ path: at }] } });

describe('parameters of a scan', () => {
  test.each([
    ['scripts that break in', { network: { scripts: 'default,exploit' } }, 'parameters.network.scripts'],
    ['scripts that guess passwords', { network: { scripts: 'ssh-brute' } }, 'parameters.network.scripts'],
    ['all scripts', { network: { scripts: 'all' } }, 'parameters.network.scripts'],
    ['a parameter of a tool that nobody here knows', { web: { payload: 'x' } }, 'parameters.web.payload'],
  ])('need the permission for exploitation: %s', async (_, parameters, at) => {
    const { answer } = await request(parameters);
    expect(answer).toMatchObject(refusal(at));
    const allowed = { rulesOfEngagement: { allowExploitation: true } };
    const { analyst, answer: asked } = await request(parameters, allowed);
    const { resource } = asked.body as { resource: { id: string } };
    const params = { id: resource.id };
    expect(await analyst.ok('getEngagement', { params })).toMatchObject({ status: 'requested', parameters });
    expect(await analyst.call('approveEngagement', { params })).toMatchObject({ status: 401 });
  });

  test('cannot become exploitation after the approval, and the permission cannot be taken from below them', async () => {
    const schedule = { startAt: '2099-01-01T00:00:00Z' };
    const { analyst, answer } = await request({ network: { scripts: 'default' } }, { schedule });
    const params = { id: (answer.body as { resource: { id: string } }).resource.id };
    const parameters = { network: { scripts: 'dos' } };
    const change = (body: object) => analyst.call('updateEngagement', { params, body });
    expect(await change({ parameters })).toMatchObject(refusal('parameters.network.scripts'));
    const allowed = { allowExploitation: true };
    expect(await change({ parameters, rulesOfEngagement: allowed })).toMatchObject({ body: { status: 'requested' } });
    const withdrawn = await change({ rulesOfEngagement: { allowExploitation: false } });
    expect(withdrawn).toMatchObject(refusal('parameters.network.scripts'));
  });

  test.each([
    [{ network: { scripts: 'default,vulners,ssl-cert', ports: 'T:22,80,8000-8100,U:53' } }],
    [{ network: { ports: 443 }, sast: { ref: 'main', commit: 'abc' }, web: { rateLimit: 20 }, tls: { ports: '443' } }],
  ])('are taken as they are when a scan with them is harmless: %j', async (parameters) => {
    const { analyst, answer } = await request(parameters);
    expect(answer.status).toBe(200);
    const params = { id: (answer.body as { resource: { id: string } }).resource.id };
    expect(await analyst.ok('getEngagement', { params })).toMatchObject({ parameters });
  });

  test.each([
    ['a port that is none', { network: { ports: '80,70000' } }, 'parameters.network.ports'],
    ['an option in the ports', { network: { ports: '80 -sC' } }, 'parameters.network.ports'],
    ['an expression of scripts', { network: { scripts: 'not safe' } }, 'parameters.network.scripts'],
    ['a path of a script', { network: { scripts: '/tmp/x.nse' } }, 'parameters.network.scripts'],
    ['a pattern of scripts', { network: { scripts: 'http-*' } }, 'parameters.network.scripts'],
    ['a type of task that there is not', { nmap: { ports: '80' } }, 'parameters.nmap'],
    ['a number that no record holds', { web: { depth: 1e300 } }, 'parameters.web.depth'],
    ['a number too near to 0', { web: { depth: 1e-200 } }, 'parameters.web.depth'],
    ['a rate over the limit', { web: { rateLimit: 10_000 } }, 'parameters.web.rateLimit'],
    ['an object', { web: { headers: { a: 'b' } } }, 'parameters.web.headers'],
    ['a name of another kind', { web: { 'a b': 1 } }, 'parameters.web'],
    ['a name that objects have', { web: { constructor: 1 } }, 'parameters.web'],
  ])('are refused with the field and its problem: %s', async (_, parameters, at) => {
    const allowed = { rulesOfEngagement: { allowExploitation: true } };
    expect((await request(parameters, allowed)).answer).toMatchObject(refusal(at));
  });
});
