const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What is shown in place of the console: that it is being built, after which the page loads itself again, or why there is none. No script and no style. */
export const consoleNotice = (problem: string | null, reloadSeconds: number | null): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${reloadSeconds === null ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`}<title>Tripact</title>
<h1>Tripact</h1>
${
  problem === null
    ? '<p>The console is being built, once for this version of the sources. This takes some seconds; the page opens by itself.</p>\n<p lang="zh">正在构建控制台（每个源码版本只需一次），几秒后页面会自动打开。</p>'
    : `<p>The console is not available: ${escaped(problem)}</p>\n<p lang="zh">控制台不可用，原因见上。</p>\n<p><a href="/docs">API / 接口文档</a></p>`
}
</html>
`;
