/** A page that a browser shows. */
export interface Page {
  url: string;
  status: number;
  text: string;
}

/** A browser without scripts: it keeps cookies, follows redirects and refreshes, and sends forms. */
export interface Browser {
  open(url: string): Promise<Page>;
  /** Sends the form of a page with these fields filled in. */
  submit(page: Page, fields: Record<string, string>): Promise<Page>;
  /** Signs in at the OAuth server's pages as this user, up to the address that the browser is sent back to. */
  signIn(page: Page, user: string): Promise<Page>;
  /** Stops in front of an address that begins so, which `stoppedAt` then has. */
  stopBefore(prefix: string): void;
  stoppedAt(): string | null;
}

const HOPS_MAX = 20;

export const openBrowser = (): Browser => {
  const jars = new Map<string, Map<string, string>>();
  let stop: string | null = null;
  let stopped: string | null = null;

  const jarOf = (url: string): Map<string, string> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  const go = async (url: string, init: RequestInit = {}, hops = 0): Promise<Page> => {
    if (hops > HOPS_MAX) throw new Error(`too many redirects at ${url}`);
    if (stop !== null && url.startsWith(stop)) {
      stopped = url;
      return { url, status: 0, text: '' };
    }
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await reply.text();
    const refresh = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const next = reply.headers.get('location') ?? refresh;
    if (next !== null && next !== undefined) return go(new URL(next, url).href, {}, hops + 1);
    return { url, status: reply.status, text };
  };

  const browser: Browser = {
    open: (url) => go(url),
    submit: ({ url, text }, fields) => {
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? url;
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const kept = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
      const body = new URLSearchParams({ ...kept, ...fields });
      const target = new URL(action, url);
      return go(target.href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin },
        body: body.toString(),
      });
    },
    signIn: async (page, user) => {
      let at = page;
      while (at.text.includes('name="prompt"'))
        at = await browser.submit(at, at.text.includes('name="login"') ? { login: user, password: 'x' } : {});
      return at;
    },
    stopBefore: (prefix) => {
      stop = prefix;
    },
    stoppedAt: () => stopped,
  };
  return browser;
};
