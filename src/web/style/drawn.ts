/**
 * Pictures that pages draw themselves (`web/drawn-covers.ts`). Their colours are fixed, like those
 * of printed covers, and have a contrast of at least 4.5 with the text.
 */
export const DRAWN = `
span.drawn { --ground: #23203b; --one: #cbb0a8; --two: #4a4a68; --letters: #f4ece4; position: relative; overflow: hidden;
  padding: 0; background: var(--ground); color: var(--letters); }
.drawn.d1 { --ground: #0f4c5c; --one: #f2c078; --two: #2f7280; --letters: #fdf6e9; }
.drawn.d2 { --ground: #f3e2cf; --one: #4d6076; --two: #e3bfa0; --letters: #2b2f3a; }
.drawn.d3 { --ground: #2f4a38; --one: #e2b85c; --two: #4c6b56; --letters: #f7f1e1; }
.drawn.d4 { --ground: #552a4b; --one: #eaa79b; --two: #774367; --letters: #fbeee6; }
.drawn.d5 { --ground: #e9e4d4; --one: #2c6f6b; --two: #c9c2a8; --letters: #22302f; }
.drawn svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.drawn .one { fill: var(--one); } .drawn .two { fill: var(--two); }
.drawn svg text { fill: var(--ground); font: 700 12px/1 var(--font-title); }
.drawn .text { position: absolute; inset: 40% 8% 8%; overflow: hidden; font: 600 1rem/1.3 var(--font-title); }
.cover.drawn:not(.portrait)::before { content: ''; position: absolute; left: 8%; top: 32%; width: 22%; height: 3px; background: var(--one); }
.cover.drawn:not(.portrait)::after { content: ''; position: absolute; right: -12%; top: -10%; width: 55%; aspect-ratio: 1; border-radius: 50%;
  background: var(--two); }
.logo { flex: none; width: 3rem; height: 3rem; border-radius: var(--radius); vertical-align: middle; }
.logo.small { width: 1.75rem; height: 1.75rem; border-radius: var(--radius-cover); }
.logo.large { width: 4.5rem; height: 4.5rem; }
img.logo { object-fit: contain; background: var(--plate); border: 1px solid var(--line); }
span.logo { display: inline-grid; place-items: center; font: 600 1.5rem/1 var(--font-title); user-select: none; }
span.logo.small { font-size: .9375rem; } span.logo.large { font-size: 2.25rem; }
.named { display: flex; gap: var(--space-3); align-items: center; }
.named > :last-child { flex: 1; min-width: 0; }
.named h1, .named > p { margin: 0; } .named.heading { margin-bottom: var(--space-3); }
@media (max-width: 30rem) { .logo.large { width: 3.5rem; height: 3.5rem; } span.logo.large { font-size: 1.75rem; } }
.named.top { align-items: flex-start; gap: var(--space-4); }
`;
