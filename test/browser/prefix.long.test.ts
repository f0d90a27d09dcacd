import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

/** A proxy that serves only what is below `/agent`, and removes that or not. Gives its own address. */
const startProxy = async (service: () => string, removes: boolean): Promise<string> => {
  const proxy = http.createServer((request, response) => {
    const { method, headers, url = '' } = request;
    if (!url.startsWith('/agent/')) return response.writeHead(404).end('elsewhere');
    const target = service() + (removes ? url.slice('/agent'.length) : url);
    const passed = http.request(target, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    return request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
};

describeInBrowser('the console below a prefix of a proxy', (open) => {
  it.each([
    { proxy: 'that removes it', removes: true },
    { proxy: 'that leaves it', removes: false },
  ])('shows a turn, and the same again at its own address, behind a proxy $proxy', async ({ removes }) => {
    await keptBuild();
    const script = [plan('Greet'), done('Greeted'), answer('Good morning from below.')];
    const service = await startService(script, { TRIPACT_PUBLIC_URL: 'https://example.com/agent/' });
    const origin = await startProxy(() => service.url, removes);
    const { page, faults } = await open(`${origin}/agent/`);
    await page.waitForURL(`${origin}/agent/console/`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Say good morning');
    await page.keyboard.press('Enter');
    const reply = page.getByRole('log').getByText('Good morning from below.');
    await reply.waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/agent\/console\/sessions\//);
    await page.reload();
    await reply.waitFor();
    expect(faults).toEqual([]);
  });
});
