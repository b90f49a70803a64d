/** Header, navigation, search field and footer; also used by the API reference. */
export const FRAME = `
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; color: var(--ink);
  background: var(--paper); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: var(--space-4); top: -4rem; z-index: 2; padding: var(--space-2) var(--space-4);
  background: var(--accent); color: var(--on-accent); border-radius: var(--radius); }
.skip:focus { top: var(--space-2); }
header.site, footer.site { font: var(--text-m)/1.5 var(--font-text); background: var(--surface); }
header.site { border-bottom: 1px solid var(--line); }
header.site a, footer.site a { color: inherit; text-decoration: none; }
header.site a:hover, footer.site a:hover { text-decoration: underline; }
header.site .bar { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-5);
  max-width: var(--page); margin: 0 auto; padding: var(--space-3) var(--space-5); }
header.site .name { display: flex; align-items: center; gap: var(--space-2);
  font: 600 1.25rem/1 var(--font-title); letter-spacing: -.01em; }
header.site .name:hover { text-decoration: none; }
header.site .name svg { width: 1.75rem; height: 1.75rem; flex: none; }
header.site nav { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); }
header.site nav a { padding: var(--space-1) 0; }
header.site nav a[aria-current] { font-weight: 600; box-shadow: 0 2px 0 var(--seal); }
header.site .search { flex: 1 1 12rem; max-width: 24rem; margin-left: auto; }
header.site .session { display: flex; align-items: center; gap: var(--space-4); }
header.site .areas + .session { margin-left: auto; }
header.site .session form { margin: 0; }
header.site .session .link { color: inherit; }
form.search { display: flex; margin: 0; }
form.search input[type=search] { flex: 1; min-width: 0; font: inherit; color: inherit; margin: 0;
  padding: .4rem .75rem; border: 1px solid var(--edge); border-right: 0; background: var(--paper);
  border-radius: var(--radius) 0 0 var(--radius); appearance: none; }
form.search button { font: inherit; margin: 0; padding: .4rem .8rem; border: 1px solid var(--edge);
  border-radius: 0 var(--radius) var(--radius) 0; background: var(--tint); color: var(--ink);
  cursor: pointer; display: flex; align-items: center; }
form.search svg { width: 1.1rem; height: 1.1rem; display: block; }
footer.site { margin-top: auto; border-top: 1px solid var(--line); color: var(--soft); font-size: var(--text-s); }
footer.site .bar { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-6);
  max-width: var(--page); margin: 0 auto; padding: var(--space-5); }
footer.site p { margin: 0; flex-basis: 100%; }
footer.site nav { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); }
footer.site nav > * { padding: var(--space-1) 0; }
footer.site nav.languages { margin-left: auto; }
footer.site nav [aria-current] { color: var(--ink); font-weight: 600; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible,
summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (max-width: 48rem) {
  header.site .bar { padding: var(--space-3) var(--space-4); gap: var(--space-2) var(--space-4); }
  header.site .session { margin-left: auto; }
  header.site .search { order: 3; flex-basis: 100%; max-width: none; }
  header.site nav.areas { order: 4; flex-basis: 100%; }
  footer.site .bar { padding: var(--space-5) var(--space-4); }
  footer.site nav.languages { margin-left: 0; }
}
`;
