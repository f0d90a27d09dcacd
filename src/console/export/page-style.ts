/** The style of a saved task, which has to be within the file. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e2e3e8,#2a2c34);--muted:light-dark(#5c606b,#9b9fac);--sunken:light-dark(#f7f7f9,#111216)}
body{max-width:960px;margin:0 auto;padding:24px 16px;background:light-dark(#fff,#16171b);color:light-dark(#1a1b20,#e7e8ec);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
h1{font-size:20px}h2{margin:24px 0 8px;font-size:16px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0}dt{color:var(--muted)}dd{margin:0}
pre{margin:4px 0;padding:8px 12px;border-radius:5px;background:var(--sunken);font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap}
ol{padding-left:24px}li .markdown{color:var(--muted)}.markdown p{white-space:pre-line}code{font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
blockquote{margin:8px 0;padding-left:12px;border-left:2px solid var(--line)}table{border-collapse:collapse}td,th{padding:4px 12px;border:1px solid var(--line);text-align:start}
details{border-bottom:1px solid var(--line)}summary{padding:6px 0;cursor:pointer;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
details details{margin-left:16px;border:0}h3{margin:8px 0 0;color:var(--muted);font-size:12px}
@media print{details>*{display:block}}`;
