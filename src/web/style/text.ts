/** Layout of pages, headings, running text, forms and code. */
export const TEXT = `
body { font: var(--text-m)/var(--leading) var(--font-text); overflow-wrap: anywhere; text-autospace: normal;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
main { width: 100%; max-width: calc(var(--reading) + 2 * var(--space-5)); margin: 0 auto;
  padding: var(--space-6) var(--space-5) var(--space-8); overflow-x: clip; }
main.wide { max-width: var(--page); }
.with-side { width: 100%; max-width: var(--page); margin: 0 auto; display: grid; align-items: start;
  grid-template-columns: var(--side) minmax(0, 1fr); }
.with-side > main { max-width: none; }
.with-side > nav.side { position: sticky; top: 0; max-height: 100vh; overflow-y: auto;
  padding: var(--space-6) 0 var(--space-6) var(--space-5); font-size: .9375rem; }
nav.side h2 { font: 600 var(--text-s)/1.4 var(--font-text); color: var(--soft); margin: var(--space-5) 0 var(--space-1); }
nav.side h2:first-child { margin-top: 0; }
nav.side ul { list-style: none; margin: 0; padding: 0; }
nav.side a { display: block; padding: .2rem var(--space-3); margin-left: calc(-1 * var(--space-3)); color: var(--ink);
  text-decoration: none; border-radius: var(--radius); }
nav.side a:hover { background: var(--tint); }
nav.side a[aria-current] { background: var(--tint); font-weight: 600; box-shadow: inset 3px 0 0 var(--seal); }
@media (max-width: 56rem) {
  .with-side { display: block; }
  .with-side > nav.side { position: static; display: flex; gap: var(--space-1); overflow-x: auto; max-height: none;
    padding: var(--space-2) var(--space-4); border-bottom: 1px solid var(--line); background: var(--surface); }
  nav.side h2 { display: none; }
  nav.side ul { display: flex; gap: var(--space-1); }
  nav.side a { white-space: nowrap; margin: 0; }
  nav.side a[aria-current] { box-shadow: inset 0 -3px 0 var(--seal); }
  main { padding: var(--space-5) var(--space-4) var(--space-7); }
}
h1, h2, h3 { font-family: var(--font-title); line-height: var(--leading-title); font-weight: 600;
  text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: var(--text-3xl); margin: 0 0 var(--space-3); letter-spacing: -.015em; }
h1:lang(zh) { letter-spacing: 0; }
h1:lang(zh), h1 :lang(zh), h3 :lang(zh), .title :lang(zh) { word-break: keep-all; overflow-wrap: anywhere; }
h2 { font-size: var(--text-xl); margin: var(--space-7) 0 var(--space-3); }
h3 { font-size: var(--text-l); margin: var(--space-5) 0 var(--space-2); }
p, ul, ol, dl, pre, blockquote, form { margin: 0 0 var(--space-4); }
a { color: var(--accent); text-decoration-thickness: .06em; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: .12em; }
:lang(zh) em { font-style: normal; text-emphasis: filled dot; text-emphasis-position: under right; }
img { max-width: 100%; }
mark { background: var(--mark); color: inherit; border-radius: .15em; padding: 0 .1em; }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--space-6) 0; }
p.lead { font-size: var(--text-l); color: var(--soft); }
.soft { color: var(--soft); }
.small { font-size: var(--text-s); }
p.ways { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); }
code, kbd, .secret { font: .92em/1.5 var(--font-code); overflow-wrap: anywhere; }
kbd { border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: .25rem; padding: 0 .35em; }
pre, .secret { background: var(--code); color: var(--on-code); padding: var(--space-3) var(--space-4);
  border-radius: var(--radius); }
pre { overflow-x: auto; overflow-wrap: normal; } pre code { overflow-wrap: normal; }
.secret { display: block; user-select: all; }
progress { display: block; width: 100%; max-width: 20rem; margin-top: .35rem; accent-color: var(--accent); }
progress[hidden] { display: none; }
label { display: block; font-weight: 600; margin: var(--space-4) 0 var(--space-1); }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .35rem 0; }
label small, .hint { display: block; font-weight: 400; color: var(--soft); font-size: var(--text-s); }
input[type=text], input[type=password], input[type=search], input[type=email], input[type=url],
input[type=number], input[type=date], input[type=datetime-local], input[type=file], textarea, select {
  width: 100%; font: inherit; color: inherit; padding: .55rem .75rem; border: 1px solid var(--edge);
  border-radius: var(--radius); background: var(--surface); }
input[type=checkbox], input[type=radio] { accent-color: var(--accent); }
textarea { min-height: 6rem; resize: vertical; }
button, .button { display: inline-block; font: 600 var(--text-m)/1.4 var(--font-text); padding: .6rem 1.25rem;
  border-radius: var(--radius); cursor: pointer; text-decoration: none; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); margin-top: var(--space-5); }
button:hover, .button:hover { filter: brightness(1.08); }
button.quiet, .button.quiet { background: var(--surface); color: var(--accent); }
button.danger, .button.danger { background: var(--surface); color: var(--danger); border-color: var(--danger); }
button.small, .button.small { font-size: var(--text-s); padding: .3rem .75rem; margin-top: 0; }
button.link { border: 0; background: none; color: var(--accent); padding: 0; margin: 0; font-weight: 400;
  text-decoration: underline; text-underline-offset: .18em; text-align: start; }
button[disabled] { opacity: .55; cursor: not-allowed; }
.buttons { display: flex; flex-wrap: wrap; gap: var(--space-3); }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: var(--radius); margin: var(--space-4) 0;
  padding: var(--space-2) var(--space-4) var(--space-4); }
legend { font-weight: 600; padding: 0 .35rem; }
@media (max-width: 30rem) { .buttons button { flex: 1 1 100%; margin-top: 0; } .buttons { margin-top: var(--space-5); } }
`;
