/**
 * Design tokens: the only place with colours, fonts and lengths. Other style sheets use the custom
 * properties. `/docs/design` shows them. Text colours have a contrast of at least 4.5 on `--paper`,
 * `--surface` and `--tint` (WCAG 2.2, 1.4.3).
 */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: #fbf9f5; --surface: #ffffff; --plate: #ffffff; --tint: #f1ede4; --line: #e0dacd; --edge: #857f73;
  --ink: #1e2320; --soft: #5c615c; --accent: #17624f; --on-accent: #ffffff; --seal: #b23a2b; --seal-ground: #b23a2b;
  --star: #8f5c0c; --star-fill: #d99a2b; --danger: #a3271f; --danger-tint: #fbeae7;
  --good: #1c6b3c; --good-tint: #e6f2e9; --warn: #7d5400; --warn-tint: #faf0d9;
  --focus: #2f7fd1; --mark: #fbe7a8; --code: #20262b; --on-code: #f0efe9;
  --shade: 0 1px 2px rgb(30 35 32 / .1), 0 4px 14px rgb(30 35 32 / .08);
  --font-text: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC',
    'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif;
  --font-title: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', 'Noto Serif',
    Georgia, 'Songti SC', 'Noto Serif CJK SC', 'Source Han Serif SC', serif;
  --font-code: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'PingFang SC',
    'Microsoft YaHei', 'Noto Sans CJK SC', monospace;
  --text-s: .875rem; --text-m: 1rem; --text-l: 1.125rem; --text-xl: 1.375rem; --text-2xl: 1.75rem;
  --text-3xl: clamp(1.875rem, 1.5rem + 1.6vw, 2.5rem); --leading: 1.6; --leading-title: 1.2;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-5: 1.5rem;
  --space-6: 2rem; --space-7: 3rem; --space-8: 4.5rem;
  --radius: .5rem; --radius-cover: .25rem; --page: 72rem; --reading: 42rem; --side: 15rem; --aside: 19rem;
}
:lang(zh) { --leading: 1.75; --leading-title: 1.35; }
:lang(zh-Hant) {
  --font-text: system-ui, -apple-system, 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC',
    sans-serif;
  --font-title: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Songti TC',
    'Noto Serif CJK TC', serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141719; --surface: #1c2023; --tint: #23292c; --line: #343b3f; --edge: #7f898f;
    --ink: #e6e5e0; --soft: #a9afae; --accent: #8ccdb5; --on-accent: #10211b; --seal: #e2705f;
    --star: #e0b25c; --star-fill: #d9a441; --danger: #f2978f; --danger-tint: #3a2220;
    --good: #86cf9f; --good-tint: #1d3326; --warn: #e6bf6a; --warn-tint: #362c17;
    --focus: #7db8f5; --mark: #5b4a16; --code: #0c0e10; --on-code: #e6e5e0;
    --shade: 0 1px 2px rgb(0 0 0 / .5), 0 4px 14px rgb(0 0 0 / .35);
  }
}
`;
